/// A value that moves in a straight line from control tick to control tick, and is read at every sample.
struct Ramp {
  /// Now.
  var value = Lanes.zero
  /// Added at every sample.
  var step = Lanes.zero

  /// True when it is not nothing all the way.
  var isAny: Bool {
    @_noLocks @inline(__always) get { Synth.isAny((bits(value) | bits(step)) &<< 1) }
  }

  /// One sample on its way.
  @_noLocks @inline(__always)
  mutating func move() { value += step }

  /// The same for some samples, one after the other: so it is the same bits in whatever parts it goes.
  @_noLocks @inline(__always)
  mutating func move(frames: Int) {
    if !Synth.isAny(step) { return }
    var i = 0
    while i < frames {
      value += step
      i &+= 1
    }
  }

  /// Aims at `goal`, which is to be reached after as many frames as `perFrame` is the inverse of.
  @_noLocks @inline(__always)
  mutating func aim(at goal: Lanes, perFrame: Float) { step = (goal - value) * perFrame }

  /// Stays at `goal`.
  @_noLocks @inline(__always)
  mutating func rest(at goal: Lanes) { (value, step) = (goal, .zero) }

  /// Puts some lanes where they go in so many frames, without a way to it.
  @_noLocks @inline(__always)
  mutating func arrive(_ lanes: SIMDMask<SIMD8<Int32>>, frames: Float) {
    value = select(value + step * frames, value, where: lanes)
    step = select(Lanes.zero, step, where: lanes)
  }

  /// Goes on by some frames.
  @_noLocks @inline(__always)
  mutating func pass(frames: Int) { value += step * Float(frames) }

  /// Sets one lane to a value, without a way to it.
  @_noLocks @inline(__always)
  mutating func jump(_ lane: Int, to x: Float) { (value[lane], step[lane]) = (x, 0) }
}

/// A value that follows its target smoothly, and is read at control rate only.
struct Smoothed {
  /// Now.
  var value = Lanes.zero
  /// Where it goes.
  var target = Lanes.zero

  /// Time constant in seconds: short enough to feel at once, long enough that a fader's steps do not zip.
  static var seconds: Float { @_noLocks get { 0.006 } }
  /// After so many time constants it has arrived.
  static var settling: Float { @_noLocks get { 16 } }

  /// Goes `share` of the way.
  @_noLocks @inline(__always)
  mutating func advance(_ share: Float) { value += (target - value) * share }

  /// Puts one lane where it aims.
  @_noLocks @inline(__always)
  mutating func arrive(_ lane: Int) { value[lane] = target[lane] }
}
