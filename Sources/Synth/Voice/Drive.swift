/// A soft clipper in each of eight voices: a cubic with its aliasing reduced by first-order antiderivatives (Parker,
/// Zavalishin, Le Bivic, "Reducing the aliasing of nonlinear waveshaping using continuous-time convolution", DAFx-16).
///
/// The curve is u - 4u³/27, flat at ±1.5, where it is ±1. What comes out is the mean of the curve on the straight way
/// from one sample to the next: the difference of its antiderivative over the difference of the samples.
struct DriveLanes {
  /// The last sample that came in, at its level.
  var last = Lanes.zero
  /// The level in front of the curve, what of the curve comes out, and what of the input goes by.
  var level = Ramp()
  var bent = Ramp()
  var clean = Ramp()
  private var goals = (level: Lanes(repeating: 1), bent: Lanes.zero, clean: Lanes(repeating: 1))

  /// Decibels that it may be moved to at most.
  static var most: Float { @_noLocks get { 48 } }
  /// Decibels up to which the curve fades in.
  private static var fade: Float { @_noLocks get { 3 } }
  /// The part of a driven sound's power that clipping leaves as it is: with this a saw of level 0.5 keeps its power
  /// within 0.4 dB up to 30 dB.
  private static var kept: Float { @_noLocks get { 0.087 } }

  /// Where the levels go for a drive in decibels.
  @_noLocks
  mutating func shape(decibels: Lanes) {
    let decibels = larger(decibels, Lanes.zero)
    let shareInverse = exp2(decibels * -0.166096405)
    let share = smaller(decibels * (1 / Self.fade), Lanes(repeating: 1))
    goals.level = exp2(decibels * 0.166096405)
    goals.bent = share * root((1 - Self.kept) * shareInverse * shareInverse + Self.kept)
    goals.clean = 1 - share
  }

  @_noLocks
  mutating func aim(perFrame: Float) {
    level.aim(at: goals.level, perFrame: perFrame)
    bent.aim(at: goals.bent, perFrame: perFrame)
    clean.aim(at: goals.clean, perFrame: perFrame)
  }

  /// Some samples in place.
  @_noLocks
  mutating func process(_ x: UnsafeMutablePointer<Lanes>, frames: Int) {
    var (level, bent, clean, u) = (level, bent, clean, last)
    // Numbers that the compiler does not know to be constant: then the larger of two is one instruction.
    let bound = larger(magnitude(u - u), Lanes(repeating: 1.5))
    var a = smaller(larger(u, -bound), bound)
    var i = 0
    while i < frames {
      let next = level.value * x[i]
      let b = smaller(larger(next, -bound), bound)
      let mean =
        (a + b) * multiplySubtract(Lanes(repeating: 1 / 27), a * a + b * b, from: Lanes(repeating: 0.5))
      // What lies beyond the bends has a slope of 1 in the antiderivative.
      let way = next - u
      let over = magnitude(next - b) - magnitude(u - a)
      let curve = select(
        multiplyAdd(mean, b - a, over) * inverse(way), mean, where: magnitude(way) .> Lanes(repeating: 1e-3))
      x[i] = multiplyAdd(bent.value, curve, clean.value * x[i])
      (u, a) = (next, b)
      level.move()
      bent.move()
      clean.move()
      i &+= 1
    }
    (self.level, self.bent, self.clean, last) = (level, bent, clean, u)
  }

  /// Puts some lanes where they aim.
  @_noLocks
  mutating func arrive(_ lanes: SIMDMask<SIMD8<Int32>>, frames: Float) {
    level.arrive(lanes, frames: frames)
    bent.arrive(lanes, frames: frames)
    clean.arrive(lanes, frames: frames)
  }

  /// Empties one lane.
  @_noLocks
  mutating func reset(_ lane: Int) {
    last[lane] = 0
    level.jump(lane, to: 1)
    bent.jump(lane, to: 0)
    clean.jump(lane, to: 1)
  }

  /// Goes as another one does, with its own sound.
  @_noLocks
  mutating func follow(_ other: DriveLanes) { (level, bent, clean) = (other.level, other.bent, other.clean) }

  /// Begins where nothing is changed.
  @_noLocks
  mutating func begin() {
    last = .zero
    level.rest(at: Lanes(repeating: 1))
    bent.rest(at: .zero)
    clean.rest(at: Lanes(repeating: 1))
  }
}
