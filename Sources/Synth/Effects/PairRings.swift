import Scenes

/// Delay memory of two signals, such as the left and the right side: one ring each, and optionally one for their
/// mean, written up to a tick at a time. Delays between samples are read with `SixPoints` or `EightPoints`.
struct PairRings {
  private let samples: UnsafeMutablePointer<Float>
  private let size: Int
  // Distance in samples from one ring to the next.
  private let stride: Int
  // The number of rings: three with the mean, otherwise two.
  private let count: Int
  /// Samples that are stored twice.
  private static var guarded: Int { @_noLocks get { 32 } }

  /// Samples of memory for delays of up to `longest`.
  static func memory(longest: Int, hasMean: Bool) -> Int { (hasMean ? 3 : 2) * (size(longest) + guarded) }

  private static func size(_ longest: Int) -> Int {
    var size = guarded
    while size < longest + guarded { size *= 2 }
    return size
  }

  /// Rings in the given memory, of the size that `memory` returns.
  init(_ samples: UnsafeMutablePointer<Float>, longest: Int, hasMean: Bool) {
    (self.samples, size, count) = (samples, Self.size(longest), hasMean ? 3 : 2)
    stride = size + Self.guarded
  }

  /// The address of the samples of a ring that were written `delay` frames before frame `at`: at least 16 are
  /// contiguous.
  @_noLocks @inline(__always)
  func delayed(by delay: Int, of ring: Int, at: Int) -> UnsafePointer<Float> {
    UnsafePointer(samples) + (ring &* stride &+ ((at &- delay) & (size &- 1)))
  }

  /// Writes interleaved samples of both signals from frame `at` on, at most `Limits.controlFrames`. Samples after
  /// them, up to a multiple of eight, are overwritten with garbage and must not be read before they are written
  /// again.
  @_noLocks @inline(__always)
  func write(_ pairs: UnsafePointer<Float>, at: Int, frames: Int) {
    let index = at & (size &- 1)
    let (left, right) = (samples + index, samples + (index &+ stride))
    let (middle, hasMean) = (right + stride, count > 2)
    var i = 0
    while i < frames {
      let both = UnsafeRawPointer(pairs + 2 &* i).loadUnaligned(as: SIMD16<Float>.self)
      let (x, y) = (both.evenHalf, both.oddHalf)
      (left + i).eight = x
      (right + i).eight = y
      if hasMean { (middle + i).eight = (x + y) * 0.5 }
      i &+= Limits.lanesPerGroup
    }
    if index < Self.guarded || index &+ i > size { repeatGuarded(index) }
  }

  /// The addresses of the samples that were written to a ring `delays` frames before each of four frames from `at` on.
  @_noLocks @inline(__always)
  func delayed(by delays: SIMD4<Int32>, of ring: Int, at: Int) -> (
    UnsafePointer<Float>, UnsafePointer<Float>, UnsafePointer<Float>, UnsafePointer<Float>
  ) {
    let frames = SIMD4<Int32>(0, 1, 2, 3) &+ SIMD4<Int32>(repeating: Int32(truncatingIfNeeded: at))
    let indices = (frames &- delays) & SIMD4<Int32>(repeating: Int32(truncatingIfNeeded: size &- 1))
    let ring = UnsafePointer(samples) + ring &* stride
    return (ring + Int(indices[0]), ring + Int(indices[1]), ring + Int(indices[2]), ring + Int(indices[3]))
  }

  /// Writes the first `count` of four frames of two signals without a mean. Nothing else is overwritten, so the frames may be
  /// read at once.
  @_noLocks @inline(__always)
  func write(_ left: Quad, _ right: Quad, at: Int, count: Int) {
    let index = at & (size &- 1)
    if count == 4, index >= Self.guarded, index &+ 4 <= size {
      (samples + index).four = left
      (samples + (index &+ stride)).four = right
      return
    }
    var i = 0
    while i < count {
      write(left[i], right[i], at: at &+ i)
      i &+= 1
    }
  }

  /// Writes one frame of two signals without a mean.
  @_noLocks
  private func write(_ left: Float, _ right: Float, at: Int) {
    let index = at & (size &- 1)
    let end = samples + stride
    (samples[index], end[index]) = (left, right)
    if index < Self.guarded { (samples[index &+ size], end[index &+ size]) = (left, right) }
  }

  /// Copies the first samples to the end of the rings or back, after either copy was written.
  @_noLocks @inline(never)
  private func repeatGuarded(_ index: Int) {
    var start = samples
    while start < samples + count &* stride {
      let end = start + size
      let (from, to) = index < Self.guarded ? (start, end) : (end, start)
      var i = 0
      while i < Self.guarded {
        (to + i).eight = (from + i).eight
        i &+= Limits.lanesPerGroup
      }
      start += stride
    }
  }
}
