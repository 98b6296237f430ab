/// The figures of the last hour, one reading every fifteen seconds, in two kilobytes. A value type; the caller passes
/// the time.
public struct HealthHistory: Sendable {
  /// The figures of fifteen seconds.
  public struct Reading: Sendable, Equatable {
    /// The share of its time that the audio thread spent rendering, percent.
    public var load: UInt8 = 0
    /// The most voices at once.
    public var voices: UInt8 = 0
    /// Late blocks.
    public var late: UInt16 = 0
    /// The temperature of the processor at the end, degrees Celsius; nil if it is unknown.
    public var temperature: Int16?
  }

  /// The time of one reading, nanoseconds.
  public static let interval: Int64 = 15_000_000_000
  /// The number of readings in an hour.
  static let mostReadings = 240

  // A ring: the oldest is at `start` once it is full.
  private var ring: [Reading] = []
  private var start = 0
  // The counters at the beginning of the current reading, and the most voices since.
  private var begun: (busy: UInt64, xruns: UInt64, time: Int64)?
  private var voices = 0

  /// An empty history. All of its memory is allocated here.
  init() { ring.reserveCapacity(HealthHistory.mostReadings) }

  /// The readings, the oldest first.
  public var readings: [Reading] { Array(ring[start...] + ring[..<start]) }

  /// Adds the counters of the audio thread at a time.
  /// - Parameters:
  ///   - busy: Nanoseconds spent rendering, since the start.
  ///   - xruns: Late blocks, since the start.
  ///   - time: CLOCK_MONOTONIC.
  mutating func take(busy: UInt64, xruns: UInt64, voices: Int, temperature: Int?, time: Int64) {
    self.voices = max(self.voices, voices)
    guard let begun else { return begin(busy, xruns, voices, time) }
    let passed = time - begun.time
    if passed < HealthHistory.interval { return }
    // The counters start again from 0 with a new audio thread.
    let spent = busy >= begun.busy ? Double(busy - begun.busy) : 0
    let late = xruns >= begun.xruns ? xruns - begun.xruns : 0
    add(
      Reading(
        load: UInt8(clamping: (spent / Double(passed) * 100).rounded()),
        voices: UInt8(clamping: self.voices), late: UInt16(clamping: late),
        temperature: temperature.map { Int16(clamping: $0) }))
    begin(busy, xruns, voices, time)
  }

  private mutating func begin(_ busy: UInt64, _ xruns: UInt64, _ voices: Int, _ time: Int64) {
    begun = (busy, xruns, time)
    self.voices = voices
  }

  private mutating func add(_ reading: Reading) {
    if ring.count < HealthHistory.mostReadings { return ring.append(reading) }
    ring[start] = reading
    start = (start + 1) % HealthHistory.mostReadings
  }
}
