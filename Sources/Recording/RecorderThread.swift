import Glibc
import Synth
import System

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
