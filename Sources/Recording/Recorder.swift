import Synth
import System

/// Writes what is heard into sound files, on threads of its own, as long as the disk has room.
public final class Recorder: Sendable {
  /// How it is going.
  public struct State: Sendable, Equatable {
    /// True from `start` until the file is whole.
    public var isOn = false
    /// True from when there is a file until it is whole.
    public var hasFile = false
    /// The name of that file, without the folder.
    public var file = ""
    /// The length so far, whole seconds.
    public var seconds = 0
    /// What became of the last file, a sentence, and whether that is not what the player wanted.
    public var outcome = ""
    public var failed = false
    /// Raised with each outcome.
    public var outcomes = 0
  }

  struct Work {
    var state = State()
    var stops = false
    // Threads that write.
    var threads = 0
    // What has become of recordings that were not ended.
    var mended: [String] = []
  }

  let ring: AudioRing
  let folder: String
  let kept: Int
  let leftFree: UInt64
  let format: SoundFile.Format
  let work = Mutex(Work())
  let tell: @Sendable () -> Void

  /// Seconds that a slow disk may be late before something is lost.
  static let patience = 10

  /// A recorder of what `ring` holds, into files in `folder`, which is made when it is needed. The last `kept` seconds at
  /// `rate` Hz stay in memory for `saveLast`. It leaves `leftFree` bytes of the disk to presets and the system. `tell` is
  /// called when `state` has changed, on a thread of the recorder.
  public init(
    _ ring: AudioRing, folder: String, format: SoundFile.Format, keeping kept: Int, rate: Int,
    leftFree: UInt64 = 200_000_000, tell: @escaping @Sendable () -> Void
  ) {
    (self.ring, self.folder, self.format, self.kept) = (ring, folder, format, kept)
    (self.leftFree, self.tell) = (leftFree, tell)
    if kept > 0 { ring.open(frames: (kept + Self.patience) * rate) }
  }

  /// How it is going. Any thread.
  public var state: State { work.withLock { $0.state } }

  /// Begins a recording at this moment, at `rate` Hz. Nothing when there is one already.
  public func start(rate: Int) {
    let isNew = work.withLock { work in
      if work.state.isOn { return false }
      (work.state.isOn, work.state.seconds, work.stops) = (true, 0, false)
      return true
    }
    if !isNew { return }
    ring.open(frames: Self.patience * rate)
    write(from: ring.written, until: nil, rate)
  }

  /// Ends the recording. Its file is whole when `state` says that it is off.
  public func stop() { work.withLock { $0.stops = true } }

  /// Writes the last seconds into a file; nothing when none are kept.
  public func saveLast(rate: Int) {
    let end = ring.written
    write(from: max(ring.oldest, end - min(UInt64(kept * rate), end)), until: end, rate)
  }

  /// Ends the recording and waits until all files are whole, `seconds` at most.
  public func finish(within seconds: Double) {
    stop()
    let end = monotonic() + Int64(seconds * 1e9)
    while work.withLock({ $0.threads }) > 0, monotonic() < end { sleep(until: monotonic() + 10_000_000) }
  }

  private func write(from start: UInt64, until end: UInt64?, _ rate: Int) {
    work.withLock { $0.threads += 1 }
    let isStarted = startDetachedThread { [self] in
      do throws(FileError) {
        let outcome = try writeFile(from: start, until: end, rate)
        report(outcome.text, failed: outcome.endedEarly, of: end)
      } catch {
        report(error.reasonFirst, failed: true, of: end)
      }
    }
    if !isStarted { report("cannot record: the system gives no thread", failed: true, of: end) }
  }

  private func report(_ outcome: String, failed: Bool, of end: UInt64?) {
    work.withLock { work in
      (work.state.outcome, work.state.failed) = (outcome, failed)
      work.state.outcomes += 1
      work.threads -= 1
      if end == nil { (work.state.isOn, work.state.hasFile) = (false, false) }
    }
    tell()
  }
}
