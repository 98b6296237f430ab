import Parameters
import Presets
import Scenes
import Scratch
import Storage
import Synth
import Testing
@testable import Control

/// Saving setups, and what becomes of edits (rule S6).
struct SetupEditTests {
  @Test("What a recall leaves alone stays, and survives overwriting")
  func keep() throws {
    let stand = ShowStand()
    stand.set("/tempo", 90)
    try stand.save("A")
    try stand.setups.describe("keep", "tempo, mixer, part 3")
    try stand.setups.describe("notes", "Slowly.\nLights down.")
    stand.set("/tempo", 130)
    stand.set("/part/1/level", -20)
    stand.set("/part/3/filter/cutoff/hz", 333)
    let level = stand["/part/1/level"]
    try stand.setups.recall(named: "A")
    #expect(stand["/tempo"] == 130 && stand["/part/1/level"] == level)
    #expect(stand["/part/3/filter/cutoff"] == 333)
    stand.run()
    #expect(!stand.setups.isEdited)
    stand.set("/part/1/filter/cutoff/hz", 2_222)
    stand.run()
    #expect(stand.setups.isEdited)
    try stand.setups.save()
    #expect("\(stand.setups.about.keep)" == "tempo, mixer, part 3")
    #expect(stand.setups.about.notes == "Slowly.\nLights down.")
    try stand.setups.save(named: "a")
    #expect("\(stand.setups.about.keep)" == "tempo, mixer, part 3" && stand.setups.names == ["A"])
    #expect(throws: DocumentError.self) { try stand.setups.describe("keep", "reverb") }
  }

  @Test("With `keep mixer`, a recall leaves alone level, pan and mute of all parts and the master equalizer")
  func keepMixer() throws {
    let stand = ShowStand()
    try stand.save("A")
    try stand.setups.describe("keep", "mixer")
    let addresses =
      (1...Limits.parts).flatMap { part in ["level", "pan", "mute"].map { "/part/\(part)/\($0)" } }
      + ["bypass", "frequency", "q", "gain"].map { "/master/eq/\($0)" }
    for address in addresses {
      let kind = Table.rows[stand.knob(address).row].kind
      stand.set(address, kind.value(fader: kind.isDiscrete ? 1 : 0.3) ?? 0)
    }
    stand.set("/part/2/channel", 7)
    let mixed = addresses.map { stand[$0] }
    try stand.setups.recall(named: "A")
    #expect(addresses.map { stand[$0] } == mixed && stand["/part/2/channel"] != 7)
    stand.run()
    #expect(!stand.setups.isEdited)
  }

  @Test("S6: dropped edits are a version of their setup, and undo brings them back; none is dropped twice")
  func discard() throws {
    let stand = ShowStand()
    try stand.save("A", "B")
    try stand.setups.recall(named: "A")
    stand.set("/part/1/filter/cutoff/hz", 555)
    try stand.setups.recall(named: "B")
    #expect(stand.cutoff == 2_000)
    try stand.setups.recall(named: "A")
    #expect(stand.cutoff == 1_000)
    try stand.setups.undo()
    #expect(stand.setups.name == "B" && stand.cutoff == 2_000)
    try stand.setups.undo()
    #expect(stand.setups.name == "A" && stand.cutoff == 555)
    stand.run()
    #expect(stand.setups.isEdited)
    try stand.setups.redo()
    #expect(stand.setups.name == "B" && stand.cutoff == 2_000)
    #expect(try stand.setups.versions(of: "A").count == 2)
    _ = try stand.setups.bring("A", age: 1)
    try stand.setups.recall(named: "A")
    #expect(stand.cutoff == 555)
    // Without edits, nothing is added.
    for _ in 0..<5 {
      try stand.setups.recall(named: "B")
      try stand.setups.recall(named: "A")
    }
    #expect(try stand.setups.versions(of: "A").count == 2)
    #expect(try stand.setups.versions(of: "B").count == 1)
  }

  @Test("S6: dropped edits never push out what the player has saved; the newest of them come back unmarked")
  func droppedOften() throws {
    let stand = ShowStand()
    try stand.save("A")
    for cutoff in [1_100, 1_200] as [Float] {
      stand.set("/part/1/filter/cutoff/hz", cutoff)
      try stand.setups.save()
    }
    try stand.setups.save(named: "B")
    for round in 1...12 {
      try stand.setups.recall(named: "A")
      stand.set("/part/1/filter/cutoff/hz", Float(2_000 + round))
      try stand.setups.recall(named: "B")
    }
    let versions = try stand.setups.versions(of: "A")
    let isDropped = versions.map { $0.hasSuffix("A (dropped edits)") }
    #expect(isDropped == [false, true, true, true, false, false], "\(versions)")
    _ = try stand.setups.bring("A", age: 1)
    #expect(try !stand.setups.versions(of: "A")[0].contains("dropped"))
    try stand.setups.recall(named: "A")
    #expect(stand.cutoff == 2_012)
    // What was saved first is the oldest version.
    _ = try stand.setups.bring("A", age: 5)
    try stand.setups.recall(named: "B")
    try stand.setups.recall(named: "A")
    #expect(stand.cutoff == 1_000)
  }

