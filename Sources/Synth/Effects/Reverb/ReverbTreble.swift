import CRealtime

/// The shelf that gives a line of a reverb its loss of treble: a gain of the unfiltered sound in parallel to a
/// one-pole low-pass. It has the gain of the treble at 8 kHz.
///
/// The one-pole has its corner at 4 kHz. Where even the low-pass alone passes too much at 8 kHz, its corner is lower.
struct ReverbTreble {
  // Of the one-pole's response L at 8 kHz: |1 - L|², Re((1 - L)·L*) and |L|², and the coefficient for 4 kHz.
  private let (dry, cross, wet): (Float, Float, Float)
  private let corner: Float
  // 2 - 2·cos of 8 kHz.
  private let turn: Float

  /// `corner` is the coefficient per frame of a one-pole at 4 kHz.
  init(corner: Float, rate: Float) {
    self.corner = corner
    let cosine = rt_cos(2 * Float.pi * 8_000 / rate)
    turn = 2 - 2 * cosine
    let pole = 1 - corner
    // |1 - pole·e^-jw|²; 1 - L is pole·(1 - e^-jw) divided by it.
    let divisor = 1 - 2 * pole * cosine + pole * pole
    wet = corner * corner / divisor
    dry = pole * pole * turn / divisor
    cross = pole * corner * (1 - cosine) / divisor
  }

  /// The gain of the unfiltered sound and the one-pole's coefficient, from the gains of the middle and of the treble, which
  /// are above 0. The low-pass has the remaining gain of the middle.
  @_noLocks
  func shelf(middle: Float, treble: Float) -> (rest: Float, coefficient: Float) {
    // A frozen reverb must not lose or gain by rounding.
    if treble == middle { return (middle, corner) }
    // |rest·(1 - L) + middle·L| = treble, a quadratic equation for the rest.
    let half = middle * cross
    let root = half * half - dry * (middle * middle * wet - treble * treble)
    let rest = (rt_sqrt(max(0, root)) - half) / dry
    if rest > 0 { return (rest, corner) }
    // |L'| = treble / middle, a quadratic equation for the coefficient.
    let power = treble * treble / (middle * middle)
    let product = power * turn
    let others = 4 * (1 - power) * product
    return (0, (rt_sqrt(product * product + others) - product) / (2 - 2 * power))
  }
}
