import MIDI
import Presets
import Scenes
import Storage
import Testing
@testable import Control

/// The place in the set: edits, restarts, and recalls that wait for keys (rules L6 to L8).
struct SetlistPlaceTests {
  @Test("L6: reordering, removing and replacing never change what sounds; the place follows its entry")
  func reorder() throws {
    let stand = try ShowStand.withSetlist()
    stand.press()
    stand.press()
    let generations = stand.generations
    try stand.setlists.move(number: 2, to: 1)
    #expect(stand.setlists.position == 0 && stand.setlists.coming?.shownTitle == "A")
    try stand.setlists.move(number: 3, to: 1)
    #expect(stand.setlists.position == 1)
    try stand.setlists.remove(number: 1)
    #expect(stand.setlists.position == 0 && stand.setlists.count == 2)
    // Without its entry, the place is before the entry that followed.
    try stand.setlists.remove(number: 1)
    #expect(stand.setlists.position == nil && stand.setlists.coming?.shownTitle == "A")
    let text = "pipit setlist 1\nname Friday\nentry setup 0 2 C\nentry setup 0 0 A\nentry setup 0 1 B\n"
    _ = try stand.setlists.save(.setlist(text, named: ""))
    #expect(stand.setlists.count == 3 && stand.generations == generations && stand.setups.name == "B")
    try stand.setlists.play(number: 2)
    _ = try stand.setlists.save(.setlist("pipit setlist 1\nname Friday\nentry setup 0 0 A\n", named: ""))
    #expect(stand.setlists.position == 0 && stand.setups.name == "A")
    _ = try stand.setlists.bring("Friday", age: 1)
    #expect(stand.setlists.position == 1)
  }

  @Test("L6: after the entry that was played last is removed, next plays the one that followed it")
  func removePlayed() throws {
    let stand = try ShowStand.withSetlist()
    stand.press()
    stand.press()
    try stand.setlists.remove(number: 2)
    #expect(stand.setlists.position == 0 && stand.setlists.coming?.shownTitle == "C")
    stand.press()
    #expect(stand.setups.name == "C" && stand.setlists.position == 1)
  }

  @Test("L6: of equal entries in a setlist that is replaced, the place is the nearest; all follow a renaming")
  func equalEntries() throws {
    let stand = try ShowStand.withSetlist()
    let head = "pipit setlist 1\nname Friday\n"
    let (a, b, c) = ("entry setup 0 0 A\n", "entry setup 0 1 B\n", "entry setup 0 2 C\n")
    _ = try stand.setlists.save(.setlist(head + a + b + a, named: ""))
    try stand.setlists.play(number: 3)
    _ = try stand.setlists.save(.setlist(head + a + b + a + c, named: ""))
    #expect(stand.setlists.position == 2)
    _ = try stand.setups.rename("A", to: "Z")
    #expect(stand.setlists.setlist.entries.map(\.shownTitle) == ["Z", "B", "Z", "C"])
  }

  @Test("L7: set, place, cue, options, setup, transposition and tempo survive a restart")
  func restart() throws {
    let library = Library(database: nil, factory: nil, log: { _ in })
    let stand = try ShowStand.withSetlist(library)
    try stand.setlists.set(number: 2, "transpose", "4")
    try stand.setlists.set(number: 2, "tempo", "77")
    stand.press()
    stand.press()
    try stand.setlists.cue(number: 1)
    (stand.setlists.wraps, stand.setlists.defers) = (true, true)
    stand.run()
    let again = ShowStand(library)
    #expect(again.setlists.name == "Friday" && again.setlists.position == 1 && again.setlists.cue == 0)
    #expect(again.setups.name == "B" && again.stage.transposition == 4 && again["/tempo"] == 77)
    #expect(again.setlists.wraps && again.setlists.defers && !again.setups.isEdited && again.cutoff == 2_000)
    // The text of the session holds all of it.
    let text = try #require(library.documents[.session]).text
    let (read, warnings) = try Session.read(text, names: library.wavetables)
    #expect(warnings.isEmpty && read.show.position == 1 && read.show.tempo == 77)
  }