  @Test("A move to another number is a step of undo, and so are the steps before it")
  func move() throws {
    let stand = ShowStand()
    try stand.save("A", "B")
    try stand.setups.recall(named: "A")
    _ = try stand.setups.move("A", to: "2")
    #expect(stand.setups.number == 2 && stand.setups.names == ["B", "A"])
    try stand.setups.undo()
    #expect(stand.setups.number == 1 && stand.setups.names == ["A", "B"])
    try stand.setups.undo()
    #expect(stand.setups.name == "B" && stand.cutoff == 2_000)
    try stand.setups.redo()
    try stand.setups.redo()
    #expect(stand.setups.number == 2 && stand.setups.name == "A" && stand.setups.names == ["B", "A"])
  }

  @Test("Edits since the last step are a step of their own, which undo takes back first and redo brings")
  func undoneEdits() throws {
    let stand = ShowStand()
    try stand.save("A", "B")
    try stand.setups.recall(named: "A")
    stand.set("/part/1/filter/cutoff/hz", 555)
    try stand.setups.undo()
    #expect(stand.setups.name == "A" && stand.cutoff == 1_000)
    try stand.setups.undo()
    #expect(stand.setups.name == "B" && stand.cutoff == 2_000)
    try stand.setups.redo()
    try stand.setups.redo()
    #expect(stand.setups.name == "A" && stand.cutoff == 555)
  }

  @Test("S6: of what a recall leaves alone, nothing is an edit that is kept")
  func unedited() throws {
    let stand = ShowStand()
    stand.setups.edits = .keep
    try stand.save("A", "B")
    try stand.setups.recall(named: "A")
    try stand.setups.describe("keep", "mixer, part 3")
    stand.set("/part/1/filter/cutoff/hz", 555)
    stand.set("/part/3/filter/cutoff/hz", 333)
    stand.set("/part/1/pan", 0.5)
    stand.set("/master/eq/gain", 6)
    try stand.setups.recall(named: "B")
    let text = try #require(stand.library.documents[.setup, "0/0"]).text
    let stored = try SetupText.read(text, names: stand.library.wavetables).setup
    #expect(stored.parts[0].patch.filter.cutoff == 555)
    #expect(stored.parts[2].patch.filter.cutoff == Patch.initial.filter.cutoff)
    #expect(stored.parts[0].strip.pan == 0 && stored.equalizer.gain == 0)
  }

  @Test("Another setup that exchanges its number with the current one takes its mark along")
  func exchanged() throws {
    let stand = ShowStand()
    try stand.save("A", "B")
    _ = try stand.setups.move("A", to: "2")
    #expect(stand.setups.name == "B" && stand.setups.number == 1)
  }

  @Test("To recall a snapshot is no edit of a setup; to store one is")
  func snapshots() throws {
    let stand = ShowStand()
    stand.setups.edits = .keep
    stand.set("/part/1/filter/cutoff/hz", 4_000)
    stand.instrument.presets.store(1, part: 0)
    try stand.save("A", "B")
    try stand.setups.recall(named: "A")
    try stand.instrument.snapshots.recall(1, part: 0, now: stand.now)
    stand.run()
    #expect(stand.cutoff == 4_000 && !stand.setups.isEdited)
    // With an edit of something else, the sound that is kept is the one before.
    stand.set("/part/2/pan", 0.5)
    try stand.setups.recall(named: "B")
    try stand.setups.recall(named: "A")
    #expect(stand.cutoff == 1_000 && stand["/part/2/pan"] == 0.5)
    stand.run()
    stand.instrument.presets.store(2, part: 0)
    stand.run()
    #expect(stand.setups.isEdited)
  }

  @Test("A tuning is an edit, which undo takes back")
  func tuning() throws {
    let files = Folder()
    files.file("five.scl", "five\n5\n240.0\n480.0\n720.0\n960.0\n2/1\n")
    let stand = ShowStand(tunings: files.path)
    try stand.save("A")
    try stand.instrument.tunings.tune([0], toScale: "five")
    stand.run()
    #expect(stand.setups.isEdited)
    try stand.setups.undo()
    #expect(stand.instrument.tunings.choices[0].scale == "equal")
    try stand.setups.redo()
    #expect(stand.instrument.tunings.choices[0].scale == "five")
  }

