import CRealtime

/// The frames of a level of a wavetable.
struct TableFrames {
  // From the sample before the first one of the first frame.
  private let samples: UnsafePointer<Float>
  /// Samples from a frame to the next; 0 if there is only one frame.
  let stride: UInt32
  /// The samples of a period are 2 to the power of `bits`.
  let bits: UInt32
  /// The index of the last frame.
  let last: Float

  @_noLocks @inline(__always)
  init(_ level: WavetableLevel, count: Int) {
    (samples, bits, last) = (level.samples, level.bits, Float(count &- 1))
    stride = count > 1 ? UInt32(truncatingIfNeeded: level.stride) : 0
  }

  /// Four consecutive samples, the second of them at `index`, counted from the first frame, blended with those of the
  /// next frame.
  @_noLocks @inline(__always)
  func neighbours(_ index: UInt32, _ blend: Float) -> Quad {
    let (one, two) = ((samples + Int(index)).four, (samples + Int(index) + Int(stride)).four)
    // Hidden from the compiler, which would otherwise compute both halves separately.
    return rt_opaque(multiplyAdd(two - one, Quad(repeating: blend), one))
  }
}
