import MIDI
import Scenes
import Testing
@testable import Control
@testable import Surface

/// What tablets are shown of an arpeggio that plays.
struct ArpShownTests {
  @Test("The step, the keys and the held keys of the part in focus are shown, and none of another part")
  func figures() {
    let player = Player.connected()
    let stand = Stand(player)
    player.say("/arp/on", 1)
    player.say("/arp/latch", "hold")
    player.say("/note", 60, 0.8)
    _ = stand.play(30)
    #expect(player.shown["/arp/keys"] == .int(1) && player["/arp/held"] == .int(0))
    player.say("/note", 60, 0)
    let steps = stand.play(60, "/arp/at").map(\.value)
    #expect(player.shown["/arp/keys"] == .int(1) && player.shown["/arp/held"] == .int(1))
    #expect(steps.count >= 2 && !steps.contains(.int(0)))
    player.say("/focus", 2)
    _ = stand.play(30)
    for address in ["/arp/at", "/arp/keys", "/arp/held"] { #expect(player.shown[address] == .int(0)) }
  }

  @Test("A latch that a controller switches is told to every tablet within 50 ms")
  func latch() throws {
    let player = Player.connected()
    player.control.devices.table = try .keys(as: 3, bound: "cc 21 any jump 0 1 7 /arp/latch")
    let other = Peer(host: 0xC0A8_0108, port: 50_000)
    player.harness.surface.receive("/here", [], from: other, over: player.harness.transport, now: player.now)
    player.pass(milliseconds: 1_000)
    player.control.bindings.take(
      Movement(source: 3, .controller, 21, MIDIValue(127, bits: 7)), now: player.now)
    var told: [Peer: OSCValue] = [:]
    for _ in 0..<5 {
      player.now += 10_000_000
      _ = player.control.update(player.now)
      for packet in player.harness.packets(from: player.now, until: player.now + 1) {
        for message in packet.messages where message.address == "/arp/latch" {
          told[packet.peer] = message.value
        }
      }
    }
    #expect(told == [player.peer: .int(2), other: .int(2)])
  }
}
