/// A soft clipper in each of eight voices: a cubic with its aliasing reduced by first-order antiderivatives (Parker,
/// Zavalishin, Le Bivic, "Reducing the aliasing of nonlinear waveshaping using continuous-time convolution", DAFx-16).
struct DriveLanes {
  /// The last input sample, times the level.
  var last = Lanes.zero
  /// Gains: before the curve, of the curve's output, and of the dry input.
  private var level = Ramp()
  private var saturated = Ramp()
  private var clean = Ramp()
  private var goals = (
    level: Lanes(repeating: DriveSaturation.unit), saturated: Lanes.zero, clean: Lanes(repeating: 1)
  )

  /// The greatest drive that routes may set, in decibels.
  static var most: Float { @_noLocks get { 48 } }
  /// Decibels over which the curve fades in.
  private static var fade: Float { @_noLocks get { 3 } }
  /// The share of a driven sound's power that clipping keeps: with this value a saw of level 0.5 keeps its power
  /// within 0.4 dB up to 30 dB.
  private static var kept: Float { @_noLocks get { 0.087 } }

  /// Sets the goals of the levels for a drive in decibels.
  @_noLocks
  mutating func shape(decibels: Lanes) {
    let decibels = larger(decibels, Lanes.zero)
    let shareInverse = exp2(decibels * -0.166096405)
    let share = smaller(decibels * (1 / Self.fade), Lanes(repeating: 1))
    goals.level = DriveSaturation.unit * exp2(decibels * 0.166096405)
    goals.saturated = share * root((1 - Self.kept) * shareInverse * shareInverse + Self.kept)
    goals.clean = 1 - share
  }

  @_noLocks
  mutating func aim(perFrame: Float) {
    let distance = (
      level: goals.level - level.value, saturated: goals.saturated - saturated.value,
      clean: goals.clean - clean.value
    )
    if !isAny((bits(distance.level) | bits(distance.saturated) | bits(distance.clean)) &<< 1) {
      (level.step, saturated.step, clean.step) = (.zero, .zero, .zero)
      return
    }
    let small = Lanes(repeating: 1e-6)
    let isLevelFar = magnitude(distance.level) .> small * goals.level
    let isMixFar = magnitude(distance.saturated) .> small .| magnitude(distance.clean) .> small
    if !isAny(isLevelFar .| isMixFar) {
      // The distance that rounding has left is too small for a ramp.
      level.rest(at: goals.level)
      saturated.rest(at: goals.saturated)
      return clean.rest(at: goals.clean)
    }
    level.aim(at: goals.level, perFrame: perFrame)
    saturated.aim(at: goals.saturated, perFrame: perFrame)
    clean.aim(at: goals.clean, perFrame: perFrame)
  }

  /// The value of `last` after an input sample.
  @_noLocks
  func last(after x: Lanes) -> Lanes { level.value * x }

  /// Processes some samples in place.
  @_noLocks
  mutating func process(_ x: UnsafeMutablePointer<Lanes>, frames: Int) {
    process(x, frames: frames, share: 1)
  }

  /// Processes some samples in place. An oversampled sample lasts a `share` of a frame, so the levels move by this share
  /// of their step.
  @_noLocks
  mutating func process(_ x: UnsafeMutablePointer<Lanes>, frames: Int, share: Float) {
    let halves = UnsafeMutableRawPointer(x).assumingMemoryBound(to: Quad.self)
    if isAny((bits(level.step) | bits(saturated.step) | bits(clean.value) | bits(clean.step)) &<< 1) {
      let low = DriveLevels(
        level: level.value.lowHalf, saturated: saturated.value.lowHalf, clean: clean.value.lowHalf)
      let lowSteps = DriveLevels(
        level: level.step.lowHalf * share, saturated: saturated.step.lowHalf * share,
        clean: clean.step.lowHalf * share)
      let high = DriveLevels(
        level: level.value.highHalf, saturated: saturated.value.highHalf, clean: clean.value.highHalf)
      let highSteps = DriveLevels(
        level: level.step.highHalf * share, saturated: saturated.step.highHalf * share,
        clean: clean.step.highHalf * share)
      last.lowHalf = low.saturate(halves, after: last.lowHalf, steps: lowSteps, frames: frames)
      last.highHalf = high.saturate(halves + 1, after: last.highHalf, steps: highSteps, frames: frames)
      // One sample at a time, so that the result has the same bits however the samples are divided into calls.
      let (levelStep, saturatedStep, cleanStep) = (
        level.step * share, saturated.step * share, clean.step * share
      )
      var i = 0
      while i < frames {
        level.value += levelStep
        saturated.value += saturatedStep
        clean.value += cleanStep
        i &+= 1
      }
    } else {
      last.lowHalf = DriveSaturation.saturate(
        halves, after: last.lowHalf, level: level.value.lowHalf, saturated: saturated.value.lowHalf,
        frames: frames)
      last.highHalf = DriveSaturation.saturate(
        halves + 1, after: last.highHalf, level: level.value.highHalf, saturated: saturated.value.highHalf,
        frames: frames)
    }
  }

