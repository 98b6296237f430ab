import Parameters
import Presets
import Scenes
import Storage
import Testing
@testable import Control

/// Setlists: next, previous, what comes, and what entries add (rules L1 to L5).
struct SetlistTests {
  @Test("L1: the first next plays the first; next and previous stay at the ends, and say so")
  func ends() throws {
    let stand = try ShowStand.withSetlist()
    #expect(stand.setlists.position == nil && stand.setlists.coming?.shownTitle == "A")
    stand.press(forward: false)
    #expect(stand.setlists.position == nil && stand.instrument.notices.shown == "the beginning of the set")
    for (place, name) in ["A", "B", "C"].enumerated() {
      stand.press()
      #expect(stand.setlists.position == place && stand.setups.name == name)
    }
    #expect(stand.setlists.cue == nil && stand.setlists.coming == nil)
    stand.press()
    #expect(stand.setups.name == "C" && stand.instrument.notices.shown == "the end of the set")
    stand.setlists.wraps = true
    #expect(stand.setlists.cue == 0)
    stand.press()
    #expect(stand.setups.name == "A")
    stand.press(forward: false)
    #expect(stand.setups.name == "C")
  }

  @Test("L1: it acts on the press, and within 150 ms a second press is none")
  func bounce() throws {
    let stand = try ShowStand.withSetlist()
    stand.setlists.step(forward: true, now: stand.now)
    #expect(stand.setlists.position == 0)
    stand.setlists.step(forward: true, now: stand.now + 149_000_000)
    #expect(stand.setlists.position == 0)
    stand.setlists.step(forward: true, now: stand.now + 150_000_000)
    #expect(stand.setlists.position == 1)
    // The other direction is another pedal.
    stand.setlists.step(forward: false, now: stand.now + 160_000_000)
    #expect(stand.setlists.position == 0)
  }

  @Test("L1: skipped entries are passed over, in both directions and at the ends")
  func skipped() throws {
    let stand = try ShowStand.withSetlist()
    try stand.setlists.set(number: 1, "skip", "on")
    try stand.setlists.set(number: 3, "skip", "on")
    stand.press()
    #expect(stand.setlists.position == 1)
    stand.press()
    stand.press(forward: false)
    #expect(stand.setlists.position == 1)
    // By its number it is played all the same.
    try stand.setlists.play(number: 3)
    #expect(stand.setups.name == "C" && stand.setlists.position == 2)
  }

  @Test("L2: a missing entry is stepped onto and named, and the sound stays")
  func missing() throws {
    let stand = try ShowStand.withSetlist()
    stand.press()
    _ = try stand.setups.remove("B")
    try stand.setlists.set(number: 2, "transpose", "5")
    let generations = stand.generations
    stand.press()
    #expect(stand.setlists.position == 1 && stand.setups.name == "A" && stand.generations == generations)
    #expect(stand.instrument.notices.shown == "missing: setup 0 1 B" && stand.stage.transposition == 0)
    stand.press()
    #expect(stand.setups.name == "C")
  }

  @Test("L4: a preset that is recalled by hand in place of an entry's is not transposed")
  func presetByHand() throws {
    let stand = ShowStand()
    try stand.instrument.presets.save(part: 0, named: "Glass")
    stand.set("/part/1/filter/cutoff/hz", 444)
    try stand.instrument.presets.save(part: 0, named: "Brass")
    try stand.setlists.create("Friday")
    try stand.setlists.add()
    try stand.setlists.set(number: 1, "transpose", "-3")
    stand.press()
    #expect(stand.stage.transposition == -3)
    // Another part's preset leaves it alone.
    try stand.instrument.presets.recall(named: "Glass", part: 3)
    #expect(stand.stage.transposition == -3)
    try stand.instrument.presets.recall(named: "Glass", part: 0)
    #expect(stand.stage.transposition == 0)
    stand.press(forward: false)
    try stand.setlists.play(number: 1)
    #expect(stand.stage.transposition == -3)
  }

