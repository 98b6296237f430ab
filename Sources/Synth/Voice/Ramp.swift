/// A value that follows its target smoothly: a one-pole at control rate, a straight line in between.
struct Ramp {
  /// Now.
  var value = Lanes.zero
  /// Added at every sample.
  var step = Lanes.zero
  /// Where it goes.
  var target = Lanes.zero

  /// Time constant in seconds: short enough to feel at once, long enough that a fader's steps do not zip.
  static var seconds: Float { @_noLocks get { 0.006 } }

  /// Aims at the target: `share` of the way to go, spread over as many frames as `perFrame` is the inverse of.
  @_noLocks @inline(__always)
  mutating func aim(share: Float, perFrame: Float) { aim(at: target, share: share, perFrame: perFrame) }

  /// Aims at what becomes of the target for the time being.
  @_noLocks @inline(__always)
  mutating func aim(at goal: Lanes, share: Float, perFrame: Float) {
    let difference = goal - value
    // What is left of a level that went to nothing is inaudible (-100 dB), and would keep its pass alive.
    let far = magnitude(difference) .> Lanes(repeating: 1e-5)
    step = difference.replacing(with: difference * share, where: far) * perFrame
  }

  /// Sets one lane to a value, without a way to it.
  @_noLocks @inline(__always)
  mutating func jump(_ lane: Int, to x: Float) {
    value[lane] = x
    step[lane] = 0
    target[lane] = x
  }

  /// Moves on a whole step and gives the value: for what is read at control rate only.
  @_noLocks @inline(__always)
  mutating func settled(_ share: Float) -> Lanes {
    value += (target - value) * share
    return value
  }

  /// Puts one lane where it aims.
  @_noLocks
  mutating func arrive(_ lane: Int) { jump(lane, to: target[lane]) }

  /// Puts one lane where it has just been aimed: as many steps on as lead there.
  @_noLocks
  mutating func finish(_ lane: Int, steps: Float) {
    value[lane] += step[lane] * steps
    step[lane] = 0
  }
}
