/// The tempo of a MIDI clock, 24 ticks a quarter note, without the jitter that a cable and a scheduler add.
///
/// It is the median of the slopes between ticks half a window apart (H. Theil, P. K. Sen, 1968): one tick that is late
/// or lost does not matter. The window grows to four quarter notes while the clock stands, and begins anew when the last half
/// of a quarter note says another tempo.
public struct ClockFollower {
  // When the last ticks came, nanoseconds.
  private var ticks: [Int64] = []
  // Ticks since one was put in for a lost one, and since the tempo was said.
  private var sinceLost = 0
  private var sinceSaid = 0
  private var said: Float = 0

  private static let perQuarter = 24
  private static let most = 4 * perQuarter + 1
  /// Half a quarter note, before which nothing is said.
  private static let fewest = perQuarter / 2 + 1
  /// A clock that stands still so long has gone, nanoseconds: as long as a tick at 5 quarter notes a minute.
  public static let pause: Int64 = 500_000_000
  /// How far the last ticks are from all when it is another tempo: jitter of 3 ms is half of that.
  private static let change = 0.05
  /// Quarter notes a minute that are shown, and by how much more it has to be off to be shown anew, also as a share: nobody's
  /// clock stands at hundredths.
  private static let step: Float = 0.1
  private static let slack: (Float, share: Float) = (0.08, 0.0015)

  /// No clock yet.
  public init() {}

  /// Takes a tick at a time in nanoseconds, which does not fall. The tempo in quarter notes a minute where there is news: with
  /// the first half of a quarter note, when it changes, and once more with every quarter note.
  public mutating func tick(at moment: Int64) -> Float? {
    if let last = ticks.last, moment - last > Self.pause { ticks = [] }
    if ticks.isEmpty { (said, sinceSaid, sinceLost) = (0, 0, 0) }
    replaceLost(before: moment)
    ticks = ticks.suffix(Self.most - 1) + [moment]
    sinceSaid += 1
    if ticks.count < Self.fewest || said > 0 && sinceSaid < Self.perQuarter / 4 { return nil }
    let quick = slope(ticks.suffix(Self.fewest))
    if abs(quick / slope(ticks[...]) - 1) > Self.change { ticks = ticks.suffix(Self.fewest) }
    let nanoseconds = slope(ticks[...])
    guard nanoseconds > 0 else { return nil }
    let tempo = Float(60e9 / (Double(Self.perQuarter) * nanoseconds))
    let isNews = abs(tempo - said) > max(Self.slack.0, Self.slack.share * said)
    if isNews { said = (tempo / Self.step).rounded() * Self.step }
    if !isNews, sinceSaid < Self.perQuarter { return nil }
    sinceSaid = 0
    return said
  }

  /// Puts a tick in where one has been lost. Once in half a quarter note, or half the tempo would never be seen.
  private mutating func replaceLost(before moment: Int64) {
    sinceLost += 1
    guard let last = ticks.last, ticks.count >= Self.fewest, sinceLost >= Self.fewest else { return }
    let ticksBetween = Double(moment - last) / slope(ticks.suffix(Self.fewest))
    if ticksBetween < 1.75 || ticksBetween > 2.25 { return }
    ticks.append((last + moment) / 2)
    sinceLost = 0
  }

  /// Nanoseconds of a tick.
  private func slope(_ ticks: ArraySlice<Int64>) -> Double {
    let half = ticks.count / 2
    let intervals = zip(ticks.dropFirst(half), ticks).map { $0 - $1 }.sorted()
    let middle = intervals[(intervals.count - 1) / 2] + intervals[intervals.count / 2]
    return Double(middle) / Double(2 * half)
  }
}