  @Test("L2: an entry finds its setup by its name when it has another number now")
  func renumbered() throws {
    let stand = try ShowStand.withSetlist()
    _ = try stand.setups.move("B", to: "77")
    stand.press()
    stand.press()
    #expect(stand.setups.name == "B" && stand.setups.number == 77)
  }

  @Test("L2: a setup of another name in the place of an entry's is not the entry's")
  func replaced() throws {
    let stand = try ShowStand.withSetlist()
    _ = try stand.setups.move("B", to: "77")
    _ = try stand.setups.move("C", to: "2")
    stand.press()
    stand.press()
    #expect(stand.setups.name == "B" && stand.setups.number == 77)
    stand.press()
    #expect(stand.setups.name == "C" && stand.setups.number == 2)
  }

  @Test(
    "L3: the cue shows what comes; anything may be played in between, and next goes on from the set's place")
  func encore() throws {
    let stand = try ShowStand.withSetlist()
    stand.press()
    try stand.setups.recall(named: "C")
    try stand.setups.recall(named: "A")
    #expect(stand.setlists.cue == 1 && stand.setlists.position == 0)
    stand.press()
    #expect(stand.setups.name == "B")
    try stand.setlists.cue(number: 1)
    #expect(stand.setlists.coming?.shownTitle == "A" && stand.setups.name == "B")
    stand.press()
    #expect(stand.setups.name == "A" && stand.setlists.cue == 1)
    stand.setlists.stepCue(forward: true)
    #expect(stand.setlists.cue == 2)
    stand.setlists.stepCue(forward: false)
    #expect(stand.setlists.cue == 1)
    try stand.setlists.cue(number: 0)
    #expect(throws: DocumentError.self) { try stand.setlists.cue(number: 4) }
  }

  @Test(
    "L4: the transposition counts for keys struck from then on, in all parts but drums, and no knob shows it")
  func transposition() throws {
    let stand = try ShowStand.withSetlist()
    stand.set("/part/3/on", 1)
    stand.set("/part/3/channel", 10)
    try stand.setups.save(named: "B")
    try stand.setlists.set(number: 2, "transpose", "-3")
    stand.press()
    stand.player.press(60)
    stand.run()
    stand.press()
    #expect(stand.stage.transposition == -3 && stand["/part/1/key/transpose"] == 0)
    let published = stand.player.link.scene.audioSide.take()
    #expect(published.pointee[0].input.transpose == -3 && published.pointee[2].input.transpose == 0)
    #expect(stand.player.voices == 1)
    // The held key is let go by its own number.
    stand.player.release(60)
    stand.run(milliseconds: 3_000)
    #expect(stand.player.voices == 0)
    // It is not saved, and ends with the entry.
    stand.run()
    #expect(!stand.setups.isEdited)
    try stand.setups.save()
    #expect(!(try stand.setups.text(of: "B")).contains("/key/transpose"))
    stand.press()
    #expect(stand.stage.transposition == 0)
  }

  @Test(
    "An entry's tempo counts instead of the setup's, and is no edit; a preset is recalled into the part in focus"
  )
  func tempo() throws {
    let stand = try ShowStand.withSetlist()
    try stand.setlists.set(number: 1, "tempo", "88.5")
    stand.press()
    #expect(stand["/tempo"] == 88.5 && !stand.setups.isEdited)
    stand.press()
    #expect(stand["/tempo"] == 120)
    stand.set("/part/1/filter/cutoff/hz", 4_321)
    try stand.instrument.presets.save(part: 0, named: "Glass")
    let text = "pipit setlist 1\nname Two\nentry preset 1 0 Glass\ntempo 70\ntranspose 2\nsnapshot b\n"
    _ = try stand.setlists.save(.setlist(text, named: ""))
    try stand.setlists.load("Two")
    stand.instrument.focus = 4
    var letters: [Character] = []
    stand.setlists.onSnapshot = { letters.append($0) }
    stand.press()
    #expect(stand.instrument.presets.name(part: 4) == "Glass" && stand["/tempo"] == 70)
    #expect(stand.stage.transposition == 2 && letters == ["B"])
  }

