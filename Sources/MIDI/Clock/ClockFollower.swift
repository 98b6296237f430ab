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

/// The straight line through the last pulses of a clock: their period, and when the newest was due without the jitter
/// of a cable and a scheduler.
///
/// Least squares over a window. Of several windows it takes the longest that agrees about the newest pulse with every
/// shorter one (O. V. Lepski, 1990). A steady clock is averaged over eight beats, and a new tempo is followed after a
/// few pulses.
struct PulseLine {
  private struct Pulse {
    var number: Int
    var moment: Int64
  }

  /// The moments that a line gives for the newest pulse and for a later one, and by how much another line may differ.
  private struct Estimate {
    let here, ahead, slackHere, slackAhead: Double

    init(_ here: Double, _ slope: Double, _ n: Double, _ jitter: Double) {
      self.here = here
      ahead = here + slope * PulseLine.ahead
      func slack(_ ahead: Double) -> Double {
        let distance = (n - 1) / 2 + ahead
        let variance = 1 / n + 12 * distance * distance / (n * n * n - n)
        return PulseLine.agreement * jitter * variance.squareRoot()
      }
      (slackHere, slackAhead) = (slack(0), slack(PulseLine.ahead))
    }

    func agrees(with shorter: Estimate) -> Bool {
      abs(here - shorter.here) <= shorter.slackHere && abs(ahead - shorter.ahead) <= shorter.slackAhead
    }
  }

  /// The lengths of the windows, pulses. A window that is not full yet counts too.
  private static let windows = [6, 8, 11, 15, 20, 27, 36, 48, 64, 96, 128, 192]
  private static let mostPulses = 192
  /// By how many standard deviations windows may disagree, and a single pulse may be off.
  private static let (agreement, outlier) = (3.5, 4.0)
  /// Windows must agree about the newest pulse, and about the pulse that is this many pulses later.
  private static let ahead = 6.0
  // The farthest moment from the last pulse that is reckoned with, nanoseconds: a day.
  private static let reach = 86_400_000_000_000
  /// The least standard deviation that is assumed, nanoseconds.
  private static let leastJitter = 100_000.0
  /// The number of pulses from which a single one may be left out, and after which the jitter is measured again.
  private static let (settled, measured) = (7, 8)

  private var pulses: [Pulse] = []
  // The moment of the newest pulse if the line has replaced it as an outlier, and the number of outliers in a row.
  private var leftOut: Int64?
  private var off = 0
  // The moment when the newest pulse was due, in nanoseconds after it was received.
  private var offset = 0.0
  // The standard deviation of the jitter, nanoseconds, and pulses since it was measured.
  private var jitter = PulseLine.leastJitter
  private var sinceMeasured = 0
  /// Nanoseconds from pulse to pulse; 0 before the second.
  private(set) var period = 0.0
  /// The number of pulses of the window.
  private(set) var window = 0

  /// The number of pulses that are known.
  var count: Int { pulses.count }
  /// The number of the newest pulse; 0 before the first.
  var newest: Int { pulses.last?.number ?? 0 }

  /// The position on the line at a moment, in pulses, as they are numbered.
  func position(at moment: Int64) -> Double {
    guard let last = pulses.last, period > 0 else { return Double(newest) }
    return Double(last.number) + (Double(moment - last.moment) - offset) / period
  }

  /// Adds a pulse. Numbers must increase, and moments in nanoseconds must not decrease. A pulse without a moment is
  /// on the line.
  mutating func add(_ number: Int, at moment: Int64?) {
    guard let moment else { return append(Pulse(number: number, moment: due(number))) }
    let isOff =
      count >= Self.settled && abs(Double(moment - due(number))) > Self.outlier * jitter
    off = isOff ? off + 1 : 0
    // A second outlier in a row shows that the first was none.
    if off == 2, let leftOut { pulses[pulses.count - 1].moment = leftOut }
    leftOut = off == 1 ? moment : nil
    append(Pulse(number: number, moment: off == 1 ? due(number) : moment))
  }

  /// The moment when a pulse is due.
  private func due(_ number: Int) -> Int64 {
    guard let last = pulses.last else { return 0 }
    let ahead = Int(clamping: offset + Double(number - last.number) * period, to: -Self.reach...Self.reach)
    return last.moment + Int64(ahead)
  }

  private mutating func append(_ pulse: Pulse) {
    if pulses.count == Self.mostPulses { pulses.removeFirst() }
    pulses.append(pulse)
    sinceMeasured += 1
    if sinceMeasured >= Self.measured { measure() }
    fit()
  }

  private mutating func fit() {
    guard let last = pulses.last else { return }
    (offset, window) = (0, 1)
    var shorter: [Estimate] = []
    var (n, sumX, sumY, sumXX, sumXY) = (0.0, 0.0, 0.0, 0.0, 0.0)
    var (index, next) = (pulses.count, 0)
    while index > 0 {
      index -= 1
      let pulse = pulses[index]
      let (x, y) = (Double(pulse.number - last.number), Double(pulse.moment - last.moment))
      n += 1
      sumX += x
      sumY += y
      sumXX += x * x
      sumXY += x * y
      let isWindow = next < Self.windows.count && pulses.count - index == Self.windows[next]
      if isWindow { next += 1 }
      if !isWindow && index > 0 || n < 2 { continue }
      let slope = (n * sumXY - sumX * sumY) / (n * sumXX - sumX * sumX)
      let here = (sumY - slope * sumX) / n
      if slope <= 0 { continue }
      let estimate = Estimate(here, slope, n, jitter)
      for one in shorter where !estimate.agrees(with: one) { return }
      (offset, period, window) = (here, slope, Int(clamping: n))
      shorter.append(estimate)
    }
  }

  /// Measures the jitter by the median of second differences, which a change of tempo hardly moves.
  private mutating func measure() {
    sinceMeasured = 0
    var differences: [Double] = []
    var index = max(2, pulses.count - 48)
    while index < pulses.count {
      let (one, two, three) = (pulses[index - 2], pulses[index - 1], pulses[index])
      if three.number - one.number == 2 {
        differences.append(abs(Double(three.moment - 2 * two.moment + one.moment)))
      }
      index += 1
    }
    if differences.isEmpty { return }
    // With independent jitter, their deviation is that of the jitter times √6; half of a normal distribution is within 0.6745.
    jitter = max(Self.leastJitter, differences.sorted()[differences.count / 2] / (0.6745 * 2.449))
  }
}
