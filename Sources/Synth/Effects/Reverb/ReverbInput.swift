/// What a room lets in: the inputs without what does not swing, which would stay in it for ever, and as loud as a freeze
/// allows.
struct ReverbInput {
  private var highPass = StereoHighPass()

  /// As new.
  @_noLocks init() {}

  /// Works in place on `frames` of a tick, `passed` frames after its beginning; there has to be room for a whole one. The
  /// high-pass goes `share` of its way in a frame.
  @_noLocks @inline(__always)
  mutating func process(
    _ l: UnsafeMutablePointer<Float>, _ r: UnsafeMutablePointer<Float>, _ sides: NumberRamp, isOpen: Bool,
    passed: Int, share: Float, frames: Int
  ) {
    highPass.process(l, r, to: l, r, share: share, frames: frames)
    if isOpen { return }
    var way: Quad = Quad(0, 1, 2, 3) + Float(passed)
    let (gain, step) = (sides.value[0], sides.step[0])
    var i = 0
    while i < Limits.controlFrames {
      let open: Quad = way * step + gain
      (l + i).four = (l + i).four * open
      (r + i).four = (r + i).four * open
      way += 4
      i &+= 4
    }
  }
}
