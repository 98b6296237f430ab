import Glibc
import Scenes
import Scratch
import System
import Testing
@testable import Backup
@testable import Presets
@testable import Storage

/// Files that are no backups, or were made to do harm.
@Suite("A hostile or damaged backup") struct HostileBackupTests {
  private let box = Box()

  private func refusal(_ bytes: [UInt8]) -> String? {
    do throws(BackupError) {
      _ = try CheckedBackup(bytes, for: box.folders)
      return nil
    } catch { return error.description }
  }

  /// An archive of headers with contents, as a stranger writes it.
  private func archive(_ entries: [(TarHeader, [UInt8])]) throws -> [UInt8] {
    let gzip = try #require(DeflateStream(.gzip))
    for (header, content) in entries {
      gzip.write(header.block)
      gzip.write(content + [UInt8](repeating: 0, count: (512 - content.count % 512) % 512))
    }
    gzip.write([UInt8](repeating: 0, count: 1024))
    gzip.finish()
    return gzip.bytes
  }

  /// An archive with files and a manifest that names them.
  private func archive(_ files: [(String, [UInt8])], kinds: String = "preset session") throws -> [UInt8] {
    var text = "pipit backup 1\nversion 1\nmade 1\nhost h\nkinds \(kinds)\n"
    for (path, bytes) in files {
      text += "file \(String(BackupFile.checksum(bytes), radix: 16)) \(bytes.count) \(path)\n"
    }
    let all = [("manifest.txt", Array((text + "end\n").utf8))] + files
    return try archive(
      all.map { (TarHeader(.file, BackupPath.top + $0.0, size: $0.1.count, modified: 0), $0.1) })
  }

  @Test("has headers that read as they were written")
  func headers() throws {
    for (size, modified) in [(0, 0), (5, 1_700_000_001), (0o7_777_777, Int(UInt32.max))] {
      let header = TarHeader(.file, "presets/a b.txt", size: size, modified: modified)
      let read = try TarHeader(header.block, at: 0)
      #expect(read.size == size && read.modified == modified)
      #expect(read.name == header.name && read.kind == .file)
    }
  }

  @Test("is refused wherever it is cut, and with whatever byte changed, or reads the same")
  func damage() throws {
    let full = Box()
    try full.fill()
    let bytes = try full.snapshot.backup().bytes
    let read = try CheckedBackup(bytes, for: box.folders)
    for end in stride(from: 0, to: bytes.count, by: 7) {
      #expect(refusal(Array(bytes[..<end])) != nil, "\(end)")
    }
    var changed = 0
    for index in bytes.indices {
      var other = bytes
      other[index] ^= 1 << UInt8(index % 8)
      // The header of gzip has a time and the name of a system, and some bits mean nothing.
      guard let again = try? CheckedBackup(other, for: box.folders) else { continue }
      #expect(again.documents == read.documents && again.files == read.files, "\(index)")
      changed += 1
    }
    // Measured 14 to 18 of thousands: it depends on where the compressed blocks end.
    #expect(changed <= 32, "\(changed)")
    #expect(refusal(bytes + [0])?.contains("1 bytes follow its end") == true)
    #expect(refusal([]) != nil && refusal(Array("PK\u{3}\u{4}".utf8))?.contains("no backup of pipit") == true)
  }

