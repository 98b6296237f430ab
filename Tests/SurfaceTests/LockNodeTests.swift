import Parameters
import Scenes
import Testing
@testable import Control
@testable import Surface

/// The lock of the surfaces on stage.
struct LockNodeTests {
  private func locked() -> Player {
    let player = Player.connected()
    player.say("/lock", 1)
    player.pass(milliseconds: 1_000)
    player.forget()
    return player
  }

  @Test(
    "A locked surface takes what a show needs, refuses the rest, and sends a control back to its true value")
  func refuses() throws {
    let player = Player.connected()
    let cutoff = player["/filter/cutoff"]
    player.say("/lock", 1)
    player.pass(milliseconds: 1_000)
    #expect(player.shown["/lock"] == .int(1))
    player.forget()
    #expect(player.refusal("/filter/cutoff", .number(0.1))?.contains("locked") == true)
    #expect(player.refusal("/preset/save", .number(1))?.contains("locked") == true)
    #expect(player.refusal("/focus", .number(3))?.contains("locked") == true)
    #expect(player.refusal("/presets/delete", .string("Warm Pad"))?.contains("locked") == true)
    player.pass(milliseconds: 1_000)
    #expect(player["/filter/cutoff"] == cutoff && player["/focus"] == .int(1))
    #expect(player.shown["/filter/cutoff"] == cutoff && player.shown["/focus"] == .int(1))
    for address in ["/macro/1", "/master/level", "/tempo/tap", "/panic"] {
      #expect(player.refusal(address, .number(0.3)) == nil, "\(address)")
    }
    #expect(player["/macro/1"] == .float(0.3))
  }

  @Test("A key that was down when the lock came is let go")
  func released() {
    let player = Player.connected()
    player.say("/note/60", 0.8)
    player.say("/sustain", 1)
    player.say("/lock", 1)
    _ = player.played()
    player.say("/note/64", 0.8)
    #expect(player.played().isEmpty)
    player.say("/note/60", 0)
    player.say("/sustain", 0)
    #expect(player.played().map(\.kind) == [.noteOff, .sustain])
  }

  @Test("A press locks, a short press does not unlock, a press of a second does")
  func pressed() {
    let player = Player.connected()
    player.say("/lock/press", 1)
    player.say("/lock/press", 0)
    #expect(player["/lock"] == .int(1))
    player.say("/lock/press", 1)
    player.pass(milliseconds: 900)
    player.say("/lock/press", 0)
    player.pass(milliseconds: 1_000)
    #expect(player["/lock"] == .int(1))
    player.say("/lock/press", 1)
    player.pass(milliseconds: 1_100)
    #expect(player.shown["/lock"] == .int(0))
    // The finger is still there: nothing more happens until it comes again.
    player.say("/lock/press", 0)
    player.pass(milliseconds: 1_000)
    #expect(player["/lock"] == .int(0))
  }

  @Test("What keyboards play and choose is not locked, nor is the shell")
  func others() {
    let player = locked()
    let pan = player["/part/1/pan"]
    player.control.take(Event(frame: 0, kind: .controller, note: 10, value: 0.1))
    player.pass(milliseconds: 100)
    #expect(player["/part/1/pan"] != pan && pan != nil)
    let shell = ShellTransport()
    player.harness.surface.receive(
      "/filter/cutoff", [.number(0.25)], from: Peer(.thisMachine, connection: 0), over: shell, now: player.now
    )
    #expect(shell.answers.isEmpty)
    #expect(player["/filter/cutoff"] == .float(0.25))
  }

  /// The local socket of the shell: it answers and keeps no clients.
  private final class ShellTransport: Transport {
    let budget = PacketBudget(packetBytes: 1_400, interval: 0, isLossy: false)
    let replyPort: Int? = nil
    let keepsClients = false
    var answers: [OSCMessage] = []
    func send(_ messages: [OSCMessage], to peer: Peer) -> Bool { true }
    func answer(_ messages: [OSCMessage], to peer: Peer) -> Bool {
      answers += messages
      return true
    }
  }
}
