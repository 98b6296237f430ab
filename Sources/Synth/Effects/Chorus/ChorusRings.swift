/// What the lines of a chorus are read from: the left side, the right, and the middle of them, on their way. Three rings as
/// `DelayRings` are others, written a tick at a time.
struct ChorusRings {
  private let samples: UnsafeMutablePointer<Float>
  private let size: Int
  // From a sample of a ring to that of the next.
  private let stride: Int
  /// Samples that are there twice.
  private static var guarded: Int { @_noLocks get { 32 } }

  /// Samples of memory for delays of up to `longest`.
  static func memory(longest: Int) -> Int { 3 * (size(longest) + guarded) }

  private static func size(_ longest: Int) -> Int {
    var size = guarded
    while size < longest + guarded { size *= 2 }
    return size
  }

  /// Rings at some memory, as much as `memory` says.
  init(_ samples: UnsafeMutablePointer<Float>, longest: Int) {
    (self.samples, size) = (samples, Self.size(longest))
    stride = size + Self.guarded
  }

  /// Where the samples of a ring begin that were written `delay` frames before the frame `at`: 16 in a row and some more.
  @_noLocks @inline(__always)
  func behind(_ delay: Int, of ring: Int, at: Int) -> UnsafePointer<Float> {
    UnsafePointer(samples) + (ring &* stride &+ ((at &- delay) & (size &- 1)))
  }

  /// Writes pairs of left and right, `Limits.controlFrames` at most, from the frame `at` on; what is behind them up to a
  /// multiple of eight is lost, and not to be read before it is written.
  @_noLocks @inline(__always)
  func write(_ pairs: UnsafePointer<Float>, at: Int, frames: Int) {
    let place = at & (size &- 1)
    let (left, right) = (samples + place, samples + (place &+ stride))
    let middle = right + stride
    var i = 0
    while i < frames {
      let both = UnsafeRawPointer(pairs + 2 &* i).loadUnaligned(as: SIMD16<Float>.self)
      let (x, y) = (both.evenHalf, both.oddHalf)
      (left + i).eight = x
      (right + i).eight = y
      (middle + i).eight = (x + y) * 0.5
      i &+= Limits.lanesPerGroup
    }
    if place < Self.guarded || place &+ i > size { repeatGuarded(place) }
  }

  /// Makes the two places of the first samples the same, after one of them was written.
  @_noLocks @inline(never)
  private func repeatGuarded(_ place: Int) {
    var start = samples
    while start < samples + 3 &* stride {
      let end = start + size
      let (from, to) = place < Self.guarded ? (start, end) : (end, start)
      var i = 0
      while i < Self.guarded {
        (to + i).eight = (from + i).eight
        i &+= Limits.lanesPerGroup
      }
      start += stride
    }
  }
}
