import Parameters
import Scenes
import Scratch
import Testing
import Tuning
@testable import Presets
@testable import Storage

/// Presets and sessions as texts that go elsewhere and come back.
struct LibraryTextTests {
  private let library = Library(database: nil, factory: nil, log: { Issue.record("\($0)") })

  private func text(_ lines: String...) -> String {
    (["pipit preset 1"] + lines).joined(separator: "\n") + "\n"
  }

  @Test("An export says the name and the slot behind its first line, whatever the text said of them")
  func exported() throws {
    let preset = Preset(
      slot: try slot(3, 7), name: "Mine",
      text: text("name Other", "# a comment", "slot 1 1", "/lfo/1/rate/hz 3"),
      isFactory: false)
    #expect(
      library.exported(preset)
        == "pipit preset 1\nname Mine\nslot 3 7\n# a comment\n/lfo/1/rate/hz 3\n")
    let outside = Preset(slot: nil, name: "Bench", text: text("/lfo/1/rate/hz 3"), isFactory: true)
    #expect(library.exported(outside) == "pipit preset 1\nname Bench\n/lfo/1/rate/hz 3\n")
  }

  @Test(
    "An import goes over the preset of its name, else to the slot that it names if that is free, else to a free one"
  )
  func places() throws {
    func place(_ lines: String..., name: String = "") throws -> Slot? {
      try library.importText((["pipit preset 1"] + lines).joined(separator: "\n"), name: name).preset.slot
    }
    #expect(try place("name A", "slot 5 6") == slot(5, 6))
    #expect(try place("name a", "slot 7 7") == slot(5, 6) && library[slot(5, 6)]?.name == "a")
    #expect(try place("name B", "slot 5 6") == slot(1, 0))
    #expect(try place("name C", "slot 0 3") == slot(1, 1))
    #expect(try place("name D") == slot(1, 2))
    #expect(
      try place("# no name", name: " from a file ") == slot(1, 3)
        && library[slot(1, 3)]?.name == "from a file")
    #expect {
      _ = try library.importText(text("/lfo/1/rate/hz 3"), name: " ")
    } throws: { "\($0)" == "the text has no line with a name" }
    // Over the first of two of one name.
    try library.save(.initial, name: "B", slot: slot(9, 9))
    #expect(try place("name b") == slot(1, 0))
  }

  @Test("What comes in is kept line by line but for its name and its place, and what cannot be read is said")
  func lines() throws {
    let (preset, warnings) = try library.importText(
      text("name A", "# kept", "category pads", "/nowhere 3", "\tslot 4 4", " name B", "/lfo/1/rate/hz 3"),
      name: "")
    #expect(
      preset.name == "B" && preset.text == text("# kept", "category pads", "/nowhere 3", "/lfo/1/rate/hz 3"))
    #expect(try warnings.map(\.line) == [5] && library[slot(4, 4)]?.text == preset.text)
    // The largest there is, not counting what is not kept.
    let head = text("")
    let full = head + String(repeating: "#", count: Limits.presetBytes - head.utf8.count)
    let named = full.replacing("pipit preset 1\n", with: "pipit preset 1\nname Full\nslot 6 6\n")
    #expect(full.utf8.count == Limits.presetBytes)
    #expect(try library.importText(named, name: "").preset.slot == slot(6, 6))
    #expect {
      _ = try library.importText(named + "#", name: "")
    } throws: { "\($0)".hasPrefix("131073 bytes are too many for a preset; the limit is 131072") }
    #expect(throws: DocumentError.self) { _ = try library.importText("pipit session 1\n", name: "x") }
  }

  @Test("Presets that stand one after the other are taken apart at their first lines")
  func split() {
    let (one, two) = (text("name A", "/lfo/1/rate/hz 3"), text("name B"))
    #expect(PresetText.split(one + two) == [one, two])
    #expect(PresetText.split("\u{FEFF}" + one + "\n\n" + two + "\n\n") == ["\u{FEFF}" + one, two])
    #expect(PresetText.split("\n \n").isEmpty && PresetText.split("x").map { $0 } == ["x\n"])
    #expect(PresetText.split(one.replacing("\n", with: "\r\n")) == [one])
  }

  @Test("A session says the focus, the presets and the tunings of the parts, counted from 1")
  func session() throws {
    var session = Session(focus: 7)
    session.presets[0] = try slot(0, 127)
    session.presets[7] = try slot(127, 0)
    session.tunings[0] = TuningChoice(scale: "my scale", map: "a map")
    session.tunings[6] = TuningChoice(map: "white keys")
    session.scene[2].strip.level = -6
    session.scene.master.level = -3
    #expect(
      session.text
        == """
        pipit session 1
        focus 8
        preset 1 0 127
        preset 8 127 0
        tuning 1 my scale
        keymap 1 a map
        keymap 7 white keys
        /part/3/level/db -6
        /master/level/db -3

        """)
    let (read, warnings) = try Session.read(session.text)
    #expect(warnings.isEmpty && read.focus == 7 && read.presets == session.presets)
    #expect(read.tunings == session.tunings && read.scene[2].strip.level == -6)
  }

  @Test("What a session says wrongly is left out, with its line")
  func wrongSession() throws {
    let lines = [
      "focus 0", "focus 9", "focus x", "preset 0 1 1", "preset 9 1 1", "preset 1 128 0", "preset 1 0 128",
      "preset 1 1", "preset 1 1 1 1", "tuning 0 x", "tuning 9 x", "tuning 1", "tuning 1 a/b", "keymap x y",
      "/nowhere 1", "/part/9/level/db 1",
    ]
    let text = "pipit session 1\n" + lines.joined(separator: "\n") + "\nfocus 2\npreset 8 127 127\n"
    let (session, warnings) = try Session.read(text)
    #expect(warnings.map(\.line) == Array(2..<2 + lines.count))
    #expect(try session.focus == 1 && session.presets.compactMap { $0 } == [slot(127, 127)])
    #expect(session.tunings == Session().tunings)
    #expect(throws: TextRefusal.self) { _ = try Session.read("pipit preset 1\n") }
  }

  @Test("A fader's place from 0 to 1 is a value too; beyond that it is brought inside, and said")
  func faders() throws {
    func read(_ line: String) throws -> (value: Float, problem: String?) {
      let reading = try PresetText.read(text(line))
      return (reading.patch.filter.cutoff, reading.warnings.first?.problem)
    }
    let ends = try #require(Table.rows.first { $0.address == "/filter/cutoff" }).kind.range
    for (word, value) in [("0", ends.lowerBound), ("1", ends.upperBound)] {
      let (found, problem) = try read("/filter/cutoff \(word)")
      #expect(found == value && problem == nil)
    }
    for (word, value) in [("-0.1", ends.lowerBound), ("1.1", ends.upperBound), ("1.0001", ends.upperBound)] {
      let (found, problem) = try read("/filter/cutoff \(word)")
      #expect(
        found == value && problem?.hasSuffix("expected 0 to 1; the nearest is used") == true, "\(word)")
    }
    for word in ["x", "nan", "inf", ""] {
      let (found, problem) = try read("/filter/cutoff \(word)")
      #expect(
        found == Patch.initial.filter.cutoff && problem?.hasSuffix("expected a number from 0 to 1") == true)
    }
  }

  @Test("A change is taken back where the preset is now, and not where something else lies")
  func moved() throws {
    let place = try slot(1, 0)
    let changes = try library.recording { () throws(DocumentError) in
      try library.save(.initial, name: "A", slot: place)
    }
    let change = try #require(changes.first)
    let other = try slot(2, 2)
    #expect(change.moved([place: other]).slot == other && change.moved([other: place]).slot == place)
    #expect(!library.undo(change.moved([place: other])) && library[place] != nil)
    #expect(!library.redo(change))
    #expect(library.undo(change) && library[place] == nil)
    #expect(!library.undo(change) && library.redo(change) && library[place]?.name == "A")
    // What changes nothing is no change.
    let none = try library.recording { () throws(DocumentError) in
      try library.save(.initial, name: "A", slot: place)
    }
    #expect(none.isEmpty)
  }
}
