/// Samples on their way: rings of one length, written in step, in one memory that somebody else keeps. What has to be known
/// of a place is found once for all of them, since that costs as much as an all-pass.
///
/// They are read and written a whole tick at a time, `Limits.controlFrames` samples, and a few more are read. The first samples
/// lie behind the last ones once more, so that what goes over the end is in a row too.
struct DelayRings {
  private let samples: UnsafeMutablePointer<Float>
  private let count: Int
  private let length: Int
  /// Where the tick under way begins: whole ticks from the beginning.
  private var place = 0

  /// Samples that are there twice: two ticks. No delay may be shorter, but of what has been written first.
  private static var guarded: Int { @_noLocks get { 2 &* Limits.controlFrames } }
  /// From one ring to the next; of a tick that is cut in pieces the last ones reach as far.
  private var stride: Int {
    @_noLocks @inline(__always) get { length &+ Self.guarded &+ Limits.controlFrames }
  }

  /// Samples of memory for so many rings with delays of up to `longest`.
  static func memory(_ count: Int, longest: Int) -> Int {
    count * (length(longest) + guarded + Limits.controlFrames)
  }

  /// Whole ticks, and two more than the delay.
  private static func length(_ longest: Int) -> Int {
    (longest + guarded + Limits.controlFrames - 1) / Limits.controlFrames * Limits.controlFrames
  }

  /// Rings in some memory, as much as `memory` says.
  init(_ samples: UnsafeMutablePointer<Float>, count: Int, longest: Int) {
    (self.samples, self.count, length) = (samples, count, Self.length(longest))
  }

  /// Goes to the next tick.
  @_noLocks @inline(__always)
  mutating func advance() {
    place &+= Limits.controlFrames
    if place == length { place = 0 }
  }

  /// Where the samples of a ring begin that came `delay` frames before the frame `at` of the tick: a tick's in a row, and
  /// some more.
  @_noLocks @inline(__always)
  func behind(_ delay: Int, _ ring: Int, at: Int) -> UnsafePointer<Float> {
    let from = place &+ at &- delay
    return UnsafePointer(samples) + (ring &* stride &+ (from < 0 ? from &+ length : from))
  }

  /// Writes a tick into a ring from the frame `at` on; `keepInStep` has to follow. Of one that is cut in pieces, what a
  /// piece has written too much is written over by the next, before any delay reads it.
  @_noLocks @inline(__always)
  func write(_ x: Tick, _ ring: Int, at: Int) { x.store(samples + (ring &* stride &+ (place &+ at))) }

  /// The same with four frames of eight rings.
  @_noLocks @inline(__always)
  func write(_ x: EightLines, at: Int) { x.store(lines: samples + (place &+ at), apart: stride) }

  /// Makes the two places of the first samples the same, after all rings were written.
  @_noLocks @inline(__always)
  func keepInStep(at: Int) {
    if place < Self.guarded { repeatTick(at) }
  }

  @_noLocks @inline(never)
  private func repeatTick(_ at: Int) {
    var ring = 0
    while ring < count {
      let from = samples + (ring &* stride &+ (place &+ at))
      Tick(UnsafePointer(from)).store(from + length)
      ring &+= 1
    }
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
