import Synth
import System

/// Records the output into sound files on background threads, while the disk has free space.
public final class Recorder: Sendable {
  /// The state of the recorder.
  public struct State: Sendable, Equatable {
    /// True from `start` until the file is finished.
    public var isOn = false
    /// True while a file is being written.
    public var hasFile = false
    /// The name of that file, without the folder.
    public var file = ""
    /// The length so far, seconds.
    public var seconds = 0
    /// The result of the last recording, a sentence, and whether it failed or ended early.
    public var outcome = ""
    public var failed = false
    /// The number of finished recordings.
    public var outcomes = 0
  }

  struct Work {
    var state = State()
    var stops = false
    // The number of running threads.
    var threads = 0
    // The results of repairs.
    var repaired: [String] = []
  }

  let ring: AudioRing
  let folder: String
  let kept: Int
  let leftFree: UInt64
  let format: SoundFile.Format
  let work = Mutex(Work())
  let onStateChange: @Sendable () -> Void

  /// How far a slow disk may lag before sound is lost, seconds.
  static let maxDelay = 10

  /// A recorder of `ring`.
  /// - Parameters:
  ///   - folder: The folder of the files; created when needed.
  ///   - kept: The seconds that stay in memory for `saveLast`.
  ///   - rate: The sample rate of `kept`, Hz.
  ///   - leftFree: The disk space that is left to presets and the system, bytes.
  ///   - onStateChange: Called on a thread of the recorder when `state` has changed.
  public init(
    _ ring: AudioRing, folder: String, format: SoundFile.Format, keeping kept: Int, rate: Int,
    leftFree: UInt64 = 200_000_000, onStateChange: @escaping @Sendable () -> Void
  ) {
    (self.ring, self.folder, self.format, self.kept) = (ring, folder, format, kept)
    (self.leftFree, self.onStateChange) = (leftFree, onStateChange)
    if kept > 0 { ring.open(frames: (kept + Self.maxDelay) * rate) }
  }

  /// The current state. Any thread.
  public var state: State { work.withLock { $0.state } }

  /// Begins a recording now, at `rate` Hz. Does nothing while one is running.
  public func start(rate: Int) {
    let isNew = work.withLock { work in
      if work.state.isOn { return false }
      (work.state.isOn, work.state.seconds, work.stops) = (true, 0, false)
      return true
    }
    if !isNew { return }
    ring.open(frames: Self.maxDelay * rate)
    write(from: ring.written, until: nil, rate)
  }

  /// Ends the recording. Its file is finished once `state.isOn` is false.
  public func stop() { work.withLock { $0.stops = true } }

  /// Writes the last seconds into a file; does nothing if none are kept.
  public func saveLast(rate: Int) {
    let end = ring.written
    write(from: max(ring.oldest, end - min(UInt64(kept * rate), end)), until: end, rate)
  }

  /// Ends the recording and waits until all files are finished, at most `seconds`.
  public func finish(within seconds: Double) {
    stop()
    let end = monotonic() + Int64(clamping: seconds * 1e9)
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
    onStateChange()
  }
}