  @Test("L8: with defer, the recall comes when the last key comes up, of keyboards and of surfaces")
  func deferred() throws {
    let stand = try ShowStand.withSetlist()
    stand.setlists.defers = true
    #expect(stand.player.link.keyWatch.isOn)
    func key(_ kind: Event.Kind, _ note: UInt8, channel: UInt8 = 0) {
      stand.instrument.take(
        Event(frame: 0, kind: kind, source: 3, target: channel, note: note, value: kind == .noteOn ? 0.5 : 0))
    }
    stand.press()
    #expect(stand.setlists.position == 0)
    key(.noteOn, 60)
    key(.noteOn, 60, channel: 1)
    stand.instrument.performance.handle(
      .noteOn, source: Limits.surfaceSources, part: nil, note: 64, value: 0.5)
    stand.press()
    #expect(stand.setlists.position == 0 && stand.setlists.waiting == 1)
    // A further press goes on from what waits.
    stand.press()
    #expect(stand.setlists.waiting == 2)
    stand.press(forward: false)
    key(.noteOff, 60)
    key(.noteOff, 60, channel: 1)
    #expect(stand.setlists.position == 0)
    stand.instrument.performance.handle(.noteOff, source: Limits.surfaceSources, part: nil, note: 64)
    stand.run()
    #expect(stand.setlists.position == 1 && stand.setlists.waiting == nil)
    // A keyboard that is unplugged takes its keys along.
    key(.noteOn, 60)
    stand.press()
    #expect(stand.setlists.position == 1)
    key(.sourceGone, 0)
    stand.run()
    #expect(stand.setlists.position == 2)
    stand.setlists.defers = false
    #expect(!stand.player.link.keyWatch.isOn)
  }

  @Test(
    "L8: what waits is dropped by a recall by hand and by going back, and plays when nothing waits any more")
  func dropped() throws {
    let stand = try ShowStand.withSetlist()
    stand.press()
    stand.setlists.defers = true
    func key(_ kind: Event.Kind, channel: UInt8 = 0, value: Float = 0) {
      stand.instrument.take(
        Event(frame: 0, kind: kind, source: 3, target: channel, note: 60, value: value))
    }
    key(.noteOn, value: 0.5)
    stand.press()
    #expect(stand.setlists.waiting == 1)
    stand.press(forward: false)
    #expect(stand.setlists.waiting == nil)
    stand.press()
    try stand.setups.recall(named: "C")
    #expect(stand.setlists.waiting == nil)
    // A velocity of 0 is the end of a key.
    key(.noteOn)
    stand.run()
    #expect(stand.setlists.position == 0 && stand.setups.name == "C")
    // The end of all notes is of its channel alone.
    key(.noteOn, channel: 0, value: 0.5)
    key(.noteOn, channel: 1, value: 0.5)
    stand.press()
    key(.allNotesOff, channel: 0)
    stand.run()
    #expect(stand.setlists.position == 0)
    key(.allSoundOff, channel: 1)
    stand.run()
    #expect(stand.setlists.position == 1)
    key(.noteOn, value: 0.5)
    stand.press()
    #expect(stand.setlists.position == 1)
    stand.setlists.defers = false
    #expect(stand.setlists.position == 2)
  }

  @Test("L8: a finger on an XY pad is a key that is down")
  func deferredByFinger() throws {
    let stand = try ShowStand.withSetlist()
    stand.setlists.defers = true
    let performance = stand.instrument.performance
    func finger(_ isTouched: Bool, source: Int = Limits.surfaceSources) {
      performance.playXY(x: 0.5, y: 0.5, isTouched: isTouched, source: source, part: nil)
    }
    finger(true)
    finger(true, source: Limits.surfaceSources + 1)
    finger(true)
    stand.press()
    #expect(stand.setlists.position == nil && stand.setlists.waiting == 0)
    finger(false)
    stand.run()
    #expect(stand.setlists.position == nil)
    finger(false, source: Limits.surfaceSources + 1)
    stand.run()
    #expect(stand.setlists.position == 0 && stand.setlists.waiting == nil)
  }

