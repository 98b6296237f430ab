/// Samples on their way, for effects: a ring as long as a power of two, in memory that somebody else keeps. Where it is
/// written follows from a frame number that its owner counts, so that many rings are in step.
///
/// It is read and written a whole tick at a time, `Limits.controlFrames` samples, and a few more are read. The first samples
/// lie behind the last ones once more, so that what goes over the end is in a row too.
struct DelayRing {
  private let samples: UnsafeMutablePointer<Float>
  private let last: Int
  /// Samples that are there twice: two ticks. No delay may be shorter.
  static var guarded: Int { @_noLocks get { 2 &* Limits.controlFrames } }

  /// Samples of memory for delays of up to `longest`.
  static func memory(longest: Int) -> Int { size(longest) + guarded + Limits.controlFrames }

  private static func size(_ longest: Int) -> Int {
    var size = guarded
    while size < longest + guarded { size *= 2 }
    return size
  }

  /// A ring at some memory, as much as `memory` says.
  init(_ samples: UnsafeMutablePointer<Float>, longest: Int) {
    (self.samples, last) = (samples, Self.size(longest) - 1)
  }

  /// Where the samples begin that were written `delay` frames before the frame `at`: a tick's in a row, and some more.
  @_noLocks @inline(__always)
  func behind(_ delay: Int, at: Int) -> UnsafePointer<Float> {
    UnsafePointer(samples) + ((at &- delay) & last)
  }

  /// Writes a tick from the frame `at` on. Of one that is cut in pieces, what a piece has written too much is written over
  /// by the next, before any delay reads it.
  @_noLocks @inline(__always)
  func write(_ x: Tick, at: Int) {
    let place = at & last
    x.store(samples + place)
    if (place &+ Limits.controlFrames) & last < 3 &* Limits.controlFrames { keepInStep(place, x) }
  }

  /// Makes the two places of the first samples the same, after one of them was written.
  @_noLocks @inline(__always)
  private func keepInStep(_ place: Int, _ x: Tick) {
    let end = samples + (last &+ 1)
    if place < Self.guarded { x.store(end + place) } else { Tick(UnsafePointer(end)).store(samples) }
  }
}

/// The sixteen samples of a control tick, one after the other.
struct Tick {
  var first: Lanes
  var second: Lanes

  @_noLocks @inline(__always)
  init(_ first: Lanes, _ second: Lanes) { (self.first, self.second) = (first, second) }

  /// Those that begin somewhere.
  @_noLocks @inline(__always)
  init(_ x: UnsafePointer<Float>) { (first, second) = (x.eight, (x + Limits.lanesPerGroup).eight) }

  /// Puts them somewhere.
  @_noLocks @inline(__always)
  func store(_ x: UnsafeMutablePointer<Float>) {
    x.eight = first
    (x + Limits.lanesPerGroup).eight = second
  }
}
