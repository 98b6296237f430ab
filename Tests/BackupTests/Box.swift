import Parameters
import Scenes
import Scratch
import System
@testable import Backup
@testable import Presets
@testable import Storage

/// A box without an instrument: a state folder with a database, and a configuration beside it.
struct Box {
  let folder = Folder()
  var state: String { folder.path + "/state" }
  var folders: BoxFolders {
    BoxFolders(
      state: state, songs: state + "/songs", tunings: state + "/tunings", wavetables: state + "/wavetables",
      pads: state + "/pads",
      configuration: folder.path + "/etc/pipit.conf", configurationFolder: folder.path + "/etc/pipit.conf.d")
  }

  /// Its library. `close` writes what was changed.
  func open() -> Library { Library(database: state + "/presets.sqlite", factory: nil) { _ in } }

  /// Writes what was changed in a library.
  func close(_ library: Library) {
    precondition(library.stop(within: 60), "the library could not be written")
  }

  var snapshot: BoxSnapshot {
    let library = open()
    defer { close(library) }
    return BoxSnapshot(library.documents.collections(of: DocumentKind.ofPlayer), folders, version: "0.0.1")
  }

  var documents: [DocumentID: DocumentHistory] { snapshot.documents }

  /// Restores as `pipit restore` does without an instrument.
  func restore(_ bytes: [UInt8]) throws -> [String] {
    let backup = try CheckedBackup(bytes, for: folders)
    let outcome = try backup.restoreFiles(over: snapshot)
    let library = open()
    library.restore(backup.documents, of: backup.kinds)
    close(library)
    return outcome.sentences
  }

  /// Fills it with something of every kind: versions, a trash, odd names.
  func fill() throws {
    let library = open()
    try Box.addPresets(to: library)
    library.documents.save(text: "pipit session 1\nfocus 4\n", .session)
    library.documents.save(text: "pipit devices 1\ndevice 7\nclient Keys\nset mpe lower\n", .devices)
    library.documents.save(text: "pipit cards 1\ncard -600 USB-Audio Box\n", .cards)
    library.documents.save(text: "pipit clients 1\n", .clients)
    close(library)
    folder.file("state/songs/Tune é.mid", Box.song)
    folder.file("state/songs/" + String(repeating: "n", count: 150) + ".mid", [1, 2, 3])
    folder.file("state/tunings/just.scl", Box.scale)
    folder.file("state/pads/mine.txt", "pipit pads 1\n")
    folder.file("etc/pipit.conf", "rate = 44100\n")
    folder.file("etc/pipit.conf.d/10-image.conf", "period = 64\n")
  }

  private static func addPresets(to library: Library) throws {
    for name in ["Warm Bass", "Größe/2 \u{1F3B9}", "Lead"] { try save(name, cutoff: 100, in: library) }
    for number in 1...3 { try save("Warm Bass", cutoff: Float(number) * 1_000, in: library) }
    let slot = try Box.slot(2)
    try library.remove(slot)
  }

  private static func save(_ name: String, cutoff: Float, in library: Library) throws {
    var patch = Patch.initial
    patch.filter.cutoff = cutoff
    try library.save(patch, name: name)
  }

  static func slot(_ program: Int) throws -> Slot {
    guard let slot = Slot(bank: 1, program: program) else { throw BackupError("no slot") }
    return slot
  }

  static let scale = "! just.scl\n!\nJust\n 2\n!\n 3/2\n 2/1\n"
  static let song: [UInt8] = [
    0x4D, 0x54, 0x68, 0x64, 0, 0, 0, 6, 0, 0, 0, 1, 0, 96, 0x4D, 0x54, 0x72, 0x6B, 0, 0, 0, 12, 0, 0x90, 60,
    100, 96, 0x80, 60, 0, 0, 0xFF, 0x2F, 0,
  ]

  /// The contents of all files outside the database and the kept backups, by their paths.
  var files: [String: [UInt8]] {
    var found: [String: [UInt8]] = [:]
    func walk(_ path: String, _ name: String) {
      for child in names(path) where !child.hasPrefix("presets.sqlite") && child != "backups" {
        let below = path + "/" + child
        names(below).isEmpty ? found[name + child] = contents(below) : walk(below, name + child + "/")
      }
    }
    walk(folder.path, "")
    return found
  }

  private func names(_ path: String) -> [String] {
    (fileNames(in: path) ?? []) + (fileNames(in: path + "/.trash") ?? []).map { ".trash/" + $0 }
  }
}

extension BoxSnapshot.Made {
  /// The bytes of the file.
  var bytes: [UInt8] { (try? file.bytes()) ?? [] }
}

extension BackupFile: Equatable {
  public static func == (one: BackupFile, other: BackupFile) -> Bool {
    one.path == other.path && one.modified == other.modified && (try? one.bytes()) == (try? other.bytes())
  }
}
