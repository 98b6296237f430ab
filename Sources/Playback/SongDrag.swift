/// The dragging of a position. A finger on a fader sends sixty positions a second, and each seek ends the notes and
/// sets wheels, pedals and programs again, so the song seeks only the latest position, ten times a second at most.
struct SongDrag {
  /// The least time between two seeks, nanoseconds.
  static let interval: Int64 = 100_000_000
  // The latest position as a share of the song, 0…1, and the earliest time of the next seek, nanoseconds.
  private var (share, next) = (Double?.none, Int64.min)

  /// The time of the next seek, nanoseconds; nil if no position waits.
  var due: Int64? { share == nil ? nil : next }

  /// Stores a position, as a share of the song, 0…1.
  mutating func move(to share: Double) { self.share = share }

  /// Forgets the position.
  mutating func end() { share = nil }

  /// The position to seek now; nil if there is none, or if the last seek was less than `interval` ago.
  mutating func take(_ now: Int64) -> Double? {
    guard now >= next, let share else { return nil }
    (self.share, next) = (nil, now + Self.interval)
    return share
  }
}
