/// The offset between the clock of a sequencer queue and CLOCK_MONOTONIC: they start at different times and run at
/// slightly different rates.
struct QueueClock {
  /// The time between two comparisons, nanoseconds.
  private static let interval: Int64 = 100_000_000
  /// A change of the offset by more than this is not noise, nanoseconds.
  private static let largestNoise = 1_000_000.0

  private var average: Double?
  private var due: Int64 = 0

  /// The time of the queue minus CLOCK_MONOTONIC, nanoseconds; nil before the first comparison.
  var offset: Int64? { average.map { Int64(clamping: $0) } }

  /// Updates the offset, if the last comparison is at least `interval` old. Of three readings the one with the
  /// shortest interruption counts, and the offset is averaged over about eight comparisons.
  mutating func compare(_ queue: Int32, at now: Int64, by port: any SequencerClient) {
    if now < due { return }
    due = now + Self.interval
    var best: (slack: Int64, offset: Double)?
    for _ in 0..<3 {
      let before = port.now
      guard let time = port.time(ofQueue: queue) else { continue }
      let slack = port.now - before
      if slack < best?.slack ?? .max { best = (slack, Double(time - before) - Double(slack) / 2) }
    }
    guard let best else { return }
    guard let average, abs(best.offset - average) < Self.largestNoise else {
      return self.average = best.offset
    }
    self.average = average + (best.offset - average) / 8
  }
}
