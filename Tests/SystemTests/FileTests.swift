import Glibc
import Scratch
import System
import Testing

@Suite("Files") struct FileTests {
  private let folder = Folder()

  private func write(_ bytes: [UInt8], to name: String) throws -> String {
    let path = folder.path + "/" + name
    let file = try NewFile(path)
    try file.write(bytes)
    try file.finish()
    return path
  }

  /// What reading says when it fails.
  private func complaint(_ path: String, limit: Int = 100, waits: Bool = true) -> FileError? {
    do throws(FileError) {
      _ = try readFile(path, limit: limit, waits: waits)
      return nil
    } catch { return error }
  }

  @Test("are read whole, up to the limit and not beyond it")
  func limits() throws {
    for count in [0, 1, 65_535, 65_536, 65_537, 200_000] {
      let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 * 7) }
      let path = try write(bytes, to: "\(count)")
      #expect(try readFile(path, limit: count) == bytes)
      #expect(try readFile(path, limit: .max - 1) == bytes)
      if count == 0 { continue }
      #expect(complaint(path, limit: count - 1)?.reason == "it is larger than \(count - 1) bytes")
    }
    #expect(complaint("/dev/zero")?.description == "cannot read /dev/zero: it is larger than 100 bytes")
  }

  @Test("that cannot be read say why")
  func errors() {
    let missing = complaint(folder.path + "/none")
    #expect(missing?.code == ENOENT)
    #expect(missing?.description == "cannot read \(folder.path)/none: No such file or directory")
    #expect(complaint(folder.path)?.code == EISDIR)
  }

  @Test("of the kernel, which have no size, are read too")
  func proc() throws {
    let text = String(decoding: try readFile("/proc/self/status", limit: 1 << 20), as: UTF8.self)
    #expect(text.hasPrefix("Name:"))
  }

  @Test("may be pipes; one that nobody writes into is waited for only when that is wanted")
  func pipes() throws {
    let path = folder.path + "/pipe"
    #expect(mkfifo(path, 0o600) == 0)
    #expect(try readFile(path, limit: 10, waits: false).isEmpty)
    let both = open(path, O_RDWR)
    defer { close(both) }
    _ = Glibc.write(both, "abc", 3)
    #expect(complaint(path, limit: 2, waits: false)?.reason == "it is larger than 2 bytes")
    #expect(complaint(path, waits: false)?.code == EAGAIN)
  }

  @Test("are listed in order, without the hidden ones; a folder that is none is nil")
  func names() throws {
    for name in ["b.txt", "a", ".hidden", "Z"] { _ = try write([], to: name) }
    #expect(mkdir(folder.path + "/c", 0o700) == 0)
    defer { rmdir(folder.path + "/c") }
    #expect(fileNames(in: folder.path) == ["Z", "a", "b.txt", "c"])
    #expect(fileNames(in: folder.path + "/none") == nil)
    #expect(fileNames(in: folder.path + "/a") == nil)
  }
}

@Suite("The edit distance") struct EditDistanceTests {
  private func distance(_ one: String, _ other: String, below limit: Int = .max) -> Int {
    editDistance(Array(one), Array(other), below: limit)
  }

  @Test(
    "counts what is put in, taken out or exchanged",
    arguments: [
      ("", "", 0), ("", "abc", 3), ("abc", "", 3), ("abc", "abc", 0), ("kitten", "sitting", 3),
      ("cutoff", "cutof", 1), ("flaw", "lawn", 2), ("ab", "ba", 2), ("intention", "execution", 5),
    ])
  func values(one: String, other: String, wanted: Int) {
    #expect(distance(one, other) == wanted && distance(other, one) == wanted)
    // The limit cuts off, and never alters what is below it.
    for limit in 0...8 { #expect(distance(one, other, below: limit) == min(wanted, limit)) }
  }

  @Test("finds the word that was meant, and none where none is near")
  func words() {
    let words = ["serve", "render", "presets", "parameters"]
    #expect(nearest(to: "rendr", among: words) == "render")
    #expect(nearest(to: "preset", among: words) == "presets")
    #expect(nearest(to: "xyzzy", among: words) == nil)
    #expect(nearest(to: "serve", among: []) == nil)
  }
}
