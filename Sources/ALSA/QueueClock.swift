/// The clock of a queue of the sequencer beside that of the machine: they start apart and run at slightly different
/// rates.
struct QueueClock {
  /// The time between two comparisons, nanoseconds.
  private static let interval: Int64 = 100_000_000
  /// A difference between two comparisons that is no noise, nanoseconds.
  private static let largestNoise = 1_000_000.0

  private var average: Double?
  private var due: Int64 = 0

  /// The time of the queue minus CLOCK_MONOTONIC, nanoseconds; nil before the first comparison.
  var offset: Int64? { average.map { Int64($0) } }

  /// Compares the clocks, if the last comparison is old enough: of three readings the one that was interrupted least
  /// counts, and an average over about eight comparisons.
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
