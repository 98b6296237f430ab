import Parameters
import Scenes
import Scratch
import System
import Testing
@testable import Presets

/// A bundle that is read in pieces.
struct BundleReaderTests {
  private func opened(_ bytes: [UInt8], _ pieceBytes: Int = 32 << 10) -> BundleReader? {
    var reader = try? BundleReader(FileContents(bytes), name: "Other")
    reader?.pieceBytes = pieceBytes
    return reader
  }

  @Test("Pieces of any size hold the same presets, on the same lines, as the whole")
  func pieces() throws {
    var random = SeededRandom.ofRun
    let lines = [
      "pipit preset 1", "\u{FEFF}pipit preset 1", "pipit preset 1\r", "name A\u{301}", "name Bell",
      "slot 3 4", "",
      " ", "# pipit preset 1", "/filter/cutoff/hz 400", "/nowhere 1", "amSynth", "pipit preset", "\u{2028}x",
      "\r",
    ]
    for _ in 0..<300 {
      let count = Int.random(in: 1...30, using: &random)
      let text = (0..<count).compactMap { _ in lines.randomElement(using: &random) }.joined(separator: "\n")
      let whole = PresetText.parts(text).map {
        CheckedPreset($0.text, name: "Other", line: $0.line)
      }
      for pieceBytes in [1, 20, 100, 100_000] {
        var reader = try #require(opened(Array(text.utf8), pieceBytes))
        var read: [CheckedPreset] = []
        while let piece = reader.next() { read += piece }
        #expect(read.map(\.line) == whole.map(\.line) && read.map(\.name) == whole.map(\.name))
        #expect(read.map(\.text) == whole.map(\.text) && read.map(\.warnings) == whole.map(\.warnings))
        #expect(read.map(\.problem) == whole.map(\.problem))
      }
    }
  }

  @Test("A bank of amsynth is one piece, and bytes that are no text are refused as a whole")
  func others() throws {
    let bank = "amSynth\n" + String(repeating: "<preset> <name> Bell\n<parameter> amp_attack 0\n", count: 3)
    var reader = try #require(opened(Array(bank.utf8), 10))
    let (piece, end) = (reader.next(), reader.next())
    #expect(piece?.map(\.name) == ["Bell", "Bell 2", "Bell 3"] && end == nil)
    let text = Array("pipit preset 1\nname A\n".utf8)
    #expect(self.opened(text + [0xFF] + text, 1) == nil && self.opened([]) != nil)
  }

  @Test("What is too long for a preset is read in pieces as well, and the presets beside it are found")
  func long() throws {
    let preset = "pipit preset 1\nname A\n"
    let letters = String(repeating: "\u{1F426}", count: 1_000_000)
    var reader = try #require(opened(Array((preset + letters + "\n" + preset).utf8)))
    var read: [CheckedPreset] = []
    while let piece = reader.next() { read += piece }
    #expect(read.count == 5 && read.last?.problem == "" && read.last?.line == 4)
    #expect(read.dropLast().allSatisfy { !$0.problem.isEmpty })
  }

  @Test(
    "Presets of one name replace one another; beyond the banks they are refused, and the search finds them all"
  )
  func banks() throws {
    let library = Library(database: nil, factory: nil, log: { _ in })
    func text(_ names: some Sequence<String>) -> String {
      names.map { "pipit preset 1\nname \($0)\n" }.joined()
    }
    let same = library.importBundle(text(Array(repeating: "One", count: 2_000)))
    #expect(same.count(where: \.isReplacement) == 1_999 && library.count == 1)
    let count = Slot.userNumbers.count
    let imported = library.importBundle(text((1...count).map { "Sound \($0)" }))
    #expect(library.count == count && imported.last?.problem.hasSuffix("all banks are full") == true)
    #expect(library.freeSlot == nil && library.nextName("Sound 1") == "Sound \(count)")
    #expect(library.search(PresetQuery("sound")).count == count - 1)
    #expect(throws: NoSuchPreset(name: "sound", candidates: (1...6).map { "Sound \($0)" }, count: count - 1))
    {
      _ = try library.find("sound")
    }
    #expect(try library.find("SOUND 777").name == "Sound 777")
  }
}
