/// A tapped tempo: the median of the last intervals, so that a single late or missing tap does not matter.
struct TapTempo {
  // The times of the last few taps, nanoseconds.
  private var taps: [Int64] = []

  /// A pause of this length starts a new tempo, nanoseconds.
  private static let pause: Int64 = 2_000_000_000
  /// A second tap within this time is ignored, nanoseconds.
  private static let bounce: Int64 = 150_000_000
  private static let mostTaps = 5

  /// Whether a tap at a time in nanoseconds is ignored, because it follows the last one too soon.
  func isBounce(at moment: Int64) -> Bool { taps.last.map { moment - $0 < TapTempo.bounce } ?? false }

  /// Handles a tap at a time in nanoseconds. Returns the tempo in beats a minute, from the second tap on.
  mutating func tap(at moment: Int64) -> Float? {
    if let last = taps.last {
      if isBounce(at: moment) { return nil }
      if moment - last > TapTempo.pause { taps = [] }
    }
    taps = (taps + [moment]).suffix(TapTempo.mostTaps)
    let intervals = zip(taps.dropFirst(), taps).map { $0 - $1 }.sorted()
    if intervals.isEmpty { return nil }
    // For an even count, the mean of the two middle intervals.
    let middle = intervals[(intervals.count - 1) / 2] + intervals[intervals.count / 2]
    return Float(120e9 / Double(middle))
  }
}
