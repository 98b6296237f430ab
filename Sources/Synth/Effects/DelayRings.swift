import Scenes

/// Ring buffers of equal length, written in step, in memory owned by the caller. They share one write index, since
/// computing an index costs as much as an all-pass.
///
/// They are read and written a whole tick at a time, `Limits.controlFrames` samples, and reads may extend a few
/// samples further. The first samples are repeated after the last ones, so that reads across the end are contiguous.
struct DelayRings {
  private let samples: UnsafeMutablePointer<Float>
  private let count: Int
  private let length: Int
  /// Index where the current tick begins: a whole number of ticks.
  private var writeIndex = 0

  /// Samples that are stored twice: two ticks. No delay may be shorter, unless the ring is written before it is
  /// read.
  private static var guarded: Int { @_noLocks get { 2 &* Limits.controlFrames } }
  /// Distance in samples from one ring to the next; the last piece of a split tick may be written this far.
  private var stride: Int {
    @_noLocks @inline(__always) get { length &+ Self.guarded &+ Limits.controlFrames }
  }

  /// Samples of memory for `count` rings with delays of up to `longest` samples.
  static func memory(_ count: Int, longest: Int) -> Int {
    count * (length(longest) + guarded + Limits.controlFrames)
  }

  /// Whole ticks, two of them more than the delay.
  private static func length(_ longest: Int) -> Int {
    (longest + guarded + Limits.controlFrames - 1) / Limits.controlFrames * Limits.controlFrames
  }

  /// Rings in the given memory, of the size that `memory` returns.
  init(_ samples: UnsafeMutablePointer<Float>, count: Int, longest: Int) {
    (self.samples, self.count, length) = (samples, count, Self.length(longest))
  }

  /// Advances to the next tick.
  @_noLocks @inline(__always)
  mutating func advance() {
    writeIndex &+= Limits.controlFrames
    if writeIndex == length { writeIndex = 0 }
  }

  /// The address of the samples of a ring that were written `delay` frames before frame `at` of the tick: at least one
  /// tick of them is contiguous.
  @_noLocks @inline(__always)
  func delayed(by delay: Int, of ring: Int, at: Int) -> UnsafePointer<Float> {
    let from = writeIndex &+ at &- delay
    return UnsafePointer(samples) + (ring &* stride &+ (from < 0 ? from &+ length : from))
  }

  /// Writes a tick into a ring from frame `at` on; `keepInStep` must follow. If a tick is split, the next piece
  /// overwrites the surplus samples of this one before any delay reads them.
  @_noLocks @inline(__always)
  func write(_ x: Tick, _ ring: Int, at: Int) { x.store(samples + (ring &* stride &+ (writeIndex &+ at))) }

  /// Writes four frames of eight rings from frame `at` on; `keepInStep` must follow.
  @_noLocks @inline(__always)
  func write(_ x: EightLines, at: Int) { x.store(lines: samples + (writeIndex &+ at), apart: stride) }

  /// Updates the repeated copy of the first samples after all rings were written.
  @_noLocks @inline(__always)
  func keepInStep(at: Int) {
    if writeIndex < Self.guarded { repeatTick(at) }
  }

  @_noLocks @inline(never)
  private func repeatTick(_ at: Int) {
    var ring = 0
    while ring < count {
      let from = samples + (ring &* stride &+ (writeIndex &+ at))
      Tick(UnsafePointer(from)).store(from + length)
      ring &+= 1
    }
  }
}

/// The sixteen consecutive samples of a control tick.
struct Tick {
  var first: Lanes
  var second: Lanes

  @_noLocks @inline(__always)
  init(_ first: Lanes, _ second: Lanes) { (self.first, self.second) = (first, second) }

  /// Loads sixteen samples from an address.
  @_noLocks @inline(__always)
  init(_ x: UnsafePointer<Float>) { (first, second) = (x.eight, (x + Limits.lanesPerGroup).eight) }

  /// Stores the sixteen samples at an address.
  @_noLocks @inline(__always)
  func store(_ x: UnsafeMutablePointer<Float>) {
    x.eight = first
    (x + Limits.lanesPerGroup).eight = second
  }
}
