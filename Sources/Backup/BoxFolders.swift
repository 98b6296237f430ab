import Control
import Glibc
import Scenes
import System

/// The folders and files of a box that a backup holds besides the documents. Its methods wait for the disk. Any thread;
/// one at a time.
public struct BoxFolders: Sendable {
  /// The state folder.
  let state: String
  /// The folders of songs, tunings, wavetables and pad files: their names in a backup, and the largest file in bytes.
  let shelves: [(name: String, shelf: FileShelf, limit: Int)]
  /// The configuration file, and the folder of more such files.
  let configuration: String
  let configurationFolder: String

  /// The largest song, and the largest Scala file, bytes.
  static let (songBytes, tuningBytes) = (1 << 20, 262_144)

  /// The largest wavetable, as `WavetableFolder` reads it, bytes.
  static let wavetableBytes = 8 << 20

  /// The folders of a box.
  public init(
    state: String, songs: String, tunings: String, wavetables: String, pads: String, configuration: String,
    configurationFolder: String
  ) {
    self.state = state
    shelves = [
      ("songs", FileShelf(songs, endings: songEndings, kind: "song"), BoxFolders.songBytes),
      ("tunings", FileShelf(tunings, endings: [".scl", ".kbm"], kind: "tuning"), BoxFolders.tuningBytes),
      ("wavetables", FileShelf(wavetables, endings: [".wav"], kind: "wavetable"), BoxFolders.wavetableBytes),
      ("pads", FileShelf(pads, endings: [".txt"], kind: "pad file"), Limits.textBytes),
    ]
    (self.configuration, self.configurationFolder) = (configuration, configurationFolder)
  }

  // MARK: - Reading

  /// The path of the configuration file in a backup. Further configuration files are in this path with `.d` added.
  static let configurationPathInBackup = "configuration/pipit.conf"

  /// All files, in a spool, and a sentence about each that is left out.
  func files(_ spool: inout Spool) -> (files: [BackupFile], problems: [String]) {
    var (files, problems): ([BackupFile], [String]) = ([], [])
    func add(_ path: String, from source: String, limit: Int, modified: Int? = nil) {
      guard (try? BackupPath.checked(path)) == path else {
        problems.append("\(quoted(path)) is left out, since other computers cannot have a file of that name")
        return
      }
      do throws(FileError) {
        let bytes = try readFile(source, limit: limit, waits: false)
        files.append(
          BackupFile(
            path: path, try spool.add(bytes), checksum: BackupFile.checksum(bytes), modified: modified))
      } catch {
        problems.append("\(path) is left out: \(error.reason)")
      }
    }
    for (name, shelf, limit) in shelves {
      for entry in shelf.entries {
        add("\(name)/\(entry.name)", from: shelf.path(entry), limit: limit, modified: entry.modified)
      }
    }
    if access(configuration, F_OK) == 0 {
      add(BoxFolders.configurationPathInBackup, from: configuration, limit: Limits.textBytes)
    }
    for name in fileNames(in: configurationFolder) ?? [] where name.hasSuffix(".conf") {
      add(
        "\(BoxFolders.configurationPathInBackup).d/\(name)", from: configurationFolder + "/" + name,
        limit: Limits.textBytes)
    }
    return (files, problems)
  }

  // MARK: - Checking

  /// Whether a file of a backup belongs in these folders. Throws if it is too large.
  func holds(_ file: BackupFile) throws(BackupError) -> Bool {
    var limit = Limits.textBytes
    if let (_, shelf, most) = shelves.first(where: { file.path.hasPrefix($0.name + "/") }) {
      let names = file.path.split(separator: "/")
      guard names.count == 2, shelf.ending(of: String(names[1])) != nil else { return false }
      limit = most
    } else if !BoxFolders.isConfiguration(file.path) {
      return false
    }
    if file.contents.count > limit {
      throw BackupError(
        "the backup holds \(file.path) with \(file.contents.count) bytes; the limit is \(limit)")
    }
    return true
  }

  static func isConfiguration(_ path: String) -> Bool {
    path == configurationPathInBackup
      || path.hasPrefix(configurationPathInBackup + ".d/") && path.hasSuffix(".conf")
        && path.split(separator: "/").count == 3
  }

  // MARK: - Replacing

  /// Throws unless the disk has room for `bytes` more bytes, with 16 MiB to spare.
  func checkRoom(_ bytes: Int) throws(BackupError) {
    var disk = statvfs()
    guard statvfs(state, &disk) == 0 else { return }
    let free = Int(disk.f_bavail) * Int(disk.f_frsize)
    if free < bytes + BoxFolders.leftFree {
      throw BackupError(
        "the disk has \(free >> 20) MB left, and \((bytes + BoxFolders.leftFree) >> 20) MB are needed; nothing is changed"
      )
    }
  }

  private static let leftFree = 16 << 20

  /// Replaces all songs, tunings, wavetables and pad files by those of a backup. Removed and overwritten files move
  /// to the trash.
  func replace(_ files: [BackupFile]) throws(FileShelf.Failure) {
    for (name, shelf, _) in shelves {
      let restored = files.filter { $0.path.hasPrefix(name + "/") }
      let names = Set(restored.map { $0.path.dropFirst(name.utf8.count + 1) })
      for entry in shelf.entries where !names.contains(entry.name[...]) { try shelf.remove(entry) }
      for file in restored {
        let bytes: [UInt8]
        do throws(BackupError) { bytes = try file.bytes() } catch { throw FileShelf.Failure("\(error)") }
        _ = try shelf.save(String(file.path.dropFirst(name.utf8.count + 1)), bytes)
      }
    }
  }

  /// The configuration files in a backup that differ from those of the box.
  func changedConfiguration(_ files: [BackupFile]) -> [BackupFile] {
    files.filter { file in
      BoxFolders.isConfiguration(file.path)
        && (try? readFile(path(ofConfiguration: file), limit: Limits.textBytes, waits: false))
          != (try? file.bytes())
    }
  }

  /// The path on the box of a configuration file from a backup.
  func path(ofConfiguration file: BackupFile) -> String {
    guard file.path != BoxFolders.configurationPathInBackup else { return configuration }
    return configurationFolder + "/" + (file.path.split(separator: "/").last ?? "")
  }
}
