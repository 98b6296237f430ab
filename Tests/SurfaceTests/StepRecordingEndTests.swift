import Parameters
import Presets
import Scenes
import Testing
@testable import Control
@testable import Surface
@testable import Synth

/// How the recording of a sequence ends without its player, and how what it recorded plays afterwards.
struct StepRecordingEndTests {
  private let mode = ParameterID(row: KeyRanges.row("/sequence/mode"), part: 0)

  private func isArmed(_ player: Player) -> Bool {
    player.control.link.keyWatch.isOn || player["/sequence/record"] != .int(0)
  }

  @Test("A session that is saved during a recording has the mode from before it; the end of pipit ends it")
  func session() {
    let player = Player.connected()
    player.say("/sequence/mode", "key")
    player.say("/sequence/record", 1)
    player.strike(60)
    player.pass(milliseconds: 100)
    #expect(player.control.library.session?.scene[mode] == 1)
    #expect(player["/sequence/mode"] == .int(0) && isArmed(player))
    _ = player.control.finish(within: 0)
    #expect(player["/sequence/mode"] == .int(1) && !isArmed(player))
    #expect(player.control.library.session?.scene[mode] == 1)
  }

  @Test("A session that is restored ends it, and keeps its own steps and mode")
  func restored() {
    let player = Player.connected()
    player.say("/sequence/mode", "beside")
    player.say("/sequence/record", 1)
    player.strike(60)
    var session = Session()
    session.scene[mode] = 1
    player.control.session.adopt(session)
    #expect(!isArmed(player) && player["/sequence/mode"] == .int(1))
    #expect(player.control.notices.shown.isEmpty)
    player.strike(62)
    #expect(player["/sequence/step/1"] == .string("rest"))
  }

  @Test("A minute without a step ends it: the tablet that began it may be gone")
  func timeout() {
    let player = Player.connected()
    player.say("/sequence/mode", "key")
    player.say("/sequence/record", 1)
    for key in [60.0, 62] {
      player.pass(milliseconds: 10)
      player.now += 58_000_000_000
      player.pass(milliseconds: 10)
      #expect(isArmed(player), "\(key)")
      player.strike(key)
    }
    player.pass(milliseconds: 10)
    player.now += 61_000_000_000
    player.pass(milliseconds: 10)
    #expect(!isArmed(player) && player["/sequence/mode"] == .int(1))
    #expect(player["/sequence/step/2"] == .string("2 127 50 1"))
    player.say("/preset/undo", 1)
    #expect(player["/sequence/step/2"] == .string("rest"))
  }

  @Test("The notice of a recording is shown again after a key was learned")
  func notice() {
    let player = Player.connected()
    player.say("/sequence/record", 1)
    player.say("/key/learn", 1)
    player.pass(milliseconds: 500)
    player.say("/key/learn", 1)
    player.pass(milliseconds: 10)
    #expect(player.control.notices.shown.contains("REST"))
    player.say("/sequence/record", 0)
    #expect(player.control.notices.shown.isEmpty)
  }

  @Test("A part that is transposed plays what was heard when it was recorded", arguments: ["key", "beside"])
  func transposed(mode: String) {
    let stand = Stand()
    let player = stand.player
    /// The keys that are held at some time in half a second.
    func heard() -> Set<Int> {
      var keys: Set<Int> = []
      for _ in 0..<50 {
        _ = stand.play(1)
        for voice in 0..<Limits.lanes where stand.engine.pointee.parts.ensemble.voices.next(voice) == voice {
          let note = stand.engine.pointee.parts.ensemble.voices.notes[voice]
          if note.isHeld { keys.insert(Int(note.key)) }
        }
      }
      return keys
    }
    player.say("/key/transpose/semitones", -12)
    player.say("/sequence/mode", mode)
    player.say("/sequence/record", 1)
    _ = stand.play(10)
    player.say("/note", 64, 1)
    #expect(heard() == [52])
    player.say("/note", 64, 0)
    _ = stand.play(50)
    player.say("/sequence/record", 0)
    if mode == "key" { player.say("/note", 60, 1) }
    #expect(heard() == [52])
  }
}
