/// Settings of a ladder in eight voices, except the cutoff: computed from the knobs when one moves, not at every tick.
struct LadderShape {
  /// Feedback around the four stages. The ladder oscillates by itself above 4.
  var feedback = Lanes.zero
  /// Gain before the ladder. In the pass-band the loop leaves 1 / (1 + feedback) of the level, and half of this loss
  /// in decibels is made up here.
  var input = Lanes(repeating: 1)
  /// Amplitude of the oscillation at the last stage. The cubic e - 4e³/27 passes 1 - a²/9 of a sine of amplitude a, and
  /// the loop is steady where that is 4 / feedback.
  var ringing = Lanes.zero
  /// Levels in the output, of the first stage's input and of the outputs of the stages.
  var levels = Levels()
  /// Gain that keeps the loudness.
  var loudness = Lanes(repeating: 1)

  struct Levels {
    var input = Lanes.zero
    var one = Lanes.zero
    var two = Lanes.zero
    var three = Lanes.zero
    var four = Lanes(repeating: 1)

    /// The plain low-pass.
    @_noLocks init() {}
  }

  /// The plain low-pass, without resonance.
  @_noLocks init() {}

  /// - Parameters:
  ///   - resonance: 0…1.
  ///   - modes: the share of each mode.
  ///   - short: 0 for 24 dB an octave, 1 for 12.
  @_noLocks
  init(resonance: Lanes, modes: FilterModes, short: Lanes) {
    let (none, one) = (Lanes.zero, Lanes(repeating: 1))
    let resonance = smaller(larger(resonance, none), one)
    // The knob sets the damping of the resonant pair of poles, as in `FilterShape`. Without feedback all poles are real,
    // with a damping of 2.
    let rest = 1 - resonance
    let last = larger((resonance - FilterShape.onset) * (1 / (1 - FilterShape.onset)), none)
    let least = Self.least - Self.beyond * last * last
    let half = 0.5 * multiplyAdd(Lanes(repeating: 2 - Self.least), rest * rest, least)
    // The poles lie at -1 + (±1 ± i) · (feedback / 4)^¼, in units of the cutoff.
    let across = root(larger(1 - half * half, Lanes(repeating: 1e-12)))
    let position = across * inverse(across + half)
    feedback = 4 * (position * position) * (position * position)
    input = root(1 + feedback)
    let steady = 1 - 4 * inverse(larger(feedback, one))
    ringing = 3 * (root(larger(steady, Lanes(repeating: 1e-10))) - 1e-5)
    levels = Levels(modes, short)
    loudness = balance(modes, short)
  }

  /// Whether the output contains stages other than the last one.
  @_noLocks
  static func isMixed(_ modes: FilterModes, short: Lanes) -> Bool {
    sum(1 - modes.low) != 0 || sum(short) != 0
  }

  /// The gain that keeps the loudness over modes and resonance, fitted for a saw with the filter at 1.5 to 8 times its
  /// pitch. The pass-band of the low-pass and of the notch gets softer with the resonance. The others would get louder,
  /// and a self-oscillation adds to all.
  @_noLocks @inline(__always)
  private func balance(_ modes: FilterModes, _ short: Lanes) -> Lanes {
    let one = Lanes(repeating: 1)
    let less = inverse(input)
    let peaked = less * less
    let (longLow, longBand, longHigh) = (
      modes.low * 1.15, modes.band * peaked * 1.75, modes.high * less * 2.2
    )
    let (longNotch, longPeak) = (modes.notch * 1.26, modes.peak * peaked * 1.2)
    let longLevel = (longLow + longBand + longHigh) + (longNotch + longPeak)
    let aloneLow = modes.low * multiplyAdd(less, Lanes(repeating: 0.7), Lanes(repeating: 0.35))
    let (aloneBand, aloneHigh) = (modes.band * peaked * 1.5, modes.high * (less + peaked) * 0.95)
    let aloneLevel = (aloneLow + aloneBand) + (aloneHigh + modes.notch + longPeak)
    // Low- and high-pass are a quarter of a period out of phase with the band-pass: an equal mix is softer.
    let between = multiplyAdd(modes.band * (modes.low + modes.high), less * (4 * 0.45), one)
    return multiplyAdd(short, aloneLevel - longLevel, longLevel) * between
      * multiplyAdd(1 - short, between - 1, one) * multiplySubtract(Lanes(repeating: 0.4), ringing, from: one)
  }

  /// The damping at the greatest resonance, without the last part of the knob; and how far that part lowers it: to a
  /// feedback of 4.2.
  private static var least: Float { @_noLocks get { 0.02 } }
  private static var beyond: Float { @_noLocks get { 0.0442 } }
}

extension LadderShape.Levels {
  /// Sums of the stages for the shares of the modes (Oberheim Xpander, 1984). With p = 1 / (1 + s), the transfer of one
  /// stage, a section of 12 dB is a sum of 1, p and p²; a filter of 24 dB is its square.
  @_noLocks @inline(__always)
  init(_ modes: FilterModes, _ short: Lanes) {
    let a = modes.high + modes.notch - modes.peak
    let b = 2 * (modes.band + modes.peak - modes.high - modes.notch)
    let c = modes.low + modes.high + 2 * (modes.notch - modes.band)
    let long = 1 - short
    input = a * multiplyAdd(long, a, short)
    one = b * multiplyAdd(long, 2 * a, short)
    two = multiplyAdd(long, multiplyAdd(b, b, 2 * a * c), short * c)
    three = 2 * long * b * c
    four = long * c * c
  }
}