  @Test("reaches no file outside its folders")
  func paths() throws {
    for path in [
      "../x", "songs/../../x.mid", "/etc/passwd", "songs//x.mid", "songs/.hidden.mid", "songs/a\u{1}.mid",
      "songs/a/b/c/d.mid", "songs/x.mid/", "", ".", "songs\\x.mid", "presets/..txt",
      "songs/" + String(repeating: "n", count: 201) + ".mid",
    ] {
      let why = refusal(try archive([(path, [1])]))
      #expect(
        why?.contains("not safe") == true || why?.contains("damaged") == true, "\(path): \(why ?? "taken")")
    }
    // A path that a record or a GNU header names.
    for kind in [TarHeader.Kind.records, .longName] {
      let name = kind == .longName ? "../x" : "14 path=../x\n\n"
      let bytes = try archive([
        (TarHeader(.file, "manifest.txt", size: 0, modified: 0), []),
        (TarHeader(kind, "x", size: name.utf8.count, modified: 0), Array(name.utf8)),
        (TarHeader(.file, "songs/x.mid", size: 0, modified: 0), []),
      ])
      #expect(refusal(bytes)?.contains("not safe") == true, "\(refusal(bytes) ?? "")")
    }
    var link = TarHeader(.file, "songs/x.mid", size: 0, modified: 0).block
    link[156] = 0x32
    let sum = link.enumerated().reduce(0) { $0 + ((148..<156).contains($1.offset) ? 32 : Int($1.element)) }
    let digits = String(sum, radix: 8)
    for (index, byte) in (String(repeating: "0", count: 6 - digits.count) + digits).utf8.enumerated() {
      link[148 + index] = byte
    }
    let gzip = try #require(DeflateStream(.gzip))
    gzip.write(link + [UInt8](repeating: 0, count: 1024))
    gzip.finish()
    #expect(refusal(gzip.bytes)?.contains("neither a file nor a folder") == true)
  }

  @Test("does not fill the memory")
  func size() throws {
    // Two gigabytes of zeros in two megabytes.
    let gzip = try #require(DeflateStream(.gzip))
    gzip.write(TarHeader(.file, "manifest.txt", size: 1 << 31, modified: 0).block)
    let zeros = [UInt8](repeating: 0, count: 1 << 20)
    for _ in 0..<2_048 { gzip.write(zeros) }
    gzip.finish()
    #expect(refusal(gzip.bytes)?.contains("too large") == true)
    #expect(refusal([UInt8](repeating: 0x1F, count: Limits.backupBytes + 1))?.contains("too many") == true)
    let long = [UInt8](repeating: 0x20, count: Limits.textBytes + 1)
    let preset = [UInt8](repeating: 0x20, count: Limits.presetBytes + 1)
    #expect(refusal(try archive([("presets/1-1.txt", preset)]))?.contains("the limit is 131072") == true)
    #expect(
      refusal(try archive([("songs/x.mid", [UInt8](repeating: 0, count: 1 << 20 + 1))]))?.contains("limit")
        == true)
    #expect(
      refusal(try archive([("configuration/pipit.conf", long)]))?.contains("the limit is 65536") == true)
    // Many versions of one preset: the newest count.
    let versions = (1...20).map {
      ("presets/1-1.earlier-\($0).txt", Array("pipit preset 1\nname P\($0)\n".utf8))
    }
    let backup = try CheckedBackup(try archive(versions), for: box.folders)
    #expect(backup.documents[DocumentID(.preset, "1/1")]?.earlier.map(\.name) == ["P4", "P3", "P2", "P1"])
  }

  @Test("is refused if its parts do not agree, or are no texts")
  func parts() throws {
    #expect(refusal(try archive([("presets/1-1.txt", [0xFF, 0xFE])]))?.contains("no text") == true)
    #expect(
      refusal(try archive([("session.txt", Array("pipit preset 1\n".utf8))]))?.contains(
        "session that cannot be read")
        == true)
    let twice = try archive([("songs/x.mid", [1]), ("songs/x.mid", [1])])
    #expect(refusal(twice)?.contains("comes twice") == true)
    let text = "pipit backup 1\nkinds preset\nfile 0 3 songs/x.mid\n"
    for (text, content, why) in [
      (text, [] as [UInt8], "end of manifest"), (text + "end\n", [1, 2], "manifest.txt says 3"),
      (text + "end\n", [1, 2, 3], "checksum"), ("hello\nend\n", [], "does not begin with"),
      (text + "file x 1 a\nend\n", [], "line 4 of manifest"),
      (text + "file 0 1 songs/y.mid\nend\n", [], "says 3"),
    ] {
      let manifest = Array(text.utf8)
      let bytes = try archive([
        (TarHeader(.file, "manifest.txt", size: manifest.count, modified: 0), manifest),
        (TarHeader(.file, "songs/x.mid", size: content.count, modified: 0), content),
      ])
      #expect(refusal(bytes)?.contains(why) == true, "\(refusal(bytes) ?? "taken")")
    }
    // Files of a newer pipit are left out.
    let backup = try CheckedBackup(try archive([("new/x.bin", [1])]), for: box.folders)
    #expect(
      try backup.restoreFiles(over: box.snapshot).sentences.contains { $0.contains("left out: new/x.bin") })
  }

  @Test("changes nothing: the box is as before")
  func nothing() throws {
    try box.fill()
    let (documents, files) = (box.documents, box.files)
    let bytes = try box.snapshot.backup().bytes
    let read = try CheckedBackup(bytes, for: box.folders)
    var random = SeededRandom(31)
    for _ in 0..<1_000 {
      var other = bytes
      for _ in 0..<Int.random(in: 1...8, using: &random) {
        let index = Int.random(in: 12..<other.count - 8, using: &random)
        other[index] = UInt8.random(in: 0...255, using: &random)
      }
      if Bool.random(using: &random) { other.removeLast(Int.random(in: 1..<other.count, using: &random)) }
      // Some bits mean nothing: the name of a system, the end of a compressed block.
      if let same = try? CheckedBackup(other, for: box.folders) {
        #expect(same.documents == read.documents && same.files == read.files)
        continue
      }
      #expect(throws: BackupError.self) { try box.restore(other) }
    }
    #expect(box.documents == documents && box.files == files)
    #expect(access(box.state + "/backups", F_OK) != 0)
  }
}
