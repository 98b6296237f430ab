import System
import Testing
@testable import Control
@testable import Scenes
@testable import Synth
@testable import Surface

/// What the doctor found, the test tone, and who is connected.
struct DoctorNodeTests {
  private final class Doctor: InquiryHandler {
    var replies: [(Result<[DoctorFinding], RequestRefused>) -> Void] = []
    func handle(_: Void, reply: @escaping (Result<[DoctorFinding], RequestRefused>) -> Void) {
      replies.append(reply)
    }
  }

  @Test("Each finding is a line, with the message that helps where one does")
  func findings() {
    let (player, doctor) = (Player(), Doctor())
    #expect(player.refusal("/doctor") == "/doctor checks nothing here")
    player.control.doctor.handler = doctor
    #expect(player.answers("/doctor").isEmpty)
    let found = [
      DoctorFinding(
        .fail, "card's volume", "it is off", remedy: "raise\tit",
        action: .init("Set it", "/master/card/level 0.7")),
      DoctorFinding(.ok, "keyboard", "Keys", remedy: "", action: nil),
    ]
    doctor.replies[0](.success(found))
    #expect(
      player.harness.transport.answers == [
        OSCMessage("/doctor", .int(2)),
        OSCMessage(
          "/doctor/0", .string("fail\tcard's volume\tit is off\traise it\tSet it\t/master/card/level 0.7")),
        OSCMessage("/doctor/1", .string("ok\tkeyboard\tKeys\t\t\t")),
      ])
  }

  @Test("The test tone is asked of the engine once, at a press, and only where something plays")
  func tone() {
    let player = Player()
    #expect(player.refusal("/doctor/tone", .number(1))?.contains("no sound output") == true)
    #expect(!player.harness.link.tone.take())
    player.harness.link.clock.publish(frame: 0, nanoseconds: 0, latency: 0, rate: 48_000)
    player.say("/doctor/tone", 0)
    #expect(!player.harness.link.tone.take())
    player.say("/doctor/tone", 1)
    #expect(player.harness.link.tone.take() && !player.harness.link.tone.take())
  }

  @Test("Clients are told with their address, transport, parts and silence; asking makes none")
  func clients() {
    let player = Player()
    #expect(player.answers("/clients") == [OSCMessage("/clients", .int(0))])
    player.say("/here")
    player.say("/client/name", " iPad\u{202E} of Ada\t")
    #expect(player.refusal("/client/name", .string("\n")) == "/client/name takes a name")
    #expect(player.refusal("/client/name", .number(1)) == "/client/name takes a name")
    player.say("/part/3/filter/cutoff", 0.5)
    player.say("/part/1/filter/cutoff", 0.5)
    player.say("/note", 60, 1)
    let stranger = Peer(host: 0xC0A8_0199, port: 4_000)
    player.harness.transport.answers = []
    player.harness.surface.receive(
      "/clients", [], from: stranger, over: player.harness.transport, now: player.now + 7_500_000_000)
    #expect(
      player.harness.transport.answers == [
        OSCMessage("/clients", .int(1)),
        OSCMessage("/clients/0", .string("iPad of Ada\t192.168.1.7:9000\tOSC\t1,3\t7\t1")),
      ])
  }

  @Test("The figures of the last hour are numbers in a line each")
  func history() {
    let player = Player()
    let health = player.control.health
    health.temperature = { 51 }
    for second in 0...45 {
      _ = player.control.healthWatch.updateHealth(Int64(second) * 1_000_000_000)
      player.harness.link.meters.add(.busy, 250_000_000)
      if second == 20 { player.harness.link.meters.add(.xruns, 2) }
    }
    #expect(
      player.answers("/status/history") == [
        OSCMessage("/status/history", .int(15)), OSCMessage("/status/history/load", .string("25 25 25")),
        OSCMessage("/status/history/late", .string("0 2 0")),
        OSCMessage("/status/history/voices", .string("0 0 0")),
        OSCMessage("/status/history/temperature", .string("51 51 51")),
      ])
    #expect(player["/status/temperature"] == .int(51))
  }
}
