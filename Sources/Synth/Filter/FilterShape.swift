/// Settings of a filter in eight voices, except the cutoff: computed from the knobs when one moves, not at every tick.
struct FilterShape {
  /// Damping of the second section: the level at which its band-pass is subtracted from its input. Below 0 it
  /// self-oscillates.
  var damping = Lanes.zero
  /// Amount of the saturation, 0…1.
  var saturation = Lanes.zero
  /// 0 for 24 dB an octave, 1 for 12.
  var short = Lanes.zero
  var modes = FilterModes()
  /// Gain of the second section's band-pass.
  var bandLevel = Lanes.zero
  /// Gain that keeps the loudness.
  var loudness = Lanes(repeating: 1)
  /// Positions of the second section's poles.
  var poles = FilterPoles()

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
    let rest = 1 - resonance
    // At resonance 0, the damping of a fourth-order Butterworth filter's second section, or of a second-order filter.
    let flat = multiplyAdd(short, Lanes(repeating: Self.flat12 - Self.flat24), Lanes(repeating: Self.flat24))
    let last = larger((resonance - Self.onset) * (1 / (1 - Self.onset)), none)
    damping = multiplyAdd(flat - Self.least, rest * rest, Self.least - Self.beyond * last * last)
    saturation = smaller(2 * last, one)
    self.short = short
    self.modes = modes
    // A band-pass of equal height would be softer the narrower it is; one of equal power is not.
    bandLevel = root(flat * larger(damping, Lanes(repeating: Self.narrowest)))
    loudness = balance(resonance)
    poles = FilterPoles(damping)
  }

  /// The gain that keeps the loudness over modes and resonance: within 3 LU for a saw with the filter at 1.5 to 8 times
  /// its pitch.
  @_noLocks @inline(__always)
  private func balance(_ resonance: Lanes) -> Lanes {
    let one = Lanes(repeating: 1)
    let (low, band, high, notch, peak) = (modes.low, modes.band, modes.high, modes.notch, modes.peak)
    // Resonance lifts one band by up to 28 dB. It does not change the loudness of a band-pass, and makes a notch
    // softer.
    let compensated = multiplySubtract(
      multiplyAdd(short, Lanes(repeating: 0.15), Lanes(repeating: 0.4)), resonance, from: one)
    let even = multiplyAdd(band, band, notch)
    let resonant = multiplyAdd(1 - compensated, even, compensated)
    let long =
      multiplyAdd(band, Lanes(repeating: 2.07), multiplyAdd(high, Lanes(repeating: 1.38), low)) + notch * 1.12
      + peak * 0.447
    let alone =
      multiplyAdd(band, Lanes(repeating: 1.46), multiplyAdd(high, Lanes(repeating: 1.26), low)) + notch
      + peak * 0.58
    // Low- and high-pass are a quarter of a period out of phase with the band-pass: an equal mix in each section is
    // softer.
    let between = multiplyAdd(band * (low + high), Lanes(repeating: 4 * 0.3), one)
    let cut = multiplyAdd(high * notch, Lanes(repeating: 4 * 0.3), one)
    return resonant * multiplyAdd(short, alone - long, long) * between * cut
      * multiplyAdd(1 - short, between - 1, one)
  }

  /// The parts that the filter needs besides two low-passes in series.
  var needs: FilterNeeds {
    @_noLocks get {
      let (isLong, isShort) = (sum(1 - short) != 0, sum(short) != 0)
      return FilterNeeds(
        isMixed: sum(1 - modes.low) != 0 || (isLong && isShort), isSaturated: sum(saturation) != 0,
        isLong: isLong,
        isShort: isShort)
    }
  }

  /// The damping of the second section at resonance 0: in a fourth-order Butterworth filter, and alone.
  static var flat24: Float { @_noLocks get { 0.765367 } }
  static var flat12: Float { @_noLocks get { 1.414214 } }
  /// The damping at the greatest resonance, without the last part of the knob; and how far that part lowers it.
  private static var least: Float { @_noLocks get { 0.03 } }
  private static var beyond: Float { @_noLocks get { 0.08 } }
  /// The resonance at which that last part begins, and the saturation with it.
  static var onset: Float { @_noLocks get { 0.9 } }
  private static var narrowest: Float { @_noLocks get { 0.1 } }
}

/// The parts of a group's filter besides two low-passes in series, one bit each; decided once a tick.
struct FilterNeeds {
  var bits: UInt16 = FilterNeeds.long

  /// The sections' outputs are mixed.
  static var mixed: UInt16 { @_noLocks get { 1 } }
  /// The resonance is saturated.
  static var saturated: UInt16 { @_noLocks get { 2 } }
  /// A lane has both sections.
  static var long: UInt16 { @_noLocks get { 4 } }
  /// A lane has the second section alone.
  static var short: UInt16 { @_noLocks get { 8 } }

  /// A high-pass runs before the filter.
  static var highpass: UInt16 { @_noLocks get { 16 } }
  /// A drive runs before the filter.
  static var drive: UInt16 { @_noLocks get { 32 } }
  /// The drive is oversampled.
  static var oversampled: UInt16 { @_noLocks get { 64 } }
  /// Characters that run: in parallel to the sections and to each other while the character changes, otherwise in
  /// place of the sections.
  static var ladder: UInt16 { @_noLocks get { 128 } }
  static var formant: UInt16 { @_noLocks get { 256 } }
  static var comb: UInt16 { @_noLocks get { 512 } }
  /// An oscillator modulates the cutoff.
  static var fm: UInt16 { @_noLocks get { 1024 } }

