/// A value that moves in a straight line from tick to tick and is read at every sample.
struct Ramp {
  /// The current value.
  var value = Lanes.zero
  /// Added to the value at every sample.
  var step = Lanes.zero

  /// True when any lane is other than 0 at any time of the ramp.
  var isAny: Bool {
    @_noLocks @inline(__always) get { Synth.isAny((bits(value) | bits(step)) &<< 1) }
  }

  /// Advances by one sample.
  @_noLocks @inline(__always)
  mutating func move() { value += step }

  /// Advances by `frames` samples, one at a time, so that the result has the same bits however the samples are
  /// divided into calls.
  @_noLocks @inline(__always)
  mutating func move(frames: Int) {
    if !Synth.isAny(step) { return }
    var i = 0
    while i < frames {
      value += step
      i &+= 1
    }
  }

  /// Aims at `goal`, reached after 1 / `perFrame` samples.
  @_noLocks @inline(__always)
  mutating func aim(at goal: Lanes, perFrame: Float) { step = (goal - value) * perFrame }

  /// Rests at `goal`.
  @_noLocks @inline(__always)
  mutating func rest(at goal: Lanes) { (value, step) = (goal, .zero) }

  /// Sets some lanes to the values that they would reach after `frames` samples; they then stand still.
  @_noLocks @inline(__always)
  mutating func snap(_ lanes: SIMDMask<SIMD8<Int32>>, frames: Float) {
    value = select(value + step * frames, value, where: lanes)
    step = select(Lanes.zero, step, where: lanes)
  }

  /// Advances by `frames` samples in one step.
  @_noLocks @inline(__always)
  mutating func pass(frames: Int) { value += step * Float(frames) }

  /// Sets one lane to a value at once.
  @_noLocks @inline(__always)
  mutating func jump(_ lane: Int, to x: Float) { (value[lane], step[lane]) = (x, 0) }
}

/// A value that follows its target smoothly, and is read at control rate only.
struct Smoothed {
  /// The current value.
  var value = Lanes.zero
  /// The value that is approached.
  var target = Lanes.zero

  /// Time constant in seconds: short enough to feel immediate, long enough that the steps of a fader make no zipper
  /// noise.
  static var seconds: Float { @_noLocks get { 0.006 } }
  /// Number of time constants after which the target counts as reached.
  static var settling: Float { @_noLocks get { 16 } }

  /// Moves `share` of the distance to the target.
  @_noLocks @inline(__always)
  mutating func advance(_ share: Float) { value += (target - value) * share }

  /// Sets one lane to its target at once.
  @_noLocks @inline(__always)
  mutating func snap(_ lane: Int) { value[lane] = target[lane] }
}

/// A value of four voices that moves in a straight line.
struct QuadRamp {
  var value: Quad
  var step: Quad

  @_noLocks @inline(__always)
  init(value: Quad, step: Quad) { (self.value, self.step) = (value, step) }

  @_noLocks @inline(__always)
  mutating func move() { value += step }

  @_noLocks @inline(__always)
  func scaled(_ factor: Float) -> QuadRamp { QuadRamp(value: value * factor, step: step * factor) }
}

extension Ramp {
  var low: QuadRamp { @_noLocks @inline(__always) get { QuadRamp(value: value.lowHalf, step: step.lowHalf) } }
  var high: QuadRamp {
    @_noLocks @inline(__always) get { QuadRamp(value: value.highHalf, step: step.highHalf) }
  }
}

/// Up to eight numbers, each shared by all lanes and ramped in a straight line from tick to tick.
struct NumberRamp {
  var value = SIMD8<Float>.zero
  var step = SIMD8<Float>.zero

  @_noLocks
  mutating func aim(at goal: SIMD8<Float>, perFrame: Float) { step = (goal - value) * perFrame }

  @_noLocks
  mutating func rest(at goal: SIMD8<Float>) { (value, step) = (goal, .zero) }

  @_noLocks
  mutating func pass(frames: Int) { value += step * Float(frames) }

  /// The numbers that are other than 0 at any time of the ramp, one bit each.
  var audible: UInt8 {
    @_noLocks get { lanes(where: (bits(value) | bits(step)) &<< 1 .!= LaneWords.zero) }
  }

  /// The numbers that are 1 throughout the ramp, one bit each.
  var whole: UInt8 {
    @_noLocks get {
      lanes(where: (value .== SIMD8<Float>(repeating: 1)) .& (step .== SIMD8<Float>.zero))
    }
  }
}
