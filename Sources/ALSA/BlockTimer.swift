import Glibc
import Scenes
import Synth
import System

/// Times the render of each block on the audio thread, with a few clock reads and counters.
struct BlockTimer {
  private let meters: Meters
  private let load: Histogram
  private let lateness: Histogram
  private let time: LoopTime
  private var began: Int64 = 0
  private var processor: Int64 = 0
  // Frames until page faults are counted again, and the number of faults before the first block.
  private var untilCount = 0
  private var faultsBefore = 0

  init(_ link: Link, _ time: LoopTime) {
    (meters, load, lateness, self.time) = (link.meters, link.load, link.lateness, time)
  }

  /// Call before the first block is rendered.
  mutating func begin() {
    faultsBefore = Self.pageFaults - Int(meters[.pageFaults])
    untilCount = 0
  }

  /// Call at the beginning of a block that was due at `due`, nanoseconds.
  mutating func beginBlock(due: Int64) {
    began = time.now
    processor = threadTime()
    lateness.record(UInt64(max(0, began - due)))
  }

  /// Makes the block `times` times as long, for fault injection.
  func waste(_ times: Int) {
    let end = time.now + (time.now - began) * Int64(times - 1)
    while time.now < end {}
  }

  /// Call after a block. Returns the processor time that it used as a share of its deadline. Time in which the thread
  /// waited for a processor is left out, because fewer voices would not shorten it.
  mutating func endBlock(frames: Int, rate: Int) -> Float {
    let deadline = AudioLoop.nanoseconds(frames, rate)
    let taken = UInt64(max(0, time.now - began))
    meters.set(.blockTime, taken)
    meters.raise(.worstBlockTime, to: taken)
    meters.add(.busy, taken)
    load.record(UInt64(clamping: Double(taken) / deadline * 10_000))
    countPageFaults(frames, rate)
    return Float(Double(threadTime() - processor) / deadline)
  }

  /// Counts blocks that the device missed.
  func countXruns(_ blocks: UInt64) {
    meters.set(.lastXrun, UInt64(time.now))
    meters.add(.xruns, blocks)
  }

  /// Reads the page faults about once a second, because each reading is a system call.
  private mutating func countPageFaults(_ frames: Int, _ rate: Int) {
    untilCount -= frames
    if untilCount > 0 { return }
    untilCount = rate
    meters.set(.pageFaults, UInt64(max(0, Self.pageFaults - faultsBefore)))
  }

  /// Page faults of this thread so far.
  private static var pageFaults: Int {
    var usage = rusage()
    // RUSAGE_THREAD, which glibc defines for GNU sources only.
    return getrusage(__rusage_who_t(1), &usage) == 0 ? usage.ru_minflt + usage.ru_majflt : 0
  }
}