  @Test("A new setup that is asked for twice within a quarter of a second is one, and after that two")
  func doubled() throws {
    let stand = ShowStand()
    for milliseconds: Int64 in [0, 200, 500] {
      try stand.setups.saveNew(now: stand.now + milliseconds * 1_000_000)
    }
    #expect(stand.setups.names == ["Setup 1", "Setup 2"])
  }

  @Test("S6: with `keep`, edits are saved when another setup is recalled")
  func keepEdits() throws {
    let stand = ShowStand()
    stand.setups.edits = .keep
    try stand.save("A", "B")
    try stand.setups.recall(named: "A")
    stand.set("/part/1/filter/cutoff/hz", 555)
    try stand.setups.recall(named: "B")
    try stand.setups.recall(named: "A")
    #expect(stand.cutoff == 555)
    #expect(try stand.setups.versions(of: "A").count == 2)
    _ = try stand.setups.bring("A", age: 1)
    try stand.setups.recall(named: "A")
    #expect(stand.cutoff == 1_000)
  }

  @Test("Save, renaming and removal are undone with their documents, and done again")
  func undo() throws {
    let stand = ShowStand()
    try stand.save("A")
    stand.set("/part/1/filter/cutoff/hz", 777)
    try stand.setups.save()
    try stand.setups.rename(to: "Z")
    try stand.setups.remove()
    #expect(stand.setups.names.isEmpty && stand.cutoff == 777)
    try stand.setups.undo()
    #expect(stand.setups.names == ["Z"] && stand.setups.name == "Z")
    try stand.setups.undo()
    #expect(stand.setups.name == "A")
    try stand.setups.undo()
    #expect(stand.cutoff == 777)
    try stand.setups.recall(named: "A")
    #expect(stand.cutoff == 1_000)
    #expect(throws: DocumentError.self) { try stand.setups.redo() }
  }

  @Test("A setup as text is read back to the same text; lines that cannot be read are warnings")
  func text() throws {
    let stand = ShowStand()
    try stand.instrument.presets.save(part: 0, named: "Glass Harp 2")
    stand.set("/part/2/pan", -0.3)
    try stand.save("A")
    try stand.setups.describe("keep", "tuning")
    let text = try stand.setups.text(of: "1")
    #expect(text.hasPrefix("pipit setup 1\nname A\nkey 0/0\nkeep tuning\npreset 1 1 0 Glass Harp 2\n"))
    _ = try stand.setups.remove("A")
    #expect(try stand.setups.save(.setup(text, named: "")) == "\"A\" is setup 1")
    #expect(try stand.setups.text(of: "1") == text)
    let (setup, warnings) = try SetupText.read(
      "pipit setup 1\n/part/1/filter/cutoff/hz 900\n/master/level -3\n/part/9/on on\nnonsense\nkeep part 9\n",
      names: stand.library.wavetables)
    #expect(setup.parts[0].patch.filter.cutoff == 900 && warnings.map(\.line) == [3, 4, 5, 6])
    #expect(throws: TextRefusal.self) {
      try SetupText.read("pipit preset 1\n", names: stand.library.wavetables)
    }
    _ = try stand.setups.remove("A")
    #expect(try stand.setups.restore("1") == "\"A\" is back")
  }

  @Test("A setup that cannot be read is named when it is recalled, logged once, and everything sounds on")
  func unreadable() throws {
    var log: [String] = []
    let library = Library(database: nil, factory: nil, log: { _ in })
    try library.documents.save(Document(name: "Broken", text: "pipit preset 1\n"), .setup, "0/0")
    let instrument = Instrument(link: Link(.initial), library: library, log: { log.append($0) })
    for now in 1...20 {
      _ = instrument.update(Int64(now) * 10_000_000)
      _ = (instrument.setups.about, instrument.setups.name, instrument.setups.isEdited)
      try instrument.setups.recall(number: 1)
    }
    #expect(instrument.notices.shown == "unreadable: the setup \"Broken\" was not recalled")
    #expect(log.count == 1 && instrument.setups.name == "")
  }

  @Test("The setup, and whether it was edited, are the same after a restart")
  func restart() throws {
    let library = Library(database: nil, factory: nil, log: { _ in })
    let stand = ShowStand(library)
    try stand.save("A", "B")
    stand.run()
    let again = ShowStand(library)
    #expect(again.setups.name == "B" && !again.setups.isEdited && again.cutoff == 2_000)
  }
}
