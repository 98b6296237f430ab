/// Scratch memory for the output of an effect in one tick.
struct RackBuffers {
  let left: UnsafeMutablePointer<Float>
  let right: UnsafeMutablePointer<Float>

  init() {
    func buffer() -> UnsafeMutablePointer<Float> {
      let buffer = UnsafeMutablePointer<Float>.allocate(capacity: Limits.controlFrames)
      buffer.initialize(repeating: 0, count: Limits.controlFrames)
      return buffer
    }
    (left, right) = (buffer(), buffer())
  }

  func deallocate() {
    left.deallocate()
    right.deallocate()
  }

  /// Copies a tick of both channels.
  @_noLocks @inline(__always)
  func take(_ l: UnsafePointer<Float>, _ r: UnsafePointer<Float>) {
    Tick(l).store(left)
    Tick(r).store(right)
  }
}
