import Glibc
import MIDI
import Parameters
import Presets
import Scenes
import Scratch
import Storage
import Testing
import Tuning
@testable import Control

/// Setups: a recall as a difference from what is (rules S1 to S5).
struct SetupRecallTests {
  @Test("S1: an identical recall restarts nothing, and notes that a pedal holds sound on")
  func identical() throws {
    let stand = ShowStand()
    try stand.save("A")
    stand.player.press(60)
    stand.run()
    stand.player.send(.sustain, value: 1)
    stand.player.release(60)
    stand.run()
    let before = stand.generations
    for _ in 0..<20 {
      try stand.setups.recall(named: "A")
      stand.run()
    }
    #expect(stand.generations == before)
    #expect(stand.player.voices == 1)
    #expect(stand.player.link.meters[.sounds] == 1)
  }

  @Test("S1: a recall of an identical sound of another preset is a step that undo of the part takes back")
  func identicalStep() throws {
    let stand = ShowStand()
    let presets = stand.instrument.presets
    try presets.save(part: 0, named: "Glass")
    try stand.save("A")
    try presets.save(part: 0, named: "Twin")
    presets.store(2, part: 0)
    let generations = stand.generations
    try stand.setups.recall(named: "A")
    #expect(presets.name(part: 0) == "Glass" && presets.snapshots(part: 0)[2] == nil)
    try presets.undo(part: 0)
    #expect(presets.name(part: 0) == "Twin" && presets.snapshots(part: 0)[2] != nil)
    try presets.redo(part: 0)
    #expect(presets.name(part: 0) == "Glass" && presets.snapshots(part: 0)[2] == nil)
    #expect(stand.generations == generations)
  }

  @Test("S1: only a part that differs begins a new sound")
  func unchangedPart() throws {
    let stand = ShowStand()
    stand.set("/part/2/on", 1)
    stand.set("/part/2/channel", 0)
    try stand.save("A", "B")
    let before = stand.generations
    stand.player.press(60)
    stand.run()
    try stand.setups.recall(named: "A")
    stand.run()
    #expect(stand.generation(0) == before[0] + 1)
    #expect(Array(stand.generations[1...]) == Array(before[1...]))
    // Both parts' notes sound: that of part 1 in its old sound.
    #expect(stand.player.voices == 2)
    #expect(stand.cutoff == 1_000)
  }

