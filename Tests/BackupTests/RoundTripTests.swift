import Glibc
import Scratch
import System
import Testing

@testable import Backup
@testable import Presets
@testable import Storage

@Suite("A backup") struct RoundTripTests {
  @Test("restores a clean box to the same documents, songs, tunings, and configuration")
  func clean() throws {
    let (box, other) = (Box(), Box())
    try box.fill()
    let made = try box.snapshot.backup()
    #expect(made.problems.isEmpty && made.name.hasPrefix("pipit-") && made.name.hasSuffix(".tar.gz"))
    let sentences = try other.restore(made.bytes)
    #expect(sentences[0].hasPrefix("restored 2 presets, 2 songs and 1 tuning file of "), "\(sentences)")
    #expect(other.documents == box.documents && box.documents.count == 6)
    #expect(other.documents.keys.contains { $0.kind == .session })
    // The trash, and all versions.
    let removed = try Box.slot(2).key
    #expect(other.documents[DocumentID(.preset, removed)]?.current == nil)
    #expect(other.documents[DocumentID(.preset, removed)]?.earlier.map(\.name) == ["Lead"])
    #expect(other.documents[DocumentID(.preset, try Box.slot(0).key)]?.earlier.count == 3)
    for name in ["state/songs/Tune é.mid", "state/tunings/just.scl", "state/pads/mine.txt"] {
      #expect(other.files[name] == box.files[name] && other.files[name] != nil, "\(name)")
    }
    // The configuration is laid aside: the instrument does not write its own.
    #expect(other.files["etc/pipit.conf"] == nil)
    #expect(other.files["state/restored/pipit.conf"] == Array("rate = 44100\n".utf8))
    #expect(other.files["state/restored/pipit.conf.d/10-image.conf"] == Array("period = 64\n".utf8))
    #expect(
      sentences.contains { $0.contains("sudo cp -r \(other.state)/restored/. \(other.folder.path)/etc/") })
    #expect(box.files.count == 6 && !made.bytes.isEmpty)
  }

  @Test("holds each kind of document that is the player's, setups and setlists among them")
  func kinds() throws {
    let (box, other) = (Box(), Box())
    let library = box.open()
    for kind in DocumentKind.all {
      let key = library.documents[collection: kind].freeKey(sparesTrash: false) ?? ""
      try library.documents.save(Document(name: "", text: "pipit \(kind.name) 1\n"), kind, key)
    }
    box.close(library)
    _ = try other.restore(box.snapshot.backup().bytes)
    let restored = other.open()
    let names = DocumentKind.all.filter { !restored.documents[all: $0].isEmpty }.map(\.name)
    other.close(restored)
    #expect(names == ["preset", "setup", "setlist", "mark", "session", "cards", "devices"])
  }

  @Test("over a used box loses nothing: what was there is in the trash, and in a backup that restores it")
  func used() throws {
    let (box, other) = (Box(), Box())
    try box.fill()
    let mine = other.open()
    try mine.save(.initial, name: "Mine")
    for number in 10...12 {
      let slot = try Box.slot(number)
      try mine.save(.initial, name: "Own \(number)", slot: slot)
    }
    other.close(mine)
    other.folder.file("state/songs/Tune é.mid", [9])
    other.folder.file("state/songs/Only here.mid", [8])
    other.folder.file("state/tunings/just.scl", Box.scale)
    other.folder.file("etc/pipit.conf", "rate = 44100\n")
    let before = other.documents
    let sentences = try other.restore(box.snapshot.backup().bytes)
    let library = other.open()
    #expect(library.presets.map(\.name) == ["Warm Bass", "Größe/2 \u{1F3B9}"])
    #expect(library.listing.trash.map(\.name) == ["Lead", "Own 10", "Own 11", "Own 12"])
    other.close(library)
    // The version before is the oldest one of the slot; four are kept.
    let history = other.documents[DocumentID(.preset, try Box.slot(0).key)]
    #expect(history?.earlier.count == 4 && history?.earlier.first?.name == "Mine")
    #expect(other.files["state/songs/Tune é.mid"] == Box.song)
    #expect(other.files["state/songs/.trash/Tune é.mid"] == [9])
    #expect(other.files["state/songs/.trash/Only here.mid"] == [8])
    #expect(
      other.files["state/songs/Only here.mid"] == nil && other.files["state/tunings/.trash/just.scl"] == nil)
    // Only what differs of the configuration is laid aside.
    #expect(other.files["state/restored/pipit.conf"] == nil)
    #expect(other.files["state/restored/pipit.conf.d/10-image.conf"] != nil)

    let path = try #require(sentences.first { $0.hasPrefix("the state before is in ") }?.dropFirst(23))
    _ = try other.restore(contents(String(path)))
    for (id, restored) in before { #expect(other.documents[id]?.current == restored.current, "\(id)") }
    #expect(other.files["state/songs/Only here.mid"] == [8] && other.files["state/songs/Tune é.mid"] == [9])
  }

  @Test("keeps the last five states before")
  func states() throws {
    let box = Box()
    try box.fill()
    let bytes = try box.snapshot.backup().bytes
    for _ in 0..<8 { _ = try box.restore(bytes) }
    let names = fileNames(in: box.state + "/backups") ?? []
    #expect(names.count == 5 && names.allSatisfy { $0.hasPrefix("before restore ") }, "\(names)")
    // Restoring what is there changes nothing else.
    #expect(try CheckedBackup(bytes, for: box.folders).documents == box.documents)
  }

  @Test("is opened by tar, and read again after tar has packed it in any of its formats")
  func tar() throws {
    let box = Box()
    try box.fill()
    let bytes = try box.snapshot.backup().bytes
    let folder = Folder()
    let path = folder.file("a.tar.gz", bytes)
    func run(_ command: String) -> Int32 { system("cd '\(folder.path)' && \(command)") }
    #expect(run("tar xzf '\(path)'") == 0)
    #expect(
      fileNames(in: folder.path + "/pipit-backup/presets")?.first == "1-0.earlier-1.txt",
      "\(fileNames(in: folder.path + "/pipit-backup/presets") ?? [])")
    #expect(contents(folder.path + "/pipit-backup/songs/Tune é.mid") == Box.song)
    let text = String(decoding: contents(folder.path + "/pipit-backup/presets/1-1.txt"), as: UTF8.self)
    #expect(text.hasPrefix("pipit preset 1\nname Größe/2 \u{1F3B9}\nslot 1 1\n"), "\(text)")
    let read = try CheckedBackup(bytes, for: box.folders)
    for format in ["gnu", "pax"] {
      let list = "pipit-backup/manifest.txt pipit-backup/[!m]*"
      #expect(run("tar czf \(format).tar.gz --format=\(format) \(list)") == 0)
      let again = try CheckedBackup(contents(folder.path + "/\(format).tar.gz"), for: box.folders)
      #expect(again.documents == read.documents, "\(format)")
    }
  }

  @Test("says which files it leaves out")
  func leftOut() throws {
    let box = Box()
    try box.fill()
    box.folder.file("state/songs/large.mid", [UInt8](repeating: 0, count: 1 << 20 + 1))
    box.folder.file("state/songs/back\\slash.mid", Box.song)
    let library = box.open()
    try library.documents.save(Document(name: "odd", text: "x"), .preset, String(repeating: "k", count: 300))
    box.close(library)
    let problems = try box.snapshot.backup().problems
    #expect(problems.count == 3, "\(problems)")
    #expect(
      problems.contains { $0.hasPrefix("songs/large.mid is left out: it is larger than 1048576 bytes") })
  }
}
