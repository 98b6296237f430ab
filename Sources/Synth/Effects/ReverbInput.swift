/// What a room lets in: the inputs without what does not swing, which would stay in it for ever, and as loud as a freeze
/// allows. From one tick to the next, a line goes to the mean of what came before: a high-pass of 20 Hz.
struct ReverbInput {
  // What of the inputs does not swing: now, what is added in every frame, and the sums of the tick under way.
  private var direct = SIMD2<Float>.zero
  private var step = SIMD2<Float>.zero
  private var sums = SIMD2<Float>.zero

  /// As new.
  @_noLocks init() {}

  /// Works in place on `frames` of a tick; there has to be room for a whole one.
  @_noLocks @inline(__always)
  mutating func process(
    _ left: UnsafeMutablePointer<Float>, _ right: UnsafeMutablePointer<Float>, _ sides: NumberRamp,
    passed: Int, meanShare: Float, frames: Int
  ) {
    if passed == 0 {
      let perTick = 1 / Float(Limits.controlFrames)
      direct += step * Float(Limits.controlFrames)
      step = (sums * perTick - direct) * (meanShare * perTick)
      sums = .zero
    }
    var (l, r) = (sums.x, sums.y)
    var i = 0
    while i < frames {
      l += left[i]
      r += right[i]
      i &+= 1
    }
    sums = SIMD2(l, r)
    let (gain, gainStep) = (sides.value[0], sides.step[0])
    var way: Quad = Quad(0, 1, 2, 3) + Float(passed)
    i = 0
    while i < Limits.controlFrames {
      let share: Quad = way * gainStep + gain
      let (x, y): (Quad, Quad) = (way * step.x + direct.x, way * step.y + direct.y)
      (left + i).four = ((left + i).four - x) * share
      (right + i).four = ((right + i).four - y) * share
      way += 4
      i &+= 4
    }
  }
}
