import Glibc
import Scenes
import Scratch
import Testing
@testable import Tuning

/// Tunings by the names of their files.
@Suite("The tuning folder") struct TuningFolderTests {
  private let files = Folder()
  private var path: String { files.path }
  private var folder: TuningFolder { TuningFolder(files.path) }

  private func error(_ choice: TuningChoice) -> String? {
    do throws(TuningError) {
      _ = try folder.tuning(of: choice)
      return nil
    } catch {
      return "\(error)"
    }
  }

  @Test("Scales and mappings of the folder are listed by name after the built-in ones")
  func listedNames() throws {
    #expect(folder.scales == ["equal"] && folder.maps == ["auto"])
    for name in ["b.scl", "a 7.SCL", "c.kbm", "equal.scl", "notes.txt", ".scl", ".hidden.scl"] {
      files.file(name, "")
    }
    #expect(folder.scales == ["equal", "a 7", "b"] && folder.maps == ["auto", "c"])
    #expect(TuningFolder(nil).scales == ["equal"] && TuningFolder("/nowhere").maps == ["auto"])
  }

  @Test("A scale uses the mapping of the same name unless another mapping is chosen")
  func mappingByName() throws {
    files.file("five.scl", "five\n5\n240.0\n480.0\n720.0\n960.0\n2/1\n")
    func key(_ key: Int, _ choice: TuningChoice) throws -> Float {
      try folder.tuning(of: choice)?[key] ?? .nan
    }
    func isNear(_ one: Float, _ other: Float) -> Bool { (one - other).magnitude < 1e-4 }
    #expect(try folder.tuning(of: TuningChoice()) == nil)
    #expect(isNear(try key(61, TuningChoice(scale: "five")), 62.4))
    files.file("five.kbm", "0\n0\n127\n69\n69\n432.0\n0\n")
    let a = Float(69 + 12 * log2(432.0 / 440))
    #expect(isNear(try key(69, TuningChoice(scale: "five")), a))
    files.file("plain.kbm", "0\n0\n127\n69\n69\n440.0\n0\n")
    #expect(try key(69, TuningChoice(scale: "five", map: "plain")) == 69)
    #expect(isNear(try key(57, TuningChoice(map: "five")), a - 12))
    #expect(isNear(try TuningFolder.tuning(file: path + "/five.scl")[69] ?? .nan, a))
    #expect(try TuningFolder.tuning(file: path + "/plain.kbm")[70] == 70)
  }

  @Test("An error names the tuning file that is missing, malformed, too large or a directory")
  func fileErrors() throws {
    #expect(error(TuningChoice(scale: "five"))?.hasPrefix("five.scl: there is no such file in ") == true)
    #expect(error(TuningChoice(map: "five"))?.hasPrefix("five.kbm: there is no such file in ") == true)
    #expect(error(TuningChoice(scale: "../five")) != nil)
    files.file("bad.scl", "bad\n1\n3:2\n")
    #expect(error(TuningChoice(scale: "bad"))?.hasPrefix("bad.scl, line 3: \"3:2\" is no pitch") == true)
    files.file("five.scl", "five\n1\n2/1\n")
    files.file("five.kbm", "1\n0\n127\n60\n61\nA\n")
    #expect(
      error(TuningChoice(scale: "five"))?.hasPrefix("five.kbm, line 6: \"A\" is not the frequency") == true)
    mkdir(path + "/folder.scl", 0o700)
    #expect(error(TuningChoice(scale: "folder")) == "folder.scl: Is a directory")
    // One that nobody writes into is not waited for.
    mkfifo(path + "/pipe.scl", 0o600)
    #expect(error(TuningChoice(scale: "pipe"))?.hasPrefix("pipe.scl, line 1: the file ends here") == true)
    let scale = "x\n1\n2/1\n"
    files.file("large.scl", scale + String(repeating: "!", count: 262_144 - scale.utf8.count))
    #expect(error(TuningChoice(scale: "large")) == nil)
    files.file("huge.scl", scale + String(repeating: "!", count: 262_145 - scale.utf8.count))
    #expect(error(TuningChoice(scale: "huge"))?.hasPrefix("huge.scl: it is larger than") == true)
    #expect(throws: TuningError.self) { try TuningFolder.tuning(file: "song.mid") }
  }

  @Test("A unique beginning of a name, in any case, finds a tuning, and errors suggest similar names")
  func typedNames() throws {
    let names = ["equal", "Meantone", "meantone 31", "slendro"]
    func meant(_ written: String) -> String {
      do throws(TuningError) { return try TuningFolder.find(written, among: names, as: "tuning") } catch {
        return "\(error)"
      }
    }
    #expect(meant("Meantone") == "Meantone" && meant("MEANTONE") == "Meantone")
    #expect(meant("sl") == "slendro" && meant("meantone 3") == "meantone 31")
    #expect(meant("mean") == "\"mean\" may be \"Meantone\", \"meantone 31\"")
    #expect(meant("slendri") == "finds no tuning named \"slendri\"; did you mean \"slendro\"?")
    #expect(meant("") == "finds no tuning named \"\"")
    func several(_ count: Int) -> String {
      let names = (1...count).map { "s\($0)" }
      do throws(TuningError) { return try TuningFolder.find("s", among: names, as: "tuning") } catch {
        return "\(error)"
      }
    }
    let six = (1...6).map { "\"s\($0)\"" }.joined(separator: ", ")
    #expect(several(6) == "\"s\" may be \(six)" && several(9) == "\"s\" may be \(six) and 3 more")
    let long = String(repeating: "x", count: 65)
    #expect(meant(long) == "finds no tuning named \"\(long.prefix(64))…\"")
  }

  @Test("File names of 255 bytes and capitalized file extensions work, and malformed names are refused")
  func longNames() throws {
    let long = String(repeating: "n", count: 251)
    files.file(long + ".scl", "x\n1\n3/2\n")
    files.file("Upper.SCL", "x\n2\n1/2\n2/1\n")
    files.file("Upper.KBM", "0\n0\n127\n69\n69\n432.0\n0\n")
    #expect(folder.scales == ["equal", "Upper", long])
    // A fifth above middle C.
    let fifth = try folder.tuning(of: TuningChoice(scale: long))?[61] ?? 0
    #expect(abs(fifth - 67.0195) < 1e-3)
    let a = Float(69 + 12 * log2(432.0 / 440))
    for tuning in [
      try folder.tuning(of: TuningChoice(scale: "Upper")), try TuningFolder.tuning(file: path + "/Upper.SCL"),
    ] { #expect(abs((tuning?[69] ?? 0) - a) < 1e-4) }
    #expect(TuningChoice.isName(String(repeating: "x", count: 255)))
    for wrong in [String(repeating: "x", count: 256), "", " x", "x ", "a/b", "a\nb", "a\u{7F}b"] {
      #expect(!TuningChoice.isName(wrong), "\(wrong)")
    }
  }
}