  /// Sets some lanes to the levels that they would reach after `frames` samples.
  @_noLocks
  mutating func snap(_ lanes: SIMDMask<SIMD8<Int32>>, frames: Float) {
    level.snap(lanes, frames: frames)
    saturated.snap(lanes, frames: frames)
    clean.snap(lanes, frames: frames)
  }

  /// Silences one lane, and sets its levels so that they change nothing.
  @_noLocks
  mutating func reset(_ lane: Int) {
    last[lane] = 0
    level.jump(lane, to: DriveSaturation.unit)
    saturated.jump(lane, to: 0)
    clean.jump(lane, to: 1)
  }

  /// Copies the levels of another drive, but not its last sample.
  @_noLocks
  mutating func follow(_ other: DriveLanes) {
    (level, saturated, clean) = (other.level, other.saturated, other.clean)
  }

  /// Starts with levels that change nothing.
  @_noLocks
  mutating func begin() {
    last = .zero
    level.rest(at: Lanes(repeating: DriveSaturation.unit))
    saturated.rest(at: .zero)
    clean.rest(at: Lanes(repeating: 1))
  }
}

/// The curve of a drive in four of its voices: half of the lanes at a time, so that everything stays in registers.
///
/// The curve is 3v - 4v³, flat at ±1/2, where it is ±1. The output is the mean of the curve over the straight line from
/// one sample to the next: (a + b)(3/2 - a² - b²) for a and b within the bounds. A part of the line beyond the bounds
/// adds its length to the antiderivative.
struct DriveSaturation {
  /// The last sample clamped to the bounds, its square minus 3/4, and the excess beyond the bounds, with its sign and
  /// without.
  private var inside: Quad
  private var square: Quad
  private var beyond: Quad
  private var excess: Quad
  // A value that the compiler does not know to be constant: a constant would be read again at every sample.
  private let bound: Quad

  /// Factor on the input for a slope of 1.
  static var unit: Float { @_noLocks get { 1 / 3 } }

  /// The state after a sample.
  @_noLocks @inline(__always)
  init(after v: Quad) {
    bound = Quad(repeating: 0.5)
    inside = smaller(larger(v, -bound), bound)
    square = inside * inside - Quad(repeating: 0.75)
    beyond = v - inside
    excess = magnitude(beyond)
  }

  /// The last sample.
  var last: Quad { @_noLocks @inline(__always) get { inside + beyond } }

  /// The mean of the curve from the last sample to `v`, with its sign reversed.
  @_noLocks @inline(__always)
  mutating func saturate(_ v: Quad) -> Quad {
    let b = smaller(larger(v, -bound), bound)
    let over: Quad = v - b
    let next: Quad = b * b - Quad(repeating: 0.75)
    let size = magnitude(over)
    let back: Quad = beyond - over
    let distance: Quad = b - inside - back
    let mean: Quad = (inside + b) * (next + square)
    // Correction of the mean for the parts beyond the bounds; 0 if the sample does not change.
    let off = multiplyAdd(mean, back, excess - size) * distance
    (inside, square, beyond, excess) = (b, next, over, size)
    return mean + quotient(off, multiplyAdd(distance, distance, Quad(repeating: 1e-30)))
  }

  /// Processes every second one of some vectors in place, at constant levels and without the dry input. Returns the
  /// last sample.
  @_noLocks @inline(never)
  static func saturate(
    _ x: UnsafeMutablePointer<Quad>, after v: Quad, level: Quad, saturated: Quad, frames: Int
  ) -> Quad {
    var curve = DriveSaturation(after: v)
    let turned = -saturated
    var i = 0
    // Two at a time, so that the state need not be copied from one sample to the next.
    while i < 2 &* (frames & ~1) {
      x[i] = turned * curve.saturate(level * x[i])
      x[i &+ 2] = turned * curve.saturate(level * x[i &+ 2])
      i &+= 4
    }
    if frames & 1 != 0 { x[i] = turned * curve.saturate(level * x[i]) }
    return curve.last
  }
}

/// The levels of a drive in four voices.
struct DriveLevels {
  /// Gains: before the curve, of the curve's output, and of the dry input.
  var level: Quad
  var saturated: Quad
  var clean: Quad

  @_noLocks @inline(__always)
  init(level: Quad, saturated: Quad, clean: Quad) {
    (self.level, self.saturated, self.clean) = (level, saturated, clean)
  }

  /// Processes every second one of some vectors in place; `steps` are added to the levels at every sample. Returns the
  /// last sample.
  @_noLocks @inline(never)
  func saturate(_ x: UnsafeMutablePointer<Quad>, after v: Quad, steps: DriveLevels, frames: Int) -> Quad {
    var (curve, now) = (DriveSaturation(after: v), self)
    var i = 0
    while i < 2 &* frames {
      let dry = now.clean * x[i]
      x[i] = dry - now.saturated * curve.saturate(now.level * x[i])
      now.level += steps.level
      now.saturated += steps.saturated
      now.clean += steps.clean
      i &+= 2
    }
    return curve.last
  }
}
