import Scenes
import Testing
@testable import Control
@testable import Surface

/// Arpeggiators, chords and sequences as a tablet sees them.
struct ArpNodeTests {
  @Test("A step of a sequence is one string, of the part in focus or one that is named")
  func steps() {
    let player = Player.connected()
    #expect(player["/sequence/step/3"] == .string("rest"))
    player.say("/sequence/step/3", "7 100 50 2 tie")
    #expect(player.control.stage.scene[0].patch.sequence[2].isTie)
    #expect(player["/sequence/step/3"] == .string("7 100 50 2 tie"))
    player.say("/part/4/sequence/step/64", "-5 90 120")
    #expect(player["/part/4/sequence/step/64"] == .string("-5 90 120 1"))
    #expect(player.refusal("/sequence/step/1", .string("loud"))?.contains("takes a note") == true)
    #expect(player.refusal("/sequence/step/65", .string("rest")) != nil)
  }

  @Test("A changed step marks the preset as edited, and undo takes it back")
  func undo() throws {
    let player = Player.connected()
    player.say("/sequence/step/1", "0 100")
    player.pass(milliseconds: 100)
    try player.control.presets.undo(part: 0)
    #expect(player["/sequence/step/1"] == .string("rest"))
  }

  @Test("The keys that are struck after LEARN become the chord, the lowest its root; one key is none")
  func chord() {
    let player = Player.connected()
    player.say("/chord/learn")
    #expect(player["/chord/learn/armed"] == .int(1))
    for key in [64.0, 60, 67] { for velocity in [0.8, 0] { player.say("/note", key, velocity) } }
    player.pass(milliseconds: 500)
    player.say("/chord/learn", 1)
    let chord = player.control.stage.scene[0].patch.chord
    #expect((chord.on, chord.note1, chord.note2, chord.note3) == (1, 4, 7, 0))
    #expect(player["/chord/learn/armed"] == .int(0))
    player.pass(milliseconds: 500)
    player.say("/part/2/chord/learn")
    player.say("/note", 50, 0.8)
    player.pass(milliseconds: 11_000)
    #expect(player["/part/2/chord/learn/armed"] == .int(0))
    #expect(player.control.stage.scene[1].patch.chord.on == 0)
  }

  @Test("CLEAR is an event for the arpeggio of the part")
  func clear() throws {
    let player = Player.connected()
    player.say("/part/3/arp/clear", 1)
    let event = try #require(player.control.link.control.peek()?.pointee)
    #expect(event.kind == .clearArp && event.target == Event.part(2))
  }
}
