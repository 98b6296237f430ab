import Parameters
import Scenes
import Testing
@testable import Control
@testable import Surface

/// The recording of a sequence by playing.
struct StepRecordingTests {
  private func steps(_ player: Player, part: Int = 0) -> [String] {
    (0..<player.control.stage.scene[part].patch.sequence.written).map {
      player.control.sequenceStep($0, part: part).text
    }
  }

  @Test(
    "Keys are the next steps with their velocity, REST and TIE between; all are heard, and the length follows"
  )
  func records() {
    let player = Player.connected()
    player.say("/sequence/step/9", "1 1")
    player.say("/sequence/mode", "key")
    player.say("/sequence/record", 1)
    player.pass(milliseconds: 100)
    #expect(player.shown["/sequence/record"] == .int(1) && player.shown["/part/1/sequence/record"] == .int(1))
    #expect(player.control.link.keyWatch.isOn && player.control.notices.shown.contains("REST"))
    _ = player.played()
    player.strike(60, 0.5)
    player.strike(72, 1)
    player.say("/sequence/tie", 1)
    player.say("/sequence/tie", 0)
    player.pass(milliseconds: 100)
    player.say("/sequence/rest", 1)
    player.strike(55, 1)
    #expect(steps(player) == ["0 64 50 1", "12 127 50 1", "12 127 50 1 tie", "rest", "-5 127 50 1"])
    #expect(player.played().filter { $0.kind == .noteOn }.map(\.note) == [60, 72, 55])
    #expect(player["/sequence/length/value"] == .float(5))
    // It does not play itself meanwhile.
    #expect(player["/sequence/mode"] == .int(0))
    player.pass(milliseconds: 100)
    #expect(player.shown["/sequence/slot/2/text"] == .string("+12"))
    player.say("/sequence/record", 0)
    #expect(player["/sequence/mode"] == .int(1) && player["/sequence/record"] == .int(0))
    player.strike(60, 1)
    #expect(steps(player).count == 5 && !player.control.link.keyWatch.isOn)
    #expect(player.control.notices.shown.isEmpty)
  }

  @Test("A recording is one step of undo, and one without a step is none and keeps the sequence")
  func undo() {
    let player = Player.connected()
    player.say("/sequence/step/1", "7 70")
    player.say("/filter/cutoff", 0.25)
    player.say("/sequence/record", 1)
    for key in [60.0, 62, 64] { player.strike(key, 1) }
    player.say("/sequence/record", 0)
    player.say("/preset/undo", 1)
    #expect(steps(player) == ["7 70 50 1"] && player["/filter/cutoff"] == .float(0.25))
    player.say("/preset/redo", 1)
    #expect(steps(player).count == 3 && player["/sequence/length/value"] == .float(3))
    for isOn in [1.0, 0] { player.say("/sequence/record", isOn) }
    player.say("/preset/undo", 1)
    #expect(steps(player) == ["7 70 50 1"])
    // While it is recorded, undo takes back what there is and ends it.
    player.say("/sequence/mode", "beside")
    player.say("/sequence/record", 1)
    player.strike(60, 1)
    player.say("/preset/undo", 1)
    #expect(steps(player) == ["7 70 50 1"] && player["/sequence/record"] == .int(0))
    #expect(player["/sequence/mode"] == .int(2))
    player.strike(61, 1)
    #expect(steps(player) == ["7 70 50 1"])
    player.say("/preset/redo", 1)
    #expect(steps(player) == ["0 127 50 1"] && player["/sequence/mode"] == .int(2))
  }

