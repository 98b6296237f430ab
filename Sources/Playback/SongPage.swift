import Control
import Scenes
import System

/// The songs of the player's folders by name, and the page of sixteen that surfaces show. Control thread.
final class SongPage {
  /// The time between two checks of the folders, nanoseconds.
  private static let interval: Int64 = 2_000_000_000

  private let folders: [String]
  private let worker: Worker
  private var files: [SongFiles.File] = []
  private var first = 0
  // The time of the last check, the folders' times of change then, and whether they are being read.
  private var checkedAt = Int64.min
  private var changes: [Int64?] = []
  private var isReading = false
  // The page that was shown last, and the song that was loaded then.
  private var shown: (state: SongPageState, name: String)?

  /// A page of the songs in folders. A song hides songs of the same name in later folders.
  init(_ folders: [String], _ loop: PollLoop) { (self.folders, worker) = (folders, Worker(loop)) }

  /// Reads the folders again if they have changed.
  func update(_ now: Int64) {
    if isReading || checkedAt != .min && now - checkedAt < Self.interval { return }
    checkedAt = now
    let changes = folders.map(folderChange)
    if changes == self.changes { return }
    let folders = folders
    isReading = worker.run {
      Self.files(in: folders)
    } then: { [unowned self] files in
      (self.files, self.changes, isReading) = (files, changes, false)
      if first >= files.count { first = 0 }
      shown = nil
    }
  }

  /// The file of a slot of the page, from 0; nil if it is empty.
  func file(slot: Int) -> SongFiles.File? {
    files.indices.contains(first + slot) && slot < Limits.presetsPerPage ? files[first + slot] : nil
  }

  /// Turns to the next or the previous page; from the last to the first and back.
  func turn(forward: Bool) {
    let size = Limits.presetsPerPage
    let last = max(0, files.count - 1) / size * size
    first = forward ? (first >= last ? 0 : first + size) : (first == 0 ? last : first - size)
    shown = nil
  }

  /// The page as surfaces show it while a song is loaded.
  func state(loaded name: String) -> SongPageState {
    if let shown, shown.name == name { return shown.state }
    let state = made(name)
    shown = (state, name)
    return state
  }

  private func made(_ name: String) -> SongPageState {
    var state = SongPageState()
    if files.isEmpty { return state }
    let shown = files[first..<min(first + Limits.presetsPerPage, files.count)]
    state.title = "\(first + 1)-\(shown.endIndex) of \(files.count)"
    for (slot, file) in shown.enumerated() { state.names[slot] = file.title }
    state.current = name.isEmpty ? nil : shown.firstIndex { $0.title == name }.map { $0 - first }
    return state
  }

  /// The songs of folders in the order of their names.
  private static func files(in folders: [String]) -> [SongFiles.File] {
    var (files, titles) = ([SongFiles.File](), Set<String>())
    for folder in folders {
      for name in SongFiles.names(in: folder) where titles.insert(SongFiles.title(name)).inserted {
        files.append(SongFiles.File(folder: folder, name: name))
      }
    }
    return files.sorted { ($0.title.lowercased(), $0.name) < ($1.title.lowercased(), $1.name) }
  }
}