  @Test("One recall is enough: everything that a setup holds is as it was saved, in one published scene")
  func oneRecall() throws {
    let stand = ShowStand()
    for part in 1...Limits.parts {
      for row in Table.rows where row.field.scope != .master {
        let range = row.kind.range
        let place = Float(part) / 9
        stand.set("/part/\(part)\(row.address)", row.kind.value(fader: place) ?? range.lowerBound)
      }
    }
    stand.set("/tempo", 93)
    stand.set("/master/eq/gain", 6)
    stand.instrument.set(step: 3, of: 4, to: try #require(SequenceStep("7 100 50 1"[...])))
    try stand.setups.save(named: "Full")
    let wanted = stand.setups.present
    stand.instrument.take(Event(frame: 0, kind: .panic))
    for knob in ParameterID.all { stand.instrument.set(knob, to: Table.rows[knob.row].initial) }
    stand.instrument.set(step: 3, of: 4, to: SequenceStep())
    stand.run()
    #expect(!stand.setups.isAsStored)
    try stand.setups.recall(number: 1)
    #expect(stand.setups.isAsStored)
    let names = stand.library.wavetables
    #expect(SetupText.write(stand.setups.present, names: names) == SetupText.write(wanted, names: names))
  }

  @Test("Master level, concert pitch, click and the player's bindings are not in a setup")
  func master() throws {
    let stand = ShowStand()
    try stand.save("A", "B")
    stand.set("/master/level", -12)
    stand.set("/master/tune", 442)
    let level = stand["/master/level"]
    try stand.setups.recall(named: "A")
    try stand.setups.recall(named: "B")
    #expect(stand["/master/level"] == level && stand["/master/tune"] == 442)
    let text = try stand.setups.text(of: "A")
    #expect(!text.contains("/master/level") && !text.contains("/master/tune") && !text.contains("/click"))
  }

  @Test(
    "S2: held keys and pedals go on in the old sound, and are let go where they were pressed, whatever holds now"
  )
  func held() throws {
    let stand = ShowStand()
    stand.set("/part/1/channel", 1)
    try stand.save("A")
    stand.set("/part/1/channel", 5)
    stand.set("/part/1/key/low", 100)
    stand.set("/part/1/key/transpose", 7)
    try stand.save("B")
    try stand.setups.recall(named: "A")
    stand.run()
    stand.player.press(60)
    stand.run()
    #expect(stand.player.voices == 1)
    try stand.setups.recall(named: "B")
    stand.run(milliseconds: 200)
    #expect(stand.player.voices == 1)
    stand.player.release(60)
    stand.run(milliseconds: 3_000)
    #expect(stand.player.voices == 0)
    // A key that is struck now plays nothing: its channel and range are the new ones.
    stand.player.press(60)
    stand.run()
    #expect(stand.player.voices == 0)
  }

  @Test("S2: what a pedal holds goes on when the part hears another channel, until that pedal comes up")
  func heldByPedal() throws {
    let stand = ShowStand()
    stand.set("/part/1/channel", 1)
    try stand.save("A")
    stand.set("/part/1/channel", 5)
    try stand.save("B")
    try stand.setups.recall(named: "A")
    stand.run()
    stand.player.press(60)
    stand.run()
    stand.player.send(.sustain, value: 1)
    stand.player.release(60)
    stand.run()
    try stand.setups.recall(named: "B")
    stand.run(milliseconds: 3_000)
    #expect(stand.player.voices == 1)
    stand.player.send(.sustain, value: 0)
    stand.run(milliseconds: 3_000)
    #expect(stand.player.voices == 0)
  }

  @Test("S4: a control that has picked a knob up waits again after a recall that moves the knob")
  func pickUp() throws {
    let keys = BoundKeyboard()
    keys.bind(try #require(Binding("cc 21 any pickup 0 1 7 /part/1/filter/cutoff")))
    let knob = keys.knob("/part/1/filter/cutoff")
    keys.instrument.set(knob, to: 1_000)
    try keys.instrument.setups.save(named: "A")
    for value in [0, 40, 80, 100, 127, 90] { keys.turn(.controller, 21, value) }
    let caught = keys.instrument.value(of: knob)
    #expect(caught > 2_000)
    try keys.instrument.setups.recall(named: "A")
    keys.turn(.controller, 21, 91)
    #expect(keys.instrument.value(of: knob) == 1_000)
    for value in [60, 20] { keys.turn(.controller, 21, value) }
    #expect(keys.instrument.value(of: knob) < 300)
  }

  @Test("S3: of a storm the last plays, and nothing is left behind")
  func storm() throws {
    let stand = ShowStand()
    try stand.save("A", "B", "C")
    stand.setups.channel = 15
    for index in 0..<1_000 {
      stand.program(index % 3, channel: 15)
      if index % 5 == 0 { stand.run(milliseconds: 2) }
    }
    stand.run(milliseconds: 500)
    #expect(stand.setups.name == "A" && stand.cutoff == 1_000)
    #expect(stand.player.link.meters[.sounds] <= 1)
    #expect(stand.player.link.scene.retiredCount <= 1)
    #expect(stand.setups.ready.count <= 3)
  }

  @Test("A program every 100 ms for minutes: the last plays, no sound, scene or memory of it is left")
  func recallsOfAnHour() throws {
    let stand = ShowStand()
    try stand.save("A", "B", "C")
    stand.setups.channel = 15
    var most = 0
    for index in 0..<(runsLongTests ? 36_000 : 3_600) {
      stand.program(index % 3, channel: 15)
      if index % 7 == 0 { stand.player.press(60 + index % 12) }
      if index % 7 == 3 { for key in 60..<72 { stand.player.release(key) } }
      _ = stand.instrument.update(stand.now)
      stand.player.render(64, blocks: 2)
      stand.now += 100_000_000
      most = max(most, Int(stand.player.link.meters[.sounds]))
    }
    for key in 60..<72 { stand.player.release(key) }
    stand.run(milliseconds: 5_000)
    #expect(stand.cutoff == 3_000 && stand.setups.number == 3)
    #expect(most <= Limits.sounds && stand.player.link.meters[.sounds] <= 1)
    #expect(stand.player.voices == 0 && stand.player.link.scene.retiredCount <= 1)
  }

  @Test("S4: the tempo is left alone while a clock is followed")
  func clock() throws {
    let stand = ShowStand()
    stand.set("/tempo", 90)
    try stand.save("A")
    stand.set("/tempo", 140)
    try stand.setups.recall(named: "A")
    #expect(stand["/tempo"] == 90)
    stand.player.send(.clockTempo, source: 2, value: 100)
    stand.player.send(.clockStart, source: 2, value: 0)
    stand.run()
    stand.set("/tempo", 100)
    try stand.setups.recall(named: "A")
    #expect(stand["/tempo"] == 100 && !stand.setups.isEdited)
  }

  @Test("The position of a morph is a hand's: a recall leaves it where it is")
  func morphPosition() throws {
    let stand = ShowStand()
    try stand.save("A", "B")
    stand.set("/part/1/morph/position", 0.25)
    stand.set("/part/5/morph/position", 1)
    try stand.setups.recall(named: "A")
    #expect(stand["/part/1/morph/position"] == 0.25 && stand["/part/5/morph/position"] == 1)
    stand.run()
    #expect(!stand.setups.isEdited)
  }

  @Test("S5: a missing tuning and a missing preset are named in one notice, and the part plays without them")
  func missing() throws {
    let files = Folder()
    files.file("five.scl", "five\n5\n240.0\n480.0\n720.0\n960.0\n2/1\n")
    let stand = ShowStand(tunings: files.path)
    try stand.instrument.presets.save(part: 0, named: "Glass")
    try stand.instrument.tunings.tune([0], toScale: "five")
    try stand.save("A")
    try stand.instrument.presets.remove(part: 0)
    try stand.instrument.tunings.tune([0], toScale: "equal")
    stand.set("/part/1/filter/cutoff/hz", 500)
    try stand.setups.save(named: "B")
    stand.setups.ready = [:]
    stand.instrument.tunings.prepare([])
    #expect(remove(files.path + "/five.scl") == 0)
    try stand.setups.recall(named: "A")
    #expect(stand.instrument.notices.shown == "missing: tuning five, preset Glass")
    #expect(stand.stage.tunings[0] == nil && stand.cutoff == 1_000)
    #expect(stand.instrument.presets.name(part: 0) == "Glass")
  }

  @Test("A tuning that stays is not set anew, so held notes are not retuned")
  func sameTuning() throws {
    let files = Folder()
    files.file("five.scl", "five\n5\n240.0\n480.0\n720.0\n960.0\n2/1\n")
    let stand = ShowStand(tunings: files.path)
    try stand.instrument.tunings.tune([0], toScale: "five")
    try stand.save("A", "B")
    let version = stand.stage.scene[0].tuning.version
    try stand.setups.recall(named: "A")
    #expect(stand.stage.scene[0].tuning.version == version)
  }

  @Test("A show does not change when a preset is edited later")
  func wholeSound() throws {
    let stand = ShowStand()
    try stand.instrument.presets.save(part: 0, named: "Glass")
    try stand.save("A")
    stand.set("/part/1/filter/cutoff/hz", 4_000)
    try stand.instrument.presets.save(part: 0, named: "Glass")
    try stand.setups.recall(named: "A")
    #expect(stand.cutoff == 1_000)
    #expect(stand.instrument.presets.name(part: 0) == "Glass" && stand.instrument.presets.isEdited(part: 0))
  }
}
