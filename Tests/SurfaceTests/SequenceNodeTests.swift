import Parameters
import Scenes
import Scratch
import Testing
@testable import Control
@testable import Surface

/// The sixteen steps of a sequence that surfaces show.
struct SequenceNodeTests {
  private func step(_ player: Player, _ step: Int, part: Int = 0) -> SequenceStep {
    player.control.sequenceStep(step - 1, part: part)
  }

  @Test(
    "Each number of a step is an address of its slot, which changes that number only, and is shown to all")
  func numbers() {
    let player = Player.connected()
    player.say("/sequence/step/3", "5 90 120 2")
    player.pass(milliseconds: 100)
    let numbers = ["note": 5, "velocity": 90, "gate": 120, "strokes": 2]
    for (leaf, number) in numbers { #expect(player["/sequence/slot/3/\(leaf)"] == .int(number), "\(leaf)") }
    #expect(
      player.shown["/sequence/slot/3/gate"] == .int(120) && player.shown["/sequence/slot/4/gate"] == nil)
    #expect(player.shown["/sequence/slot/3/text"] == .string("+5"))
    player.say("/sequence/slot/3/note", -7)
    #expect(step(player, 3) == SequenceStep(note: -7, velocity: 90, gate: 120, ratchet: 2))
    player.say("/sequence/slot/3/velocity", 127)
    player.say("/sequence/slot/3/gate", 61)
    player.say("/sequence/slot/3/strokes", 4)
    #expect(step(player, 3) == SequenceStep(note: -7, velocity: 127, gate: 60, ratchet: 4))
    player.say("/sequence/slot/3/strokes", 0)
    #expect(player["/sequence/step/3"] == .string("-7 127 60 4 tie"))
    player.pass(milliseconds: 500)
    #expect(player.shown["/sequence/slot/3/text"] == .string("tie"))
    #expect(player.shown["/sequence/slot/3/gate"] == .int(60))
    player.say("/sequence/slot/3/strokes", 3)
    #expect(step(player, 3) == SequenceStep(note: -7, velocity: 127, gate: 60, ratchet: 3))
    player.say("/sequence/slot/3/velocity", 0)
    #expect(player["/sequence/slot/3/text"] == .string("rest"))
    #expect(step(player, 2) == SequenceStep() && step(player, 4) == SequenceStep())
  }

  @Test("Up and down move a note by a semitone, once a press, and not beyond the ends")
  func upAndDown() {
    let player = Player.connected()
    player.say("/sequence/step/1", "58 100")
    for _ in 0..<5 { for press in [1.0, 0] { player.say("/sequence/slot/1/up", press) } }
    #expect(step(player, 1).note == 60)
    player.say("/sequence/slot/1/down", 1)
    #expect(step(player, 1) == SequenceStep(note: 59, velocity: 100))
  }

  @Test("A page turns all slots to its sixteen steps, on every surface; only what differs is sent")
  func pages() {
    let player = Player.connected()
    for place in [1, 17, 64] { player.say("/sequence/step/\(place)", "\(place - 40) 100") }
    player.pass(milliseconds: 500)
    #expect(player.shown["/sequence/slot/1/note"] == .int(-39))
    player.forget()
    player.say("/sequence/page", 4)
    player.pass(milliseconds: 500)
    #expect(player.shown["/sequence/slot/16/note"] == .int(24))
    #expect(player.shown["/sequence/slot/1/text"] == .string("rest"))
    #expect(player.shown["/sequence/slot/2/note"] == nil && player.shown["/sequence/slot/1/gate"] == nil)
    #expect(player["/sequence/page"] == .int(4))
    player.say("/sequence/slot/15/note", 3)
    #expect(step(player, 63).note == 3)
    // The slots are of the part in focus.
    player.say("/part/2/sequence/step/63", "12 100")
    #expect(player["/sequence/slot/15/note"] == .int(3))
    player.say("/focus", 2)
    #expect(player["/sequence/slot/15/note"] == .int(12))
    player.say("/sequence/slot/15/note", 13)
    #expect(step(player, 63, part: 1).note == 13 && step(player, 63).note == 3)
  }