  @Test(
    "Changes of a setlist are undone and done again; what sounds stays, and the place stays with its entry")
  func undo() throws {
    let stand = try ShowStand.withSetlist()
    stand.press()
    stand.press()
    let generations = stand.generations
    func titles() -> [String] { stand.setlists.setlist.entries.map(\.shownTitle) }
    try stand.setlists.move(number: 2, to: 1)
    try stand.setlists.set(number: 1, "title", "Bridge")
    try stand.setlists.remove(number: 3)
    #expect(titles() == ["Bridge", "A"] && stand.setlists.position == 0)
    try stand.setlists.undo()
    #expect(titles() == ["Bridge", "A", "C"])
    try stand.setlists.undo()
    try stand.setlists.undo()
    #expect(titles() == ["A", "B", "C"] && stand.setlists.position == 1)
    try stand.setlists.redo()
    #expect(titles() == ["B", "A", "C"] && stand.setlists.position == 0)
    _ = try stand.setlists.remove("Friday")
    #expect(stand.setlists.name == "")
    try stand.setlists.undo()
    #expect(stand.setlists.name == "Friday" && titles() == ["B", "A", "C"])
    try stand.setlists.create("Saturday")
    try stand.setlists.undo()
    #expect(stand.setlists.name == "Friday" && stand.setlists.shelf.collection.entries.count == 1)
    #expect(stand.generations == generations && stand.setups.name == "B")
    for _ in 0..<30 { do { try stand.setlists.undo() } catch { break } }
    #expect(throws: DocumentError.self) { try stand.setlists.undo() }
  }

  @Test("A setlist as text reads back to the same text; lines that cannot be read are warnings")
  func text() throws {
    let text = """
      pipit setlist 1
      notes Doors at eight.
      entry setup 0 3 Night drive
      title Opening
      transpose -2
      tempo 124.5
      snapshot B
      color coral
      skip on
      notes Wait for the singer.
      notes Then go.
      entry preset - - Glass

      """
    let (setlist, warnings) = try SetlistText.read(text)
    #expect(warnings.isEmpty && SetlistText.write(setlist) == text && setlist.entries.count == 2)
    let wrong =
      "pipit setlist 1\ntitle X\nentry song 1\ntitle Y\nentry setup 0 0 A\ntranspose 13\nsnapshot J\n"
    let (read, problems) = try SetlistText.read(wrong)
    #expect(problems.map(\.line) == [2, 3, 6, 7] && read.entries.count == 1 && read.entries[0].title == "")
    let many =
      "pipit setlist 1\n" + String(repeating: "entry setup 0 0 A\n", count: Limits.setlistEntries + 5)
    #expect(try SetlistText.read(many).setlist.entries.count == Limits.setlistEntries)
  }

  @Test("The notes of an entry have 2,000 letters at most, in one line or in many")
  func longNotes() throws {
    let line = "notes " + String(repeating: "n", count: 150) + "\n"
    let text = "pipit setlist 1\nentry setup 0 0 A\n" + String(repeating: line, count: 20)
    let (read, problems) = try SetlistText.read(text)
    // Thirteen lines with their ends are 1,962 letters.
    #expect(read.entries[0].notes.count == 1_962 && problems.map(\.line) == Array(16...22))
  }

  @Test("Pedals can be bound to next, previous, the cue, and a setup by its number")
  func bound() throws {
    for address in [
      "/set/next", "/set/previous", "/set/cue/next", "/set/cue/previous", "/setup/next", "/setup/previous",
      "/setup/recall/2",
    ] {
      #expect(BindingTarget(address)?.address == address)
      #expect(BindingTarget("/part/2" + address) == nil)
    }
    #expect(BindingTarget("/setup/recall/0") == nil && BindingTarget("/setup/recall/129") == nil)
    let keys = BoundKeyboard()
    for name in ["A", "B"] {
      keys.instrument.set(keys.knob("/part/1/filter/cutoff"), to: name == "A" ? 1_000 : 2_000)
      try keys.instrument.setups.save(named: name)
      try keys.instrument.setlists.add()
    }
    // Learned as every button is: touched on the tablet, pressed on the pedal.
    keys.instrument.learning.press(now: keys.now)
    #expect(keys.instrument.learning.touch("/set/next", now: keys.now))
    keys.turn(.controller, 21, 127)
    keys.instrument.learning.press(now: keys.now + 1_000_000_000)
    keys.instrument.learning.press(now: keys.now + 2_000_000_000)
    #expect(keys.instrument.setlists.position == nil)
    keys.now += 3_000_000_000
    keys.turn(.controller, 21, 0)
    keys.turn(.controller, 21, 127)
    #expect(keys.instrument.setlists.position == 0 && keys.instrument.setups.name == "A")
    keys.bind(try #require(Binding("cc 22 any press 0 1 7 /setup/recall/2")))
    keys.turn(.controller, 22, 127)
    #expect(keys.instrument.setups.name == "B")
  }
}
