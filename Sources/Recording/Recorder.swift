import Glibc
import Scenes
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

// A thread of the recorder: it writes frames of the ring to the disk, so that a slow disk blocks no other thread.

extension Recorder {
  /// The most frames written at once.
  private static let piece = 4096
  /// The pause without new frames, and the time between syncs to the disk, nanoseconds.
  private static let interval: Int64 = 100_000_000
  private static let syncInterval: Int64 = 1_000_000_000

  /// Writes the frames from `start` until `end`, or until `stop`. Returns a sentence about the file, and whether it
  /// ended early.
  func writeFile(
    from start: UInt64, until end: UInt64?, _ rate: Int
  ) throws(FileError) -> (text: String, endedEarly: Bool) {
    let path = try newPath()
    if freeSpace() < leftFree { throw FileError("write", path, fullDisk) }
    let file = try SoundFile(path, format, rate: rate)
    let name = path.split(separator: "/").last.map(String.init) ?? path
    if end == nil {
      work.withLock { ($0.state.hasFile, $0.state.file) = (true, name) }
      onStateChange()
    }
    let scratch = UnsafeMutableBufferPointer<AudioRing.Frame>.allocate(capacity: Recorder.piece)
    defer { scratch.deallocate() }
    var (position, lost, frames) = (start, UInt64(0), 0)
    var syncAt = monotonic() + Recorder.syncInterval
    // The reason of an early end.
    var failure: FileError?
    while failure == nil {
      let stops = end == nil && work.withLock { $0.stops }
      if let count = ring.read(from: position, into: scratch) {
        let wanted = end.map { min(count, Int($0 - position)) } ?? count
        do throws(FileError) {
          try file.write(UnsafeBufferPointer(rebasing: scratch[..<wanted]))
        } catch {
          failure = error
          break
        }
        (position, frames) = (position + UInt64(wanted), frames + wanted)
        if end == position || wanted == 0 && stops { break }
        if wanted == 0 { sleep(until: monotonic() + Recorder.interval) }
      } else {
        let oldest = ring.oldest
        (lost, position) = (lost + oldest - position, oldest)
        if let end, position >= end { break }
      }
      if monotonic() >= syncAt {
        do throws(FileError) { try file.sync() } catch { failure = error }
        syncAt = monotonic() + Recorder.syncInterval
        if failure == nil, freeSpace() < leftFree { failure = FileError("write", path, fullDisk) }
        if end == nil { show(seconds: frames / rate) }
      }
    }
    frames = try file.finish()
    if let failure, frames == 0 { throw failure }
    var summary = "recorded \(Recorder.length(frames / rate)) into \(name)"
    if lost > 0 { summary = "\(lost / UInt64(rate) + 1) s are missing, the disk was too slow: " + summary }
    if let failure { summary = "\(failure.reason): " + summary }
    return (summary, failure != nil)
  }

  private var fullDisk: String { "less than \(leftFree / 1_000_000) MB are free on the disk" }

  private func show(seconds: Int) {
    let isChanged = work.withLock { work in
      defer { work.state.seconds = seconds }
      return work.state.seconds != seconds
    }
    if isChanged { onStateChange() }
  }

  /// A length in seconds as `minutes:seconds`.
  public static func length(_ seconds: Int) -> String {
    "\(seconds / 60):\(seconds % 60 < 10 ? "0" : "")\(seconds % 60)"
  }

  private func freeSpace() -> UInt64 {
    var space = statvfs()
    return statvfs(folder, &space) == 0 ? UInt64(space.f_bavail) * UInt64(space.f_frsize) : .max
  }

  /// A new path, named by the current time.
  private func newPath() throws(FileError) -> String {
    if mkdir(folder, 0o777) != 0 && errno != EEXIST { throw FileError("make the folder", folder) }
    let name = dateText(Int(wallTime()), "%Y-%m-%d %H.%M.%S")
    var (path, number) = ("\(folder)/\(name).\(format.rawValue)", 1)
    while access(path, F_OK) == 0 || access(path + SoundFile.unfinished, F_OK) == 0 {
      number += 1
      path = "\(folder)/\(name) (\(number)).\(format.rawValue)"
    }
    return path
  }
}