  @Test("It ends with the 64th step, and the slots follow the steps")
  func ends() {
    let player = Player.connected()
    player.say("/sequence/record", 1)
    for key in 1...64 {
      #expect(player["/sequence/record"] == .int(1), "\(key)")
      if key == 17 { #expect(player["/sequence/page"] == .int(1)) }
      player.strike(Double(30 + key), 1)
      if key == 17 { #expect(player["/sequence/page"] == .int(2)) }
    }
    #expect(player["/sequence/record"] == .int(0) && !player.control.link.keyWatch.isOn)
    player.strike(10, 1)
    #expect(steps(player).count == 64 && steps(player).last == "34 127 50 1")
    #expect(player["/sequence/page"] == .int(4) && player["/sequence/length/value"] == .float(64))
  }

  @Test("PANIC, a recall, a save, a copy and a clear end it; what came stands in the sound that it is of")
  func disarms() {
    let player = Player.connected()
    player.say("/preset/save/new", "Empty")
    player.say("/sequence/step/1", "3 3")
    player.say("/preset/save/new", "Three")
    let acts: [(String, [OSCArgument])] = [
      ("/panic", [.number(1)]), ("/preset/load", [.string("Empty")]), ("/preset/program", [.number(0)]),
      ("/preset/save", [.number(1)]), ("/preset/copy/part", [.number(1)]), ("/sequence/clear", [.number(1)]),
    ]
    for (address, arguments) in acts {
      player.say("/preset/load", "Three")
      player.say("/sequence/mode", "key")
      player.say("/sequence/record", 1)
      player.strike(60, 1)
      if address == "/preset/copy/part" {
        player.say("/part/2\(address)", arguments)
      } else {
        player.say(address, arguments)
      }
      #expect(player["/sequence/record"] == .int(0), "\(address)")
      #expect(!player.control.link.keyWatch.isOn, "\(address)")
      let after = steps(player)
      player.strike(64, 1)
      #expect(steps(player) == after, "\(address)")
      if address == "/panic" || address == "/preset/save" {
        #expect(after == ["0 127 50 1"] && player["/sequence/mode"] == .int(1), "\(address)")
        player.say("/preset/undo", 1)
        if address == "/preset/save" { player.say("/preset/undo", 1) }
        #expect(steps(player) == ["3 3 50 1"], "\(address)")
      } else {
        #expect(after == [], "\(address)")
      }
    }
  }

  @Test("Only keys that the part hears are recorded, of tablet and keyboards, as they were struck")
  func heard() {
    let player = Player.connected()
    func key(_ note: Int, channel: Int, _ velocity: Float = 1) {
      player.control.link.commands.push(
        Event(frame: 0, kind: .noteOn, target: UInt8(channel), note: UInt8(note), value: velocity))
      player.pass(milliseconds: 100)
    }
    player.say("/part/2/on", 1)
    player.say("/part/2/key/low/key", 48)
    player.say("/part/2/velocity/low/value", 20)
    player.say("/part/2/key/transpose/semitones", -12)
    player.say("/part/2/sequence/record", 1)
    key(60, channel: 0)
    key(60, channel: 1)
    key(47, channel: 1)
    key(61, channel: 1, 0.05)
    key(62, channel: 1, 0)
    player.say("/note", 63, 1)
    player.say("/part/2/note", 64, 1)
    #expect(steps(player, part: 1) == ["0 127 50 1", "4 127 50 1"] && steps(player).isEmpty)
    // To record another part ends it.
    player.say("/part/3/sequence/record", 1)
    #expect(player["/part/2/sequence/record"] == .int(0) && player["/part/3/sequence/record"] == .int(1))
    player.say("/part/2/sequence/record", 0)
    #expect(player["/part/3/sequence/record"] == .int(1))
  }

  @Test("Keys struck together are one step, of which the lowest is kept; one after the other they are two")
  func chords() {
    let stand = Stand()
    let player = stand.player
    _ = stand.play(2)
    player.say("/sequence/record", 1)
    for (key, velocity) in [(64.0, 0.9), (60, 0.5), (67, 0.8)] {
      player.say("/note", key, velocity)
      _ = stand.play(1)
    }
    #expect(steps(player) == ["0 64 50 1"])
    _ = stand.play(6)
    player.say("/note", 48, 1)
    #expect(steps(player) == ["0 64 50 1", "-12 127 50 1"])
    // A rest ends the chord.
    player.say("/sequence/rest", 1)
    player.say("/note", 36, 1)
    #expect(steps(player) == ["0 64 50 1", "-12 127 50 1", "rest", "-24 127 50 1"])
  }

  @Test("A key that is learned is no step")
  func learning() {
    let player = Player.connected()
    player.say("/sequence/record", 1)
    player.say("/key/learn", 1)
    for key in [40, 80] {
      player.control.link.commands.push(Event(frame: 0, kind: .noteOn, note: UInt8(key), value: 1))
      player.pass(milliseconds: 100)
    }
    #expect(player["/key/range"] == .string("E2 to G#5") && steps(player).isEmpty)
    #expect(player.control.link.keyWatch.isOn)
    player.strike(60, 1)
    #expect(steps(player) == ["0 127 50 1"])
  }

  @Test(
    "REST and TIE are refused while nothing is recorded, a tie without a note too; doubled packets count once"
  )
  func refusals() {
    let player = Player.connected()
    for address in ["/sequence/rest", "/sequence/tie", "/part/2/sequence/rest"] {
      #expect(player.refusal(address, .number(1))?.contains("/sequence/record") == true, "\(address)")
    }
    for wrong in [2.0, -1, 1e9] { #expect(player.refusal("/sequence/record", .number(wrong)) != nil) }
    #expect(player.refusal("/sequence/record", .string("now")) != nil)
    #expect(player["/sequence/record"] == .int(0))
    player.say("/sequence/record", 1)
    player.say("/sequence/record", 1)
    #expect(player.refusal("/sequence/tie", .number(1))?.contains("note before") == true)
    player.pass(milliseconds: 100)
    for _ in 0..<2 { player.say("/sequence/rest", 1) }
    #expect(player["/sequence/length/value"] == .float(1))
    player.pass(milliseconds: 100)
    #expect(player.refusal("/sequence/tie", .number(1))?.contains("note before") == true)
    player.say("/sequence/rest", 1)
    #expect(player["/sequence/length/value"] == .float(2))
    #expect(player.refusal("/part/2/sequence/rest", .number(1)) != nil)
  }
}
