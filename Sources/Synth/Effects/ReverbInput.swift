/// What a room lets in: the inputs without what does not swing, which would stay in it for ever, and as loud as a freeze
/// allows. From one tick to the next, a line goes to the mean of what came before: a high-pass of 20 Hz.
struct ReverbInput {
  // What of the inputs does not swing: now, and what is added in every frame.
  private var direct = SIMD2<Float>.zero
  private var step = SIMD2<Float>.zero
  // The sums of the tick under way: each lane has every fourth frame, however the tick is cut.
  private var left = Quad.zero
  private var right = Quad.zero

  /// As new.
  @_noLocks init() {}

  /// Works in place on `frames` of a tick; there has to be room for a whole one.
  @_noLocks @inline(__always)
  mutating func process(
    _ l: UnsafeMutablePointer<Float>, _ r: UnsafeMutablePointer<Float>, _ sides: NumberRamp, isOpen: Bool,
    passed: Int, meanShare: Float, frames: Int
  ) {
    if passed == 0 { aim(meanShare) }
    sum(l, r, passed: passed, frames: frames)
    var way: Quad = Quad(0, 1, 2, 3) + Float(passed)
    let (gain, gainStep) = (sides.value[0], sides.step[0])
    var i = 0
    while i < Limits.controlFrames {
      let (x, y): (Quad, Quad) = (way * step.x + direct.x, way * step.y + direct.y)
      (l + i).four = (l + i).four - x
      (r + i).four = (r + i).four - y
      if !isOpen {
        let share: Quad = way * gainStep + gain
        (l + i).four = (l + i).four * share
        (r + i).four = (r + i).four * share
      }
      way += 4
      i &+= 4
    }
  }

  @_noLocks @inline(__always)
  private mutating func aim(_ meanShare: Float) {
    let perTick = 1 / Float(Limits.controlFrames)
    direct += step * Float(Limits.controlFrames)
    let sums = SIMD2(left[0] + left[1] + (left[2] + left[3]), right[0] + right[1] + (right[2] + right[3]))
    step = (sums * perTick - direct) * (meanShare * perTick)
    (left, right) = (.zero, .zero)
  }

  @_noLocks @inline(__always)
  private mutating func sum(
    _ l: UnsafeMutablePointer<Float>, _ r: UnsafeMutablePointer<Float>, passed: Int, frames: Int
  ) {
    if frames < Limits.controlFrames { return sumPiece(l, r, passed: passed, frames: frames) }
    var i = 0
    while i < Limits.controlFrames {
      left += (l + i).four
      right += (r + i).four
      i &+= 4
    }
  }

  @_noLocks @inline(never)
  private mutating func sumPiece(
    _ l: UnsafeMutablePointer<Float>, _ r: UnsafeMutablePointer<Float>, passed: Int, frames: Int
  ) {
    var i = 0
    while i < frames {
      left[(passed &+ i) & 3] += l[i]
      right[(passed &+ i) & 3] += r[i]
      i &+= 1
    }
  }
}
