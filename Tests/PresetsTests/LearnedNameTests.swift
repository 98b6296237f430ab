import Parameters
import Scenes
import Scratch
import Testing
@testable import Presets
@testable import Storage

/// A name that a register has learned comes back from every text that holds it.
@Suite("A learned name") struct LearnedNameTests {
  // What has a meaning in a line, in a path, to a file or on a screen, and what has none.
  private static let letters: [Unicode.Scalar] = [
    "a", "Z", "9", ".", " ", "#", "\"", "\\", "/", ",", "-", "é", "名", "\u{301}", "\u{1F3B9}", "\u{FFFD}",
    "\u{FEFF}",
    "\u{0}", "\t", "\n", "\u{B}", "\r", "\u{1F}", "\u{7F}", "\u{85}", "\u{9F}", "\u{A0}", "\u{AD}",
    "\u{200D}", "\u{202E}",
    "\u{2028}", "\u{2029}", "\u{3000}", "\u{E000}", "\u{FFFF}", "\u{10FFFF}",
  ]

  /// The numbers of names of up to four letters, which a register has learned.
  private static func learned(_ names: NameRegister) -> [Int] {
    var dice = SeededRandom(7)
    let wishes = (0..<20_000).map { _ in
      String(
        String.UnicodeScalarView(
          (0..<Int.random(in: 1...4, using: &dice)).map { _ in
            letters[Int.random(in: 0..<letters.count, using: &dice)]
          }))
    }
    for wish in wishes { names.learn(wish) }
    return Array(0..<names.count)
  }

  private func patch(_ number: Int) -> Patch {
    var patch = Patch.initial
    patch.oscillator1.table = Float(FactoryWavetable.allCases.count + number)
    return patch
  }

  @Test("comes back from a preset, one that is exported and described anew, a session and a setup")
  func texts() throws {
    let names = NameRegister()
    let numbers = Self.learned(names)
    #expect(numbers.count > 500)
    for number in numbers {
      let (patch, name) = (patch(number), try #require(names.name(number)))
      let text = PresetText.write(patch, names: names)
      let again = PresetText.describing(PresetText.bare(text), PresetAbout())
      for text in [text, again] {
        // By another instrument, which learns it from the text.
        let others = NameRegister()
        let reading = try PresetText.read(text, names: others)
        #expect(reading.warnings.isEmpty && others.all == [name], "\(name.debugDescription)")
      }
      var scene = Scene.initial
      scene[3].patch = patch
      #expect(
        try Session.read(Session(scene: scene).text(names), names: names).session.scene[3].patch.isSame(
          as: patch))
      let setup = SetupText.unmarked(SetupText.markDropped(SetupText.write(Setup(scene), names: names)))
      #expect(try SetupText.read(setup, names: names).setup.parts[3].patch.isSame(as: patch))
    }
  }

  @Test("comes back however many other names were imported and compared")
  func imported() throws {
    let folder = Folder()
    let library = folder.library()
    func text(_ name: String) -> String { "pipit preset 1\n/osc/1/wave wavetable\n/osc/1/table \(name)\n" }
    // In presets of one name, whose versions are compared.
    for number in 0...NameRegister.mostNames / 4_000 {
      let names = (0..<4_000).map { "/osc/1/table Other \(number) \($0)\n" }.joined()
      _ = try library.importText("pipit preset 1\n" + names, name: "Others")
    }
    let others = try #require(library.named("Others"))
    let another = Preset(slot: nil, name: "Another", text: text("Another"), isFactory: false)
    #expect(!library.differences(from: others, to: another).isEmpty)
    _ = try library.importText(text("Mine"), name: "Mine")
    let mine = try #require(library.named("Mine"))
    let sound = try #require(library.patch(of: mine))
    #expect(library.wavetables.all == ["Mine"])
    try library.save(sound, name: "Mine again")
    #expect(library.named("Mine again")?.text.contains("/osc/1/table Mine\n") == true)
    #expect(library.stop(within: 60))
  }

  @Test("comes back from a database that was rescued")
  func rescued() throws {
    let folder = Folder()
    let library = folder.library()
    let numbers = Self.learned(library.wavetables).prefix(300)
    for number in numbers { try library.save(patch(number), name: "Preset \(number)") }
    #expect(library.stop(within: 30))
    try Database(folder.database, create: false).script(
      "ALTER TABLE documents RENAME COLUMN sum TO total", "test")
    let stepped = SteppedLibrary(folder)
    #expect(stepped.run(at: 0).contains { $0.note?.contains("was damaged") == true })
    for number in numbers {
      let preset = try #require(stepped.library.named("Preset \(number)"), "\(number)")
      let table = try #require(stepped.library.patch(of: preset)).oscillator1.table
      let name = stepped.library.wavetables.name(Int(table) - FactoryWavetable.allCases.count)
      #expect(name == library.wavetables.name(number))
    }
    #expect(stepped.stop(at: 1))
  }
}
