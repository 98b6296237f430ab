import CSyncs
import Foundation
import System

/// The files that a power cut would leave in a folder. A file keeps its bytes from its last sync, and none if it was
/// never synced. A removed file remains until the folder is synced; a renaming is on the disk at once.
public final class PowerCut: Sendable {
  /// Files by name.
  public typealias Files = [String: [UInt8]]

  /// A possible state of the disk at one time.
  public struct Moment: Sendable {
    /// The files.
    public let files: Files
    /// The `mark` at that time.
    public let mark: Int
  }

  private struct State {
    // The bytes of each file at its last sync, by inode.
    var synced: [UInt64: [UInt8]] = [:]
    // The inodes of the names that may be in the folder on the disk.
    var names: [String: UInt64] = [:]
    var moments: [Moment] = []
    var mark = 0
    var folderSyncs = 0
  }

  private let folder: Folder
  private let state = Mutex(State())

  /// Observes the files of `folder` while this object exists.
  public init(_ folder: Folder) {
    self.folder = folder
    watches.withLock { $0.append(Weak(cut: self)) }
    syncs_observe { file, isDone in
      guard let path = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\(file)")
      else { return }
      for watch in watches.withLock({ $0 }) { watch.cut?.take(path, isDone: isDone == 1) }
    }
  }

  deinit { watches.withLock { $0.removeAll { $0.cut == nil } } }

  /// A number that the test sets to record its progress; each moment stores it.
  public var mark: Int {
    get { state.withLock { $0.mark } }
    set { state.withLock { $0.mark = newValue } }
  }

  /// The number of syncs of the folder itself, which make the names in it permanent.
  public var folderSyncs: Int { state.withLock { $0.folderSyncs } }

  /// The files that are certainly on the disk now.
  public var files: Files {
    let current = current
    return state.withLock { PowerCut.files(current, $0) }
  }

  /// The possible contents of the disk at each sync so far: a file that is being synced may have its old or its new
  /// bytes, or alternate pages of both; and any file may have reached the disk early.
  public var moments: [Moment] { state.withLock { $0.moments } }

  private static func files(_ current: [String: (inode: UInt64, bytes: [UInt8])], _ state: State) -> Files {
    var files = current.mapValues { state.synced[$0.inode] ?? [] }
    let there = Set(current.values.map(\.inode))
    for (name, inode) in state.names where files[name] == nil && !there.contains(inode) {
      files[name] = state.synced[inode]
    }
    return files
  }

  private var current: [String: (inode: UInt64, bytes: [UInt8])] {
    var files: [String: (inode: UInt64, bytes: [UInt8])] = [:]
    for name in folder.names {
      var status = stat()
      guard stat(folder.path + "/" + name, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { continue }
      files[name] = (UInt64(status.st_ino), contents(folder.path + "/" + name))
    }
    return files
  }

  private func take(_ path: String, isDone: Bool) {
    if path == folder.path, isDone {
      state.withLock { ($0.folderSyncs, $0.names) = ($0.folderSyncs + 1, [:]) }
    }
    guard path.hasPrefix(folder.path + "/") else { return }
    let (current, name) = (current, String(path.dropFirst(folder.path.count + 1)))
    guard let file = current[name] else { return }
    if isDone { return state.withLock { $0.synced[file.inode] = file.bytes } }
    state.withLock { state in
      state.names.merge(current.mapValues(\.inode)) { $1 }
      let before = PowerCut.files(current, state)
      var all = [before]
      for (early, file) in current where before[early] != file.bytes {
        all += [file.bytes, PowerCut.torn(before[early] ?? [], file.bytes)].map { bytes in
          before.merging([early: bytes]) { $1 }
        }
      }
      state.moments += all.map { Moment(files: $0, mark: state.mark) }
    }
  }

  /// The bytes of a file of which every other page has reached the disk.
  private static func torn(_ before: [UInt8], _ after: [UInt8]) -> [UInt8] {
    var bytes = after
    for start in stride(from: 0, to: after.count, by: 2 * 4096) {
      for place in start..<min(start + 4096, after.count) {
        bytes[place] = place < before.count ? before[place] : 0
      }
    }
    return bytes
  }
}

private struct Weak: Sendable { weak var cut: PowerCut? }

private let watches = Mutex<[Weak]>([])
