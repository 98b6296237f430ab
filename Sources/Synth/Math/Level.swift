/// The master level, a gain that follows its target smoothly.
struct Level {
  private var value: Float = -1
  private var step: Float = 0

  /// Aims at the gain `gain` over the next `frames` frames.
  @_noLocks
  mutating func aim(_ gain: Float, frames: Int, rate: Float) {
    // The first target is reached at once.
    if value < 0 { value = gain }
    let share = min(1, Float(frames) / (0.01 * rate))
    let difference = gain - value
    step = difference.magnitude < 1e-6 ? difference / Float(frames) : difference * share / Float(frames)
  }

  /// Starts afresh: the next target is reached at once.
  @_noLocks
  mutating func reset() { (value, step) = (-1, 0) }

  /// Multiplies a block of both sides by the gain, in place.
  @_noLocks
  mutating func process(
    _ left: UnsafeMutablePointer<Float>, _ right: UnsafeMutablePointer<Float>, frames: Int
  ) {
    var i = 0
    if step == 0 {
      let gain = value
      while i &+ Limits.lanesPerGroup <= frames {
        (left + i).eight *= gain
        (right + i).eight *= gain
        i &+= Limits.lanesPerGroup
      }
      while i < frames {
        left[i] *= gain
        right[i] *= gain
        i &+= 1
      }
      return
    }
    while i < frames {
      left[i] *= value
      right[i] *= value
      value += step
      i &+= 1
    }
  }
}
