/// The input stage of the reverb: a high-pass that removes DC, which would otherwise stay in the lines for ever, and
/// the gain that closes the input during a freeze.
struct ReverbInput {
  private var highPass = StereoHighPass()

  /// Silent.
  @_noLocks init() {}

  /// Processes `frames` of a tick in place, `passed` frames after its beginning. The buffers must have space for a
  /// whole tick. `share` is the one-pole coefficient of the high-pass.
  @_noLocks @inline(__always)
  mutating func process(
    _ l: UnsafeMutablePointer<Float>, _ r: UnsafeMutablePointer<Float>, _ inputAndWidth: NumberRamp,
    isOpen: Bool, passed: Int, share: Float, frames: Int
  ) {
    highPass.process(l, r, to: l, r, share: share, frames: frames)
    if isOpen { return }
    var frame: Quad = Quad(0, 1, 2, 3) + Float(passed)
    let (gain, step) = (inputAndWidth.value[0], inputAndWidth.step[0])
    var i = 0
    while i < Limits.controlFrames {
      let open: Quad = frame * step + gain
      (l + i).four = (l + i).four * open
      (r + i).four = (r + i).four * open
      frame += 4
      i &+= 4
    }
  }
}