  private static var characters: UInt16 { @_noLocks get { ladder | formant | comb } }

  /// Two low-passes in series.
  @_noLocks init() {}

  @_noLocks init(_ bits: UInt16) { self.bits = bits }

  @_noLocks init(isMixed: Bool, isSaturated: Bool, isLong: Bool, isShort: Bool) {
    bits = 0
    if isMixed { bits |= Self.mixed }
    if isSaturated { bits |= Self.saturated }
    if isLong { bits |= Self.long }
    if isShort { bits |= Self.short }
  }

  /// True for two low-passes in series and nothing else.
  var isPlain: Bool { @_noLocks get { bits == Self.long } }

  /// The parts that are needed during a ramp from one to the other.
  @_noLocks
  func and(_ other: FilterNeeds) -> FilterNeeds {
    let both = bits | other.bits
    return FilterNeeds(both & Self.long != 0 && both & Self.short != 0 ? both | Self.mixed : both)
  }

  var isMixed: Bool { @_noLocks get { bits & Self.mixed != 0 } }
  var isSaturated: Bool { @_noLocks get { bits & Self.saturated != 0 } }
  var isLong: Bool { @_noLocks get { bits & Self.long != 0 } }
  var hasHighPass: Bool { @_noLocks get { bits & Self.highpass != 0 } }
  var hasDrive: Bool { @_noLocks get { bits & Self.drive != 0 } }
  var isOversampled: Bool { @_noLocks get { bits & Self.oversampled != 0 } }
  var hasFM: Bool { @_noLocks get { bits & Self.fm != 0 } }
  var hasLadder: Bool { @_noLocks get { bits & Self.ladder != 0 } }
  var hasFormant: Bool { @_noLocks get { bits & Self.formant != 0 } }
  var hasComb: Bool { @_noLocks get { bits & Self.comb != 0 } }
  /// True when a character other than the clean filter runs.
  var hasCharacter: Bool { @_noLocks get { bits & Self.characters != 0 } }
  /// True when several characters run.
  var isBlended: Bool {
    @_noLocks get {
      let others = bits & Self.characters
      return others & (others &- 1) != 0 || others != 0 && isClean
    }
  }
  /// True when the state-variable sections run.
  var isClean: Bool { @_noLocks get { bits & (Self.long | Self.short) != 0 } }
  /// True when the output passes a pole other than the fixed one.
  var isShaped: Bool { @_noLocks get { bits & (Self.mixed | Self.short) != 0 } }
}

/// Positions of a section's poles for which its magnitude is the analogue filter's up to high frequencies. The bilinear
/// transform alone makes the magnitude fall to 0 at half the sample rate, and narrows the response near it.
///
/// With x half the angle of the cutoff and z = x², tan x is multiplied by 1 + z·pull, and z·spread is added to the
/// damping. In T = tan²(ω/2), the analogue denominator times 1 + T is then a polynomial of the second degree except for
/// a small remainder, and the numerators of all modes are polynomials too. The numbers were fitted for cutoffs to
/// 10 kHz at 48 kHz, all dampings, up to 16 kHz: a response is within 0.63 dB, down to -40 dB.
struct FilterPoles {
  var pull = Lanes.zero
  var spread = Lanes.zero

  @_noLocks init() {}

  /// Positions for a damping.
  @_noLocks @inline(__always)
  init(_ damping: Lanes) {
    // A self-oscillating filter is in tune without a correction.
    let k = larger(damping, Lanes.zero)
    let square = k * k
    pull = square * multiplyAdd(square, Lanes(repeating: 0.04041099), Lanes(repeating: -0.25679673))
    spread =
      k * (4 - square) * multiplyAdd(square, Lanes(repeating: -0.02786259), Lanes(repeating: 0.26042734))
  }

  /// Factor on the tangent of the first section, whose damping stays the same.
  @_noLocks @inline(__always)
  static func first(_ z: Lanes) -> Lanes {
    let pull = multiplyAdd(z, Lanes(repeating: 0.05718273), Lanes(repeating: -0.54314802))
    return multiplyAdd(pull, z, Lanes(repeating: 1))
  }

  /// Factor on the tangent.
  @_noLocks @inline(__always)
  func factor(_ z: Lanes) -> Lanes { multiplyAdd(pull, z, Lanes(repeating: 1)) }

  /// The corrected damping.
  @_noLocks @inline(__always)
  func damping(_ damping: Lanes, _ z: Lanes) -> Lanes { multiplyAdd(spread, z, damping) }

  /// Share of a peak that is added to its high-pass, see `FilterLanes.mix`.
  static var peakHighShare: Float { @_noLocks get { 0.55618408 } }
  /// Share of a band-pass that is added to its high-pass: the root of `peakHighShare`.
  static var bandHighShare: Float { @_noLocks get { 0.74577750 } }
  /// -1 times the pole after a low-pass, for 24 and for 12 dB an octave.
  static var outputPole24: Float { @_noLocks get { 0.51272837 } }
  static var outputPole12: Float { @_noLocks get { 0.19012158 } }
}
