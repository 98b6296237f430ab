/// A delay line for long delays: a ring buffer of any length, in memory owned by the caller. The caller also counts and
/// wraps the write index.
///
/// The first samples are repeated after the last ones, so that reads across the end are contiguous.
struct DelayLine {
  private let samples: UnsafeMutablePointer<Float>
  /// Length of the ring in samples.
  let size: Int
  /// Samples that are stored twice.
  private static var guarded: Int { @_noLocks get { 32 } }

  /// Samples of memory for delays of up to `longest`.
  static func memory(longest: Int) -> Int { longest + 2 * guarded }

  /// A ring in the given memory, of the size that `memory` returns.
  init(_ samples: UnsafeMutablePointer<Float>, longest: Int) {
    (self.samples, size) = (samples, longest + Self.guarded)
  }

  /// The address of the samples written `delay` frames before those at `index`: at least 16 are contiguous.
  @_noLocks @inline(__always)
  func delayed(by delay: Int, at index: Int) -> UnsafePointer<Float> {
    let from = index &- delay
    return UnsafePointer(samples) + (from < 0 ? from &+ size : from)
  }

  /// Writes `frames` samples from an index on, at most `Limits.controlFrames`. Samples after them, up to a multiple
  /// of eight, are overwritten with garbage and must not be read before they are written again.
  @_noLocks @inline(__always)
  func write(_ x: UnsafePointer<Float>, at index: Int, frames: Int) {
    var i = 0
    while i < frames {
      (samples + (index &+ i)).eight = (x + i).eight
      i &+= Limits.lanesPerGroup
    }
    if index < Self.guarded || index &+ i > size { repeatGuarded(index) }
  }

  /// Copies the first samples to the end of the ring or back, after either copy was written.
  @_noLocks @inline(never)
  private func repeatGuarded(_ index: Int) {
    let (start, end) = (samples, samples + size)
    var i = 0
    while i < Self.guarded {
      if index < Self.guarded { end[i] = start[i] } else { start[i] = end[i] }
      i &+= 1
    }
  }

  /// The index some frames after an index, wrapped.
  @_noLocks @inline(__always)
  func index(_ frames: Int, after index: Int) -> Int {
    let next = index &+ frames
    return next >= size ? next &- size : next
  }
}
