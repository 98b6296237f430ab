/// A tempo that is tapped: the median of the last intervals, so that one tap that is late or lost does not matter.
struct TapTempo {
  // When it was tapped, nanoseconds; the last few.
  private var taps: [Int64] = []

  /// A pause as long as this begins anew, and a tap that follows as soon as that is none, nanoseconds.
  private static let pause: Int64 = 2_000_000_000
  private static let bounce: Int64 = 150_000_000
  private static let most = 5

  /// Takes a tap at a time in nanoseconds; the tempo in beats a minute, from the second tap on.
  mutating func tap(at moment: Int64) -> Float? {
    if let last = taps.last {
      if moment - last < TapTempo.bounce { return nil }
      if moment - last > TapTempo.pause { taps = [] }
    }
    taps = (taps + [moment]).suffix(TapTempo.most)
    let intervals = zip(taps.dropFirst(), taps).map { $0 - $1 }.sorted()
    if intervals.isEmpty { return nil }
    // Of an even number the mean of the two in the middle.
    let middle = intervals[(intervals.count - 1) / 2] + intervals[intervals.count / 2]
    return Float(120e9 / Double(middle))
  }
}