  @Test("Wrong types and numbers out of range are refused with what is taken, and change nothing")
  func refusals() {
    let player = Player.connected()
    player.say("/sequence/step/1", "5 90 120 2")
    let before = step(player, 1)
    for (leaf, wrong) in [
      ("note", 61.0), ("note", -60.6), ("velocity", 128), ("velocity", -1), ("gate", 1), ("gate", 1e30),
      ("strokes", -1), ("strokes", 5), ("note", .nan), ("velocity", .infinity),
    ] {
      let why = player.refusal("/sequence/slot/1/\(leaf)", .number(wrong))
      #expect(why?.contains("takes") == true, "\(leaf) \(wrong)")
    }
    #expect(player.refusal("/sequence/slot/1/note", .string("C4"))?.contains("-60…60, not \"C4\"") == true)
    #expect(player.refusal("/sequence/slot/1/note", .other("b")) != nil)
    #expect(player.refusal("/sequence/slot/1/note", .number(1), .number(2)) != nil)
    #expect(player.refusal("/sequence/slot/1/at", .number(1))?.contains("read-only") == true)
    for slot in ["0", "17", "-1", "x"] {
      #expect(player.refusal("/sequence/slot/\(slot)/note", .number(1))?.contains("is no address") == true)
    }
    player.pass(milliseconds: 1_000)
    for page in [0.0, 5, -1, 1e9] { #expect(player.refusal("/sequence/page", .number(page)) != nil) }
    #expect(step(player, 1) == before && player["/sequence/page"] == .int(1))
  }

  @Test("A changed slot marks the preset as edited; undo and a recall are shown in all slots")
  func undo() {
    let player = Player.connected()
    player.say("/preset/save/new", "Steps")
    player.say("/sequence/slot/2/velocity", 100)
    player.say("/sequence/slot/2/note", 9)
    player.pass(milliseconds: 100)
    #expect(player["/preset/edited"] == .int(1))
    player.forget()
    player.say("/preset/undo", 1)
    player.pass(milliseconds: 500)
    #expect(player.shown["/sequence/slot/2/text"] == .string("rest"))
    player.say("/preset/redo", 1)
    player.pass(milliseconds: 500)
    #expect(player.shown["/sequence/slot/2/text"] == .string("+9"))
    player.say("/preset/load", "Steps")
    player.pass(milliseconds: 500)
    #expect(player.shown["/sequence/slot/2/text"] == .string("rest"))
    player.say("/sequence/slot/1/velocity", 100)
    player.say("/sequence/clear", 1)
    #expect(step(player, 1) == SequenceStep())
    player.say("/preset/undo", 1)
    #expect(step(player, 1).velocity == 100)
  }

  @Test(
    "A hand that moves a fader while another turns the page stays on its step; its next gesture has the new one"
  )
  func twoTablets() {
    let player = Player.connected()
    let other = Peer(host: 0xC0A8_0108, port: 50_000)
    player.say("/sequence/slot/5/note", 1)
    player.harness.send("/sequence/page", 2, from: other, at: player.now)
    player.say("/sequence/slot/5/note", 2)
    player.say("/sequence/slot/5/note", 3)
    #expect(step(player, 5).note == 3 && step(player, 21).note == 0)
    player.pass(milliseconds: 400)
    // The hand had 3 under its finger, the slot shows step 21: it is told so.
    #expect(player.shown["/sequence/slot/5/note"] == .int(0) && player.shown["/sequence/page"] == .int(2))
    player.say("/sequence/slot/5/note", 4)
    #expect(step(player, 5).note == 3 && step(player, 21).note == 4)
    // Whoever turns the page himself means what he sees then.
    player.say("/sequence/page", 1)
    player.say("/sequence/slot/5/note", 5)
    #expect(step(player, 5).note == 5 && step(player, 21).note == 4)
  }

  @Test("A hand that moves a fader while another changes the focus stays in its part")
  func twoFocuses() {
    let player = Player.connected()
    let other = Peer(host: 0xC0A8_0108, port: 50_000)
    player.say("/sequence/slot/5/note", 1)
    player.harness.send("/focus", 2, from: other, at: player.now)
    player.say("/sequence/slot/5/note", 2)
    #expect(step(player, 5).note == 2 && step(player, 5, part: 1).note == 0)
    player.pass(milliseconds: 400)
    #expect(player.shown["/sequence/slot/5/note"] == .int(0))
    player.say("/sequence/slot/5/note", 3)
    #expect(step(player, 5).note == 2 && step(player, 5, part: 1).note == 3)
    // Whoever changes the focus himself means what he sees then.
    player.say("/focus", 1)
    player.say("/sequence/slot/5/note", 4)
    #expect(step(player, 5).note == 4 && step(player, 5, part: 1).note == 3)
  }

  @Test("A tablet that loses a third of everything shows the truth soon after, page and slots")
  func loss() {
    let harness = SurfaceHarness()
    let tablet = Peer(host: 0xC0A8_0107, port: 50_000)
    let client = LossyClient(tablet)
    var now: Int64 = 0
    var random = SeededRandom(1)
    func run(_ milliseconds: Int64) {
      for packet in harness.packets(from: now, until: now + milliseconds * 1_000_000)
      where !random.chance(0.3) { client.receive(packet.messages) }
      now += milliseconds * 1_000_000
    }
    harness.send("/here", from: tablet, at: now)
    run(2_000)
    for (index, address) in ["/sequence/page", "/sequence/slot/3/note", "/sequence/slot/4/velocity"]
      .enumerated()
    {
      for value in 1...4 {
        if (index + value) % 2 == 0 { harness.send(address, Double(value), from: tablet, at: now) }
        run(20)
      }
    }
    // The last message of these was lost: the control shows something else.
    client.move("/sequence/slot/6/gate", to: 200)
    harness.send("/here", from: tablet, at: now)
    run(5_000)
    let map = harness.surface.feedback.map
    let window = (0..<map.groups.shared).filter { map.text($0).hasPrefix("/sequence/") }
    #expect(window.count == 2 + 2 * 2 + 6 * 16)
    for entry in window {
      #expect(client.controls[map.text(entry)] == map.value(entry, harness.control), "\(map.text(entry))")
    }
  }

  @Test("The slot that plays is lit, on its page, of the part in focus, and no other")
  func playing() {
    let stand = Stand()
    let player = stand.player
    for place in 1...20 { player.say("/sequence/step/\(place)", "0 100") }
    player.say("/sequence/length/value", 20)
    player.say("/arp/sync", "off")
    player.say("/arp/rate/hz", 5)
    player.say("/sequence/mode", "key")
    _ = stand.play(50)
    #expect(!player.shown.values.isEmpty && player.shown["/sequence/slot/1/at"] == nil)
    player.say("/note", 60, 0.8)
    let lit = stand.play(60, "/sequence/slot/2/at")
    #expect(lit.map(\.value) == [.int(1), .int(0)])
    if lit.count == 2 { #expect(abs(lit[1].at - lit[0].at - 20) <= 5, "\(lit)") }
    player.say("/sequence/page", 2)
    _ = stand.play(5)
    let slots = (1...16).filter { player["/sequence/slot/\($0)/at"] == .int(1) }
    #expect(slots.isEmpty)
    // Step 17 sounds for a fifth of a second from 3.2 s on.
    #expect(stand.play(280, "/sequence/slot/1/at").map(\.value).contains(.int(1)))
    player.say("/focus", 2)
    _ = stand.play(20)
    for slot in 1...16 { #expect(player["/sequence/slot/\(slot)/at"] == .int(0), "\(slot)") }
  }
}
