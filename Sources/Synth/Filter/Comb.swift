/// The comb filter of eight voices: a delay line with feedback. The output is c(x + g·z), with z the delayed sum
/// after a one-pole low-pass.
struct CombLanes {
  var ramps = Ramps()
  /// The cutoff of the last `aim`, octaves above 1 Hz.
  private var aimed = Lanes.zero

  /// The shortest delay in samples: the cubic needs a sample that is newer by one.
  private static var shortest: Float { @_noLocks get { 2 } }

  /// Coefficients that move in a straight line between control ticks.
  struct Ramps {
    /// Delay in samples.
    var delay = Ramp()
    /// Coefficient of the one-pole low-pass, 0…1: the share of its input that it passes at once; 1 is no damping.
    var damping = Ramp()
    var feedback = Ramp()
    var level = Ramp()

    @_noLocks @inline(__always)
    mutating func move() {
      delay.move()
      damping.move()
      feedback.move()
      level.move()
    }

    @_noLocks
    mutating func rest() {
      (delay.step, damping.step, feedback.step, level.step) = (.zero, .zero, .zero, .zero)
    }
  }

  /// Aims at a frequency, as a cutoff in octaves above 1 Hz and in Hz. Returns true when no coefficient has to move, if
  /// `mayRest` allows that.
  /// - Parameter longest: The longest delay of the ring.
  @_noLocks
  mutating func aim(
    at cutoff: Lanes, hertz: Lanes, _ shape: CombShape, longest: Float, rate: Float, perFrame: Float,
    mayRest: Bool
  ) -> Bool {
    if mayRest, !isAny(larger(magnitude(cutoff - aimed) - FilterLanes.tolerance, Lanes.zero)) {
      ramps.rest()
      return true
    }
    aimed = cutoff
    let hertz = smaller(larger(hertz, Lanes(repeating: 1)), Lanes(repeating: 0.45 * rate))
    let perPeriod = rate * inverse(hertz)
    // With negative feedback, the loop repeats after half a period.
    let loop = smaller(
      perPeriod * multiplySubtract(Lanes(repeating: 0.5), shape.short, from: Lanes(repeating: 1)),
      Lanes(repeating: longest))
    let damping = inverse(multiplyAdd(shape.dullness, Lanes(repeating: rate), Lanes(repeating: 1)))
    let phaseDelay = Self.phaseDelay(1 - damping, hertz * (2 / rate)) * perPeriod
    let delay = smaller(larger(loop - phaseDelay, Lanes(repeating: Self.shortest)), Lanes(repeating: longest))
    let kept = exp2(loop * (-1 / rate) * shape.halvings)
    ramps.delay.aim(at: delay, perFrame: perFrame)
    ramps.damping.aim(at: damping, perFrame: perFrame)
    ramps.feedback.aim(at: (1 - 2 * shape.short) * kept, perFrame: perFrame)
    let lost = root(larger(1 - magnitude(1 - 2 * shape.short) * kept, Lanes(repeating: 1e-6)))
    ramps.level.aim(at: lost * root(lost), perFrame: perFrame)
    return false
  }

  /// The phase delay in periods of a one-pole with its pole at `pole`, at a frequency in half periods per sample.
  @_noLocks @inline(__always)
  private static func phaseDelay(_ pole: Lanes, _ frequency: Lanes) -> Lanes {
    let sine = pole * sinePi(frequency)
    let cosine = multiplySubtract(pole, sinePi(0.5 - frequency), from: Lanes(repeating: 1))
    return arcTangent(sine, over: cosine) * (0.5 / Float.pi)
  }

  /// The arc tangent of a / b, for a ≥ 0 and b > 0: a polynomial, within 2e-6.
  @_noLocks @inline(__always)
  private static func arcTangent(_ a: Lanes, over b: Lanes) -> Lanes {
    let (less, more) = (smaller(a, b), larger(a, b))
    let t = less * inverse(more)
    let z = t * t
    var p = multiplyAdd(Lanes(repeating: -0.01172120), z, Lanes(repeating: 0.05265332))
    p = multiplyAdd(p, z, Lanes(repeating: -0.11643287))
    p = multiplyAdd(p, z, Lanes(repeating: 0.19354346))
    p = multiplyAdd(p, z, Lanes(repeating: -0.33262347))
    p = multiplyAdd(p, z, Lanes(repeating: 0.99997726)) * t
    return select(Float.pi / 2 - p, p, where: a .> b)
  }

  /// Begins at a frequency.
  @_noLocks
  mutating func begin(at cutoff: Lanes, hertz: Lanes, _ shape: CombShape, longest: Float, rate: Float) {
    _ = aim(at: cutoff, hertz: hertz, shape, longest: longest, rate: rate, perFrame: 1, mayRest: false)
    snap(mask(0xff), frames: 1)
  }

  /// Resets one lane.
  @_noLocks
  mutating func reset(_ lane: Int) {
    ramps.delay.jump(lane, to: Self.shortest)
    ramps.damping.jump(lane, to: 1)
    ramps.feedback.jump(lane, to: 0)
    ramps.level.jump(lane, to: 0)
  }

  /// Sets the coefficients of some lanes to the values that they would reach after `frames` samples.
  @_noLocks
  mutating func snap(_ lanes: SIMDMask<SIMD8<Int32>>, frames: Float) {
    ramps.delay.snap(lanes, frames: frames)
    ramps.damping.snap(lanes, frames: frames)
    ramps.feedback.snap(lanes, frames: frames)
    ramps.level.snap(lanes, frames: frames)
  }
}

/// Settings of a comb in eight voices, except its frequency: computed from the knobs when one moves.
struct CombShape {
  /// Time constant of the one-pole in the loop, in seconds.
  var dullness = Lanes.zero
  /// Decay of the sound in the loop: the number of times per second that its level halves.
  var halvings = Lanes(repeating: 1_000)
  /// 0 where the delayed sound is added, 1 where it is subtracted.
  var short = Lanes.zero

  @_noLocks init() {}

  /// - Parameters:
  ///   - resonance: 0…1: the sound in the loop falls by 60 dB in 20 ms to 10 s.
  ///   - modes: their shares; the higher the position of the mode's knob, 0…4, the more the treble is damped in the
  ///     loop.
  ///   - short: 0 where the delayed sound is added, which lifts all multiples of the frequency, 1 where it is
  ///     subtracted, which lifts the odd ones.
  @_noLocks
  init(resonance: Lanes, modes: FilterModes, short: Lanes) {
    let resonance = smaller(larger(resonance, Lanes.zero), Lanes(repeating: 1))
    let early = multiplyAdd(Lanes(repeating: 2), modes.high, modes.band)
    let position = 0.25 * (early + multiplyAdd(Lanes(repeating: 3), modes.notch, 4 * modes.peak))
    dullness = Self.dullest * (position * position)
    halvings = (Self.inSixty / Self.briefest) * exp2(-Self.doublings * resonance)
    self.short = short
  }

  /// The time constant at the end of the mode's knob: a low-pass at 800 Hz.
  private static var dullest: Float { @_noLocks get { 0.0002 } }
  /// Halvings in a fall of 60 dB.
  private static var inSixty: Float { @_noLocks get { 9.965784 } }
  /// The shortest decay by 60 dB in seconds, and how many times the knob doubles it.
  private static var briefest: Float { @_noLocks get { 0.02 } }
  private static var doublings: Float { @_noLocks get { 9 } }
}
