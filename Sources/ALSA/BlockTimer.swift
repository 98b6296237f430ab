import Glibc
import Synth
import System

/// Times each block on the audio thread, around the render: a few clock reads and counts, no more.
struct BlockTimer {
  private let meters: Meters
  private let load: Histogram
  private let lateness: Histogram
  private let time: LoopTime
  private var began: Int64 = 0
  private var processor: Int64 = 0
  // Frames until page faults are counted again, and how many there were before the first block.
  private var untilCount = 0
  private var faultsBefore = 0

  init(_ link: Link, _ time: LoopTime) {
    (meters, load, lateness, self.time) = (link.meters, link.load, link.lateness, time)
  }

  /// The thread is about to render its first block.
  mutating func begin() {
    faultsBefore = Self.pageFaults - Int(meters[.pageFaults])
    untilCount = 0
  }

  /// A block begins that was due at `due`, nanoseconds.
  mutating func beginBlock(due: Int64) {
    began = time.now
    processor = threadTime()
    lateness.record(UInt64(max(0, began - due)))
  }

  /// Makes the block take so many times as long, for fault injection.
  func waste(_ times: Int) {
    let end = time.now + (time.now - began) * Int64(times - 1)
    while time.now < end {}
  }

  /// The block has been rendered. Returns the share of its deadline that this took of the processor: while the
  /// thread waits for a processor that others have, fewer voices would not help.
  mutating func endBlock(frames: Int, rate: Int) -> Float {
    let deadline = AudioLoop.nanoseconds(frames, rate)
    let taken = UInt64(max(0, time.now - began))
    meters.set(.blockTime, taken)
    meters.raise(.worstBlockTime, to: taken)
    meters.add(.busy, taken)
    load.record(UInt64(Double(taken) / deadline * 10_000))
    countPageFaults(frames, rate)
    return Float(Double(threadTime() - processor) / deadline)
  }

  /// The device lacked so many blocks just now.
  func countXruns(_ blocks: UInt64) {
    meters.set(.lastXrun, UInt64(time.now))
    meters.add(.xruns, blocks)
  }

  /// About once a second, since it asks the kernel.
  private mutating func countPageFaults(_ frames: Int, _ rate: Int) {
    untilCount -= frames
    if untilCount > 0 { return }
    untilCount = rate
    meters.set(.pageFaults, UInt64(max(0, Self.pageFaults - faultsBefore)))
  }

  /// Those of this thread so far.
  private static var pageFaults: Int {
    var usage = rusage()
    // RUSAGE_THREAD, which glibc has for GNU sources only.
    return getrusage(__rusage_who_t(1), &usage) == 0 ? usage.ru_minflt + usage.ru_majflt : 0
  }
}
