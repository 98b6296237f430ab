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
