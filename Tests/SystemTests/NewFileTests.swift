import Glibc
import Scratch
import Testing

@testable import System

@Suite("A new file") struct NewFileTests {
  private let folder = Folder()
  private var path: String { folder.path + "/file" }

  private func write(_ words: String, to path: String) throws {
    let file = try NewFile(path)
    try file.write(Array(words.utf8))
    try file.finish()
  }

  @Test("is on the disk before it has its name: a power cut leaves it whole, or the older one")
  func powerCut() throws {
    let cut = PowerCut(folder)
    try write("old", to: path)
    #expect(cut.files == ["file": Array("old".utf8)])
    let file = try NewFile(path)
    try file.write(Array("new".utf8))
    #expect(cut.files["file"] == Array("old".utf8))
    try file.finish()
    #expect(cut.files == ["file": Array("new".utf8)])
  }

  @Test("is deleted at the next start if its process was killed, and nothing else is")
  func abandoned() {
    // No process has a number above the system's limit.
    let names = ["a.mid.\(getpid()).part", "a.mid.9999999.part", "b.9999999.mid", "c.part", "c.wav.part"]
    for name in names { folder.file(name, "x") }
    NewFile.removeAbandoned(in: folder.path)
    #expect(folder.names == names.filter { $0 != "a.mid.9999999.part" })
  }

  @Test("takes away nothing but what it began: neither a file of its own draft's name nor the older one")
  func draft() throws {
    try write("old", to: path)
    let other = "file.\(getpid()).part"
    folder.file(other, "mine")
    #expect(throws: FileError.self) { try NewFile(path) }
    #expect(contents(folder.path + "/" + other) == Array("mine".utf8))
    unlink(folder.path + "/" + other)
    do {
      let file = try NewFile(path)
      try file.write([1, 2, 3])
      #expect(folder.names == ["file", other])
    }
    #expect(folder.names == ["file"] && contents(path) == Array("old".utf8))
  }

  @Test("is written where a link leads, be there something yet or not, and never in a circle")
  func links() throws {
    for (link, target) in [("near", "target"), ("far", folder.path + "/other"), ("twice", "near")] {
      #expect(symlink(target, folder.path + "/" + link) == 0)
    }
    try write("one", to: folder.path + "/near")
    try write("two", to: folder.path + "/far")
    #expect(contents(folder.path + "/target") == Array("one".utf8))
    #expect(contents(folder.path + "/other") == Array("two".utf8))
    try write("three", to: folder.path + "/twice")
    #expect(contents(folder.path + "/target") == Array("three".utf8))
    var status = stat()
    #expect(lstat(folder.path + "/near", &status) == 0 && status.st_mode & S_IFMT == S_IFLNK)
    #expect(symlink("circle", folder.path + "/circle") == 0)
    #expect {
      try NewFile(folder.path + "/circle")
    } throws: { "\($0)".contains("Too many levels of symbolic links") }
  }

  @Test("that is a pipe waits for its reader until it is told to give up; a folder is none")
  func pipes() throws {
    #expect(mkfifo(path, 0o600) == 0)
    var asked = 0
    #expect {
      try NewFile(path) {
        asked += 1
        return asked == 3
      }
    } throws: { "\($0)" == "cannot write \(path): interrupted" }
    #expect(asked == 3)
    let reader = open(path, O_RDONLY | O_NONBLOCK)
    defer { close(reader) }
    let file = try NewFile(path)
    try file.write([7])
    #expect(throws: FileError.self) { try file.rewind() }
    try file.finish()
    var byte: UInt8 = 0
    #expect(read(reader, &byte, 1) == 1 && byte == 7)
    #expect { try NewFile(folder.path) } throws: { "\($0)".hasSuffix("it is a folder") }
  }

  @Test("is written anew from its beginning after a rewind")
  func rewind() throws {
    let file = try NewFile(path)
    try file.write([1, 2, 3, 4])
    try file.rewind()
    try file.write([9])
    try file.finish()
    #expect(contents(path) == [9, 2, 3, 4])
  }

  @Test("is refused with the reason first where a label cuts off what is long")
  func reasons() {
    #expect(
      FileError("read", "/songs/old/a.mid", "why").reasonFirst == "why: cannot read a.mid in /songs/old")
    #expect(FileError("read", "/a.mid", "why").reasonFirst == "why: cannot read a.mid in /")
    #expect(FileError("read", "a.mid", "why").reasonFirst == "why: cannot read a.mid")
    #expect(FileError("read", "/songs/", "why").reasonFirst == "why: cannot read /songs/")
    #expect(FileError("read", "a.mid", "why").description == "cannot read a.mid: why")
    errno = ENOSPC
    let full = FileError("write", "a.mid")
    #expect(full.code == ENOSPC && full.reason == "No space left on device")
  }

  @Test("Waits are rounded up to milliseconds, since waking a moment early would spin")
  func waits() {
    let waits: [(Int64, Int32)] = [
      (.max, -1), (0, 0), (-1, 0), (.min, 0), (1, 1), (999_999, 1), (1_000_000, 1), (1_000_001, 2),
      (60_000_000_000, 60_000), (.max - 1, .max),
    ]
    for (nanoseconds, milliseconds) in waits { #expect(pollTimeout(nanoseconds) == milliseconds) }
  }

  @Test("Words of others are quoted, sixty-four letters of them, without what moves a cursor or turns a line")
  func quotes() {
    let most = String(repeating: "a", count: 64)
    #expect(quoted("Pad") == "\"Pad\"" && quoted("") == "\"\"")
    #expect(quoted(most) == "\"\(most)\"" && quoted(most + "b") == "\"\(most)…\"")
    #expect(quoted("a\u{1B}b\nc\u{202E}d\u{2028}e\u{2029}f") == "\"a?b?c?d?e?f\"")
    #expect(quoted("Ærø 🎹") == "\"Ærø 🎹\"")
  }

  @Test("A word of three letters is meant where one is wrong, of six where two are, and the nearest is named")
  func near() {
    #expect(nearest(to: "ratt", among: ["rate"]) == "rate" && nearest(to: "ab", among: ["cd"]) == nil)
    #expect(nearest(to: "abc", among: ["xyc"]) == nil && nearest(to: "abcdef", among: ["xycdef"]) == "xycdef")
    #expect(nearest(to: "abcdef", among: ["xyzdef"]) == nil)
    #expect(nearest(to: "period", among: ["periods", "period"]) == "period")
  }
}