  @Test(
    "A setup that is saved with an entry's tempo has it as its own, so a later tempo is an edit that is kept")
  func savedTempo() throws {
    let stand = try ShowStand.withSetlist()
    stand.setups.edits = .keep
    try stand.setlists.set(number: 1, "tempo", "88.5")
    stand.press()
    try stand.setups.save()
    stand.set("/tempo", 100)
    try stand.setups.recall(named: "B")
    try stand.setups.recall(named: "A")
    #expect(stand["/tempo"] == 100)
  }

  @Test("S4: the tempo of an entry is left alone while a clock is followed, be it of a setup or of a preset")
  func followedTempo() throws {
    let stand = try ShowStand.withSetlist()
    try stand.instrument.presets.save(part: 0, named: "Glass")
    let text = "pipit setlist 1\nname Two\nentry preset 1 0 Glass\ntempo 70\nentry setup 0 0 A\ntempo 80\n"
    _ = try stand.setlists.save(.setlist(text, named: ""))
    try stand.setlists.load("Two")
    stand.player.send(.clockTempo, source: 2, value: 100)
    stand.player.send(.clockStart, source: 2, value: 0)
    stand.run()
    stand.set("/tempo", 100)
    for _ in 0..<2 {
      stand.press()
      #expect(stand["/tempo"] == 100)
    }
    #expect(stand.setlists.position == 1)
  }

  @Test("The tempo of an entry counts also for a setup that leaves the tempo alone")
  func keptTempo() throws {
    let stand = try ShowStand.withSetlist()
    try stand.setups.recall(named: "A")
    try stand.setups.describe("keep", "tempo")
    try stand.setlists.set(number: 1, "tempo", "88.5")
    stand.press()
    #expect(stand["/tempo"] == 88.5)
  }

  @Test("L4: another setlist begins untransposed")
  func loadedUntransposed() throws {
    let stand = try ShowStand.withSetlist()
    try stand.setlists.set(number: 1, "transpose", "-3")
    stand.press()
    _ = try stand.setlists.save(.setlist("pipit setlist 1\nname Two\nentry setup 0 1 B\n", named: ""))
    try stand.setlists.load("Friday")
    #expect(stand.stage.transposition == -3)
    try stand.setlists.load("Two")
    #expect(stand.stage.transposition == 0 && stand.setlists.position == nil)
  }

  @Test("The snapshot of an entry is recalled at once, whatever the time and the beat of the morph")
  func snapshot() throws {
    let stand = ShowStand()
    stand.set("/part/1/filter/cutoff/hz", 4_000)
    stand.instrument.presets.store(1, part: 0)
    stand.set("/part/1/filter/cutoff/hz", 1_000)
    stand.set("/part/1/morph/time", 5)
    try stand.setups.save(named: "A")
    try stand.setlists.add()
    try stand.setlists.set(number: 1, "snapshot", "b")
    stand.press()
    #expect(stand.cutoff == 4_000)
  }

  @Test("L5: next, previous and what was chosen are held ready: their recall reads no text and no file")
  func ready() throws {
    let stand = try ShowStand.withSetlist()
    stand.press()
    stand.press()
    #expect(Set(stand.setups.ready.keys.map(\.setupNumber)) == [1, 2, 3])
    try stand.save("D", "E", "F", "G")
    try stand.setlists.add()
    try stand.setlists.cue(number: 4)
    try stand.setups.recall(named: "A")
    // The recall is published first, and then its neighbours are read.
    stand.run()
    stand.run()
    #expect(stand.setups.ready[try #require(Slot(setupNumber: 7))] != nil)
    #expect(stand.setups.ready[try #require(Slot(setupNumber: 5))] == nil)
  }

  @Test("L5: a recall is published by the update that follows the press, and one block later it plays")
  func oneTick() throws {
    let stand = try ShowStand.withSetlist()
    stand.press()
    stand.now += 1_000_000_000
    stand.setlists.step(forward: true, now: stand.now)
    _ = stand.instrument.update(stand.now)
    stand.player.render(64)
    let published = stand.player.link.scene.audioSide.take()
    #expect(published.pointee[0].patch.filter.cutoff.rounded() == 2_000)
  }
}
