import Glibc
import Scratch
import System
import Testing

@Suite("A shelf of files") struct FileShelfTests {
  private let folder = Folder()
  private var shelf: FileShelf { FileShelf(folder.path + "/songs", endings: [".mid"], kind: "song") }

  private func refusal(_ body: () throws(FileShelf.Failure) -> Void) -> String? {
    do throws(FileShelf.Failure) {
      try body()
      return nil
    } catch { return error.description }
  }

  @Test("lists files of its kind with size and date, and none without a folder")
  func list() throws {
    #expect(shelf.entries.isEmpty && shelf.trash.isEmpty)
    folder.file("songs/b.mid", [1, 2, 3])
    folder.file("songs/A.MID", [1])
    for other in ["c.txt", ".hidden.mid", ".mid", "d.mid.part"] { folder.file("songs/" + other, [1]) }
    mkdir(folder.path + "/songs/e.mid", 0o700)
    mkfifo(folder.path + "/songs/f.mid", 0o700)
    #expect(shelf.entries.map(\.name) == ["A.MID", "b.mid"] && shelf.entries[1].bytes == 3)
    #expect(abs(shelf.entries[0].modified - Int(wallTime())) < 60)
    #expect(try shelf.find("b").name == "b.mid" && shelf.find("a").name == "A.MID")
    #expect(refusal { () throws(FileShelf.Failure) in _ = try shelf.find("x") } == "no song is named \"x\"")
    folder.file("songs/bb.mid", [1])
    #expect(try shelf.find("b").name == "b.mid")
    folder.file("songs/Bbc.mid", [1])
    #expect(
      refusal { () throws(FileShelf.Failure) in _ = try shelf.find("BB") } == "\"BB\" may be Bbc.mid, bb.mid")
  }

  @Test("renames, removes, restores, and overwrites nothing")
  func changes() throws {
    #expect(try shelf.save("one", [1]) == "one.mid" && shelf.save("Two.MID", [2]) == "Two.MID")
    #expect(try shelf.rename("one", to: "three") == "three.mid")
    #expect(refusal { () throws(FileShelf.Failure) in _ = try shelf.rename("three", to: "Two.MID") } != nil)
    #expect(try shelf.rename("Two.MID", to: "four") == "four.MID")
    #expect(try shelf.rename("four", to: "four") == "four.MID")
    #expect(try shelf.remove("three") == "three.mid" && shelf.entries.map(\.name) == ["four.MID"])
    // Another one of that name.
    _ = try shelf.save("three", [3])
    #expect(try shelf.remove("three") == "three.mid")
    #expect(shelf.trash.map(\.name) == ["three (2).mid", "three.mid"])
    #expect(contents(folder.path + "/songs/.trash/three (2).mid") == [3])
    #expect(
      try shelf.restore("three.mid") == "three.mid" && contents(folder.path + "/songs/three.mid") == [1])
    _ = try shelf.save("three", [9])
    #expect(contents(folder.path + "/songs/three.mid") == [9] && shelf.trash.count == 2)
    #expect(contents(folder.path + "/songs/.trash/three.mid") == [1])
    // Equal contents are not replaced.
    _ = try shelf.save("three", [9])
    #expect(shelf.trash.count == 2)
    #expect(
      refusal { () throws(FileShelf.Failure) in _ = try shelf.restore("three.mid") }?.contains("already")
        == true)
    #expect(try shelf.emptyTrash() == 2 && shelf.trash.isEmpty && shelf.emptyTrash() == 0)
  }

  @Test("takes no name that leads elsewhere, or cannot be seen")
  func names() throws {
    for name in [
      "", "../x", "/x", "a/b", ".x", "a\nb", "a\u{202E}b", " a", "a ", "a\\b",
      String(repeating: "n", count: 201),
    ] {
      #expect(!FileName.isValid(name), "\(name)")
      if name.first != " ", name.last != " " {
        #expect(refusal { () throws(FileShelf.Failure) in _ = try shelf.save(name, [1]) } != nil, "\(name)")
      }
    }
    // An ending alone is no name either.
    for (name, reason) in [
      ("", "takes a name"), (" ", "takes a name"), (".mid", "takes a name that does not begin with '.'"),
      (".x", "takes a name that does not begin with '.'"),
      (" .x", "takes a name that does not begin with '.'"),
      ("a/b", "takes a name without '/'"), ("a\u{200D}", "takes a name without '/'"),
      (String(repeating: "n", count: 197), "takes a name of 200 bytes at most, not 201"),
    ] {
      let said = refusal { () throws(FileShelf.Failure) in _ = try shelf.save(name, [1]) }
      #expect(said?.hasPrefix(reason) == true, "\(name.debugDescription): \(said ?? "taken")")
    }
    for name in ["a", "Tune é.mid", "ä b (2).mid", "🎹", String(repeating: "n", count: 200)] {
      #expect(FileName.isValid(name), "\(name)")
    }
    #expect(shelf.entries.isEmpty)
  }

  @Test("takes a name without the spaces at its ends")
  func spaces() throws {
    for wish in [" lead.mid", "lead.mid ", "\t lead .mid", "lead ", " lead"] {
      #expect(try shelf.save(wish, [1]) == "lead.mid")
      #expect(try shelf.rename("lead", to: wish) == "lead.mid")
    }
    #expect(shelf.entries.map(\.name) == ["lead.mid"])
  }

  @Test("says why the disk refuses")
  func disk() throws {
    folder.file("songs", [1])
    #expect(
      refusal { () throws(FileShelf.Failure) in _ = try shelf.save("x", [1]) }?.contains("Not a directory")
        == true)
    #expect(shelf.entries.isEmpty)
  }
}
