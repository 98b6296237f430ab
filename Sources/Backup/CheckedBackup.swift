import Glibc
import Presets
import Storage
import System

/// A backup that has been read and checked as a whole, before anything is changed.
public struct CheckedBackup: Sendable {
  /// The documents, and the kinds that they replace.
  package let documents: [DocumentID: DocumentHistory]
  package let kinds: [DocumentKind]
  let manifest: Manifest
  let files: [BackupFile]
  // Entries that are left out because this pipit does not know them.
  private let unknown: [String]

  /// Reads and checks a backup in memory. Any thread. Throws if anything in it is damaged, missing, too large or
  /// unsafe.
  public init(_ bytes: [UInt8], for folders: BoxFolders) throws(BackupError) {
    try self.init(FileContents(bytes), for: folders)
  }

  /// Reads and checks the file of a backup. Waits for the disk; any thread. Throws as for one in memory, or if the file
  /// cannot be read.
  public init(_ file: FileContents, for folders: BoxFolders) throws(BackupError) {
    let (manifest, all) = try BackupArchive.read(file, in: folders.state)
    self.manifest = manifest
    kinds = DocumentKind.ofPlayer.filter { manifest.kinds.contains($0.name) }
    var (files, unknown): ([BackupFile], [String]) = ([], [])
    for file in all {
      if DocumentFiles.identity(file.path, kinds) != nil { continue }
      if try folders.holds(file) { files.append(file) } else { unknown.append(file.path) }
    }
    (self.files, self.unknown) = (files, unknown)
    documents = try DocumentFiles.documents(all, kinds)
    if let session = documents[DocumentID(.session)]?.current?.text {
      do throws(TextRefusal) { try Session.check(session) } catch {
        throw BackupError("the backup holds a session that cannot be read: \(error)")
      }
    }
  }

  /// The restored items, as sentences.
  public struct Outcome: Sendable {
    /// The restored items, and remarks about them; the most important first.
    public let sentences: [String]

    /// The outcome if the presets and settings could not be written.
    var notOnDisk: Outcome {
      Outcome(sentences: sentences + ["its presets and settings are in memory, and not on the disk yet"])
    }
  }

  /// Saves a backup of the present state, replaces the songs, tunings, wavetables and pad files of a box, and puts
  /// the restored configuration in a separate folder. The caller then restores the documents. Waits for the disk; any
  /// thread. Throws if the present state cannot be saved, and nothing is changed then; also throws if a file cannot
  /// be replaced.
  /// - Parameter before: The state of the box.
  public func restoreFiles(over before: BoxSnapshot) throws(BackupError) -> Outcome {
    let folders = before.folders
    let kept = try before.backup()
    try folders.checkRoom(files.reduce(kept.file.count) { $0 + $1.contents.count })
    let path = try EarlierStates(folders.state).keep(kept.file, time: before.time)
    do throws(FileShelf.Failure) {
      try folders.replace(files)
    } catch {
      throw BackupError("\(error); some files are replaced, and the state before is in \(path)")
    }
    var sentences = [summary, "the state before is in \(path)"]
    sentences += try RestoredConfiguration(folders).lay(files)
    sentences += kept.problems.map { "not in the backup of the state before: \($0)" }
    if !unknown.isEmpty {
      sentences.append("this pipit does not know, and left out: " + unknown.prefix(5).joined(separator: ", "))
    }
    return Outcome(sentences: sentences)
  }

  /// The contents in a sentence.
  var summary: String {
    func count(_ number: Int, _ kind: String) -> String { "\(number) \(kind)\(number == 1 ? "" : "s")" }
    let presets = documents.count { $0.key.kind == .preset && $0.value.current != nil }
    let songs = files.count { $0.path.hasPrefix("songs/") }
    let tunings = files.count { $0.path.hasPrefix("tunings/") }
    let date = dateText(manifest.made, "%Y-%m-%d %H:%M")
    return
      "restored \(count(presets, "preset")), \(count(songs, "song")) and \(count(tunings, "tuning file")) of "
      + "\(manifest.host), \(date), pipit \(manifest.version)"
  }

  /// The configuration files that differ from those of the box, with their paths there.
  public func changedConfiguration(_ folders: BoxFolders) -> [(path: String, bytes: [UInt8])] {
    folders.changedConfiguration(files).map {
      (folders.path(ofConfiguration: $0), (try? $0.bytes()) ?? [])
    }
  }
}

/// Backups of states that a restore has replaced, in the folder `backups` of the state folder; the last five are
/// kept.
struct EarlierStates {
  let folder: String

  static let mostStates = 5
  private static let beginning = "before restore "

  init(_ state: String) { folder = state + "/backups" }

  /// Keeps a backup, complete on the disk on return. Returns its path.
  func keep(_ backup: FileContents, time: Int) throws(BackupError) -> String {
    mkdir(folder, 0o750)
    let name = EarlierStates.beginning + dateText(time, "%Y-%m-%d %H.%M.%S")
    var (path, number) = ("\(folder)/\(name).tar.gz", 1)
    while access(path, F_OK) == 0 {
      number += 1
      path = "\(folder)/\(name) (\(number)).tar.gz"
    }
    do throws(FileError) {
      let file = try NewFile(path)
      try file.write(backup)
      try file.finish()
    } catch {
      throw BackupError("cannot keep the state before, so nothing is changed: \(error.reasonFirst)")
    }
    let all = (fileNames(in: folder) ?? []).filter { $0.hasPrefix(EarlierStates.beginning) }
    for name in all.dropLast(EarlierStates.mostStates) { unlink(folder + "/" + name) }
    return path
  }
}

/// The configuration of a restored backup. pipit does not change its own configuration, since only root may write in
/// /etc. It puts changed files into the folder `restored` of the state folder, and says how to use them.
struct RestoredConfiguration {
  private let folders: BoxFolders
  private var folder: String { folders.state + "/restored" }

  /// The folder of the configuration file.
  private var target: String {
    let path = folders.configuration
    return path.lastIndex(of: "/").map { String(path[...$0]) } ?? "."
  }

  init(_ folders: BoxFolders) { self.folders = folders }

  /// Puts the files that differ from those of the box into the folder `restored`. Returns a sentence about them; none
  /// if all are equal.
  func lay(_ files: [BackupFile]) throws(BackupError) -> [String] {
    let more = folder + "/pipit.conf.d"
    // Files of an earlier restore would be copied together with these.
    for name in fileNames(in: more) ?? [] where name.hasSuffix(".conf") { unlink(more + "/" + name) }
    unlink(folder + "/pipit.conf")
    rmdir(more)
    rmdir(folder)
    let changed = folders.changedConfiguration(files)
    if changed.isEmpty { return [] }
    mkdir(folder, 0o750)
    do throws(FileError) {
      for file in changed {
        let path = folder + "/" + file.path.split(separator: "/").dropFirst().joined(separator: "/")
        if file.path != BoxFolders.configurationPathInBackup { mkdir(more, 0o750) }
        let new = try NewFile(path)
        try new.write(file.contents)
        try new.finish()
      }
    } catch {
      return ["the configuration is not restored: \(error.reasonFirst)"]
    }
    return [
      "the configuration differs and is not changed; that of the backup is in \(folder). Look at it; to use it: "
        + "sudo cp -r \(folder)/. \(target) && sudo systemctl restart pipit"
    ]
  }
}
