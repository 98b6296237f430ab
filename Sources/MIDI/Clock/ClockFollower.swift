import System

/// Follows a MIDI clock, 24 pulses a beat: numbers its pulses even if some are lost or late, and computes its tempo
/// and position without jitter.
public struct ClockFollower {
  private var line = PulseLine()
  private var shown = ShownTempo()
  private var last: Int64 = 0
  // Pulses since some were assumed to be lost, and the evidence that may still refute that.
  private var sinceMissing = 0
  private var gap: Gap?
  // Pulses that came late, together with the one before.
  private var together = 0

  /// Pulses that are assumed lost.
  private struct Gap {
    /// The line before them, and how many they were.
    let line: PulseLine
    let missing: Int
    /// The times of the pulses since then.
    var moments: [Int64]
  }

  /// Pulses of a beat.
  static let perBeat = 24
  /// Nanoseconds without a pulse after which a clock counts as gone: the length of a pulse at 5 beats a minute.
  public static let pause: Int64 = 500_000_000
  /// Pulses, or nanoseconds, before a tempo is sent to the engine; pulses before one is shown.
  private static let (fewest, shortest, fewestShown) = (7, 100e6, 13)
  /// Pulses after a gap that may show that none was lost.
  private static let doubtful = 6

  /// No clock yet.
  public init() {}

  /// The number of the newest pulse, from 0.
  public var number: Int { line.newest }
  /// The tempo in beats a minute; nil for the first tenth of a second, or a quarter of a beat if that is shorter.
  public var tempo: Double? {
    let isKnown = line.count >= Self.fewest || Double(line.count - 1) * line.period >= Self.shortest
    return isKnown && line.period > 0 ? 60e9 / (Double(Self.perBeat) * line.period) : nil
  }
  /// The position in pulses at a moment in nanoseconds; at the moment when a pulse was due, it is the number of that
  /// pulse.
  public func position(at moment: Int64) -> Double { line.position(at: moment) }
  /// Whether tempo and position may still change much: in the first beat, and after a change of tempo.
  public var isSettling: Bool { line.window < Self.perBeat }

  /// Adds a pulse at a moment in nanoseconds; moments must not decrease. Returns the tempo if it is to be shown anew.
  public mutating func tick(at moment: Int64) -> Float? {
    if line.count > 0, moment - last > Self.pause { self = ClockFollower() }
    if line.count < Self.fewestShown {
      line.add(line.count, at: moment)
    } else {
      add(moment)
    }
    last = moment
    return shown.pulse(line.count >= Self.fewestShown ? tempo.map { Float($0) } : nil, isSettling: isSettling)
  }

  /// Whether a pulse at a moment continues the clock, rather than beginning anew.
  public func continues(at moment: Int64) -> Bool {
    line.period > 0 && abs(position(at: moment) - Double(number) - 1) < 0.25
  }

  /// Adds a pulse, which may be the first after some that were lost, or come late together with others.
  private mutating func add(_ moment: Int64) {
    let passed = Double(moment - last) / line.period
    let isTogether = passed < 0.25 && together < Self.perBeat
    together = isTogether ? together + 1 : 0
    sinceMissing += 1
    reconsider(moment, passed)
    let missing = isTogether ? 0 : lost(before: moment, passed)
    if missing > 0 { gap = Gap(line: line, missing: missing, moments: [moment]) }
    line.add(number + missing + 1, at: isTogether ? nil : moment)
  }

  /// Numbers the pulses after a gap anew if the next one shows that none was lost: it comes before it is due, because
  /// those before it were late, or the clock has become slower.
  private mutating func reconsider(_ moment: Int64, _ passed: Double) {
    guard let gap else { return }
    let early = Double(number + 1) - gap.line.position(at: moment)
    let isSlower = gap.moments.count == 1 && passed > 1.75
    if isSlower || early > 0.5 * Double(gap.missing) {
      self.gap = nil
      line = gap.line
      for moment in gap.moments { line.add(number + 1, at: isSlower ? moment : nil) }
    } else if gap.moments.count < Self.doubtful {
      self.gap?.moments.append(moment)
    } else {
      self.gap = nil
    }
  }

  /// The number of pulses that were lost. Losses are counted at most once in half a beat, or a slower tempo would
  /// never be detected.
  private mutating func lost(before moment: Int64, _ passed: Double) -> Int {
    if sinceMissing < Self.fewestShown { return 0 }
    let steps = (position(at: moment) - Double(number)).rounded()
    if steps < 2 || abs(passed - steps) > 0.25 { return 0 }
    sinceMissing = 0
    return Int(clamping: steps, to: 1...1_000_000) - 1
  }
}

/// The tempo of a clock as it is shown: rounded, and steady while the clock is.
struct ShownTempo {
  // The tempo that was shown last, 0 for none, and pulses since then.
  private var shown: Float = 0
  private var sinceShown = 0

  /// The resolution of the shown tempo, beats a minute: nobody sets a clock to hundredths.
  private static let step: Float = 0.1
  /// The smallest difference for which the tempo is shown anew: in beats a minute, and as a share of the tempo.
  private static let slack: (Float, share: Float) = (0.08, 0.0015)
  /// The share while the tempo may still change much.
  private static let settling: Float = 0.015
  private static let perBeat = ClockFollower.perBeat

  /// The tempo to show at a pulse, in beats a minute: the first one, a changed one, and once a beat; otherwise nil.
  mutating func pulse(_ tempo: Float?, isSettling: Bool) -> Float? {
    sinceShown += 1
    guard let tempo else { return nil }
    if shown > 0, sinceShown < Self.perBeat / 4 { return nil }
    let share = isSettling ? Self.settling : Self.slack.share
    let isChanged = abs(tempo - shown) > max(Self.slack.0, share * shown)
    if isChanged { shown = (tempo / Self.step).rounded() * Self.step }
    if !isChanged, sinceShown < Self.perBeat { return nil }
    sinceShown = 0
    return shown
  }
}
