/// Samples on their way, for long delays: a ring of any length, in memory that somebody else keeps. Where it is written is
/// counted by its owner, who wraps it.
///
/// The first samples lie behind the last ones once more, so that what goes over the end is in a row too.
struct DelayLine {
  private let samples: UnsafeMutablePointer<Float>
  /// The places that there are.
  let size: Int
  /// Samples that are there twice.
  private static var guarded: Int { @_noLocks get { 32 } }

  /// Samples of memory for delays of up to `longest`.
  static func memory(longest: Int) -> Int { longest + 2 * guarded }

  /// A ring at some memory, as much as `memory` says.
  init(_ samples: UnsafeMutablePointer<Float>, longest: Int) {
    (self.samples, size) = (samples, longest + Self.guarded)
  }

  /// Where the samples begin that were written `delay` frames before those of a place: 16 in a row and some more.
  @_noLocks @inline(__always)
  func behind(_ delay: Int, at place: Int) -> UnsafePointer<Float> {
    let from = place &- delay
    return UnsafePointer(samples) + (from < 0 ? from &+ size : from)
  }

  /// Writes `frames` samples, `Limits.controlFrames` at most, from a place on; what is behind them up to a multiple of eight
  /// is lost, and not to be read before it is written.
  @_noLocks @inline(__always)
  func write(_ x: UnsafePointer<Float>, at place: Int, frames: Int) {
    var i = 0
    while i < frames {
      (samples + (place &+ i)).eight = (x + i).eight
      i &+= Limits.lanesPerGroup
    }
    if place < Self.guarded || place &+ i > size { repeatGuarded(place) }
  }

  /// Makes the two places of the first samples the same, after one of them was written.
  @_noLocks @inline(never)
  private func repeatGuarded(_ place: Int) {
    let (start, end) = (samples, samples + size)
    var i = 0
    while i < Self.guarded {
      if place < Self.guarded { end[i] = start[i] } else { start[i] = end[i] }
      i &+= 1
    }
  }

  /// The place some frames behind a place.
  @_noLocks @inline(__always)
  func place(_ frames: Int, after place: Int) -> Int {
    let next = place &+ frames
    return next >= size ? next &- size : next
  }
}
