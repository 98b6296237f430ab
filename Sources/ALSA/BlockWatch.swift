import Glibc
import Synth
import System

/// Measures each block on the audio thread, around the render: two clock reads and a count, no more.
struct BlockWatch {
  private let meters: Meters
  private let load: Histogram
  private let lateness: Histogram
  private var began: Int64 = 0
  private var processor: Int64 = 0
  // Frames until page faults are counted again, and how many there were before the first block.
  private var untilCount = 0
  private var faultsBefore = 0

  init(_ link: Link) {
    (meters, load, lateness) = (link.meters, link.load, link.lateness)
  }

  /// The thread is about to render its first block.
  mutating func start() {
    faultsBefore = Self.pageFaults - Int(meters[.pageFaults])
    untilCount = 0
  }

  /// A block begins that was due at `due`, nanoseconds.
  mutating func begin(due: Int64) {
    began = monotonic()
    processor = threadTime()
    lateness.record(UInt64(max(0, began - due)))
  }

  /// Makes the block take so many times as long, for a proof.
  func waste(_ times: Int) {
    let end = monotonic() + (monotonic() - began) * Int64(times - 1)
    while monotonic() < end {}
  }

  /// The block has been rendered. Returns the share of its deadline that this took of the processor: while the
  /// thread waits for a processor that others have, fewer voices would not help.
  mutating func end(frames: Int, rate: Int) -> Float {
    let deadline = AudioLoop.nanoseconds(frames, rate)
    let time = UInt64(max(0, monotonic() - began))
    meters.set(.blockTime, time)
    meters.raise(.worstBlockTime, to: time)
    meters.add(.busy, time)
    load.record(UInt64(Double(time) / deadline * 10_000))
    countPageFaults(frames, rate)
    return Float(Double(threadTime() - processor) / deadline)
  }

  /// The device lacked so many blocks just now.
  func lack(_ blocks: UInt64) {
    meters.set(.lastXrun, UInt64(monotonic()))
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
