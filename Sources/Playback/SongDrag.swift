/// The dragging of a position. A finger on a fader sends sixty positions a second, and each seek ends the notes and sets
/// wheels, pedals and programs again: the song goes to the latest one ten times a second.
struct SongDrag {
  /// The least time between two seeks, nanoseconds.
  static let interval: Int64 = 100_000_000
  // The latest position, and when the next seek may be.
  private var (share, next) = (Double?.none, Int64.min)

  /// When the position must be sought; nil if there is none.
  var due: Int64? { share == nil ? nil : next }

  /// Notes a position.
  mutating func move(to share: Double) { self.share = share }

  /// Forgets the position.
  mutating func end() { share = nil }

  /// The position to seek now; nil if there is none, or if the last seek was a moment ago.
  mutating func take(_ now: Int64) -> Double? {
    guard now >= next, let share else { return nil }
    (self.share, next) = (nil, now + Self.interval)
    return share
  }
}
