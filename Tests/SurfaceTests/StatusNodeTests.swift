import Scenes
import Testing
@testable import Control
@testable import Surface

/// How the instrument is, by its addresses.
struct StatusNodeTests {
  private let second: Int64 = 1_000_000_000

  @Test("Each figure says what it is called")
  func figures() {
    let player = Player()
    let meters = player.harness.link.meters
    let cells: [(Meters.Figure, String)] = [
      (.blocks, "blocks"), (.mostVoices, "voices/most"), (.stolen, "voices/stolen"), (.shed, "voices/shed"),
      (.sounds, "sounds"), (.faults, "faults"), (.pageFaults, "pagefaults"), (.lateKey, "late/key"),
      (.card, "card"), (.realtime, "realtime"),
    ]
    for (index, (figure, _)) in cells.enumerated() { meters.set(figure, UInt64(index + 11)) }
    for (index, (_, name)) in cells.enumerated() {
      #expect(player["/status/" + name] == .int(index + 11), "\(name)")
    }
    // Hundredths of a per cent, nanoseconds: half the blocks took 20 %, one of a hundred 31, one 40.
    for count in 0..<1_000 {
      player.harness.link.load.record(count < 980 ? 2_000 : count < 999 ? 3_100 : 4_000)
      player.harness.link.lateness.record(count < 980 ? 16_000 : count < 999 ? 24_000 : 64_000)
    }
    let wanted: [(String, Float)] = [
      ("load/median", 20), ("load/p99", 31), ("load/p9999", 40), ("load/worst", 40), ("late/median", 16),
      ("late/p99", 24), ("late/p9999", 64), ("late/worst", 64),
    ]
    for (name, number) in wanted {
      guard case .float(let told)? = player["/status/" + name] else {
        Issue.record("\(name)")
        continue
      }
      #expect(abs(told - number) <= 0.065 * number, "\(name): \(told)")
    }
    let health = player.control.health
    (health.oscPort, health.oscDropped, health.state) = (8_123, 17, "/var/lib/pipit")
    (health.midi, health.playing) = ({ 2 }, { "hw:0 at 48000 Hz" })
    #expect(player["/status/port"] == .int(8_123) && player["/status/osc/dropped"] == .int(17))
    #expect(player["/status/midi"] == .int(2) && player["/status/state"] == .string("/var/lib/pipit"))
    #expect(player["/status/playing"] == .string("hw:0 at 48000 Hz"))
  }

  @Test("What goes wrong is said in words, each by its own, for a minute")
  func complaints() {
    let player = Player()
    let link = player.harness.link
    var now: Int64 = 0
    func look(_ seconds: Int64, advancing: Bool = true) {
      for _ in 0..<seconds {
        now += second
        if advancing { link.meters.add(.frames, 48_000) }
        _ = player.control.healthWatch.updateHealth(now)
      }
    }
    func complaint() -> String {
      guard case .string(let text)? = player["/status/complaint"] else { return "?" }
      return text
    }
    link.meters.set(.realtime, 1)
    look(5)
    #expect(complaint().isEmpty && player["/status/well"] == .int(1))
    let cases: [(Meters.Figure, String, String)] = [
      (.xruns, "1 block was too late", "3 blocks were too late"),
      (.faults, "1 time the sound was NaN", "3 times the sound was NaN"),
      (.shed, "1 voice was more than the machine can play", "3 voices were more than the machine can play"),
    ]
    for (figure, one, several) in cases {
      link.meters.add(figure, 1)
      look(1)
      #expect(complaint() == one && player["/status/well"] == .int(0))
      link.meters.add(figure, 2)
      look(58)
      #expect(complaint() == several)
      look(4)
      #expect(complaint().isEmpty, "\(figure): \(complaint())")
    }
    // An event that finds its ring full.
    while link.control.push(Event(frame: 0, kind: .bend)) {}
    look(1)
    #expect(complaint() == "1 event was dropped" && player["/status/events/dropped"] == .int(1))
    look(62)
    player.control.health.waitsForCard = { true }
    look(1)
    #expect(complaint() == "there is no sound card")
    player.control.health.waitsForCard = { false }
    link.meters.set(.realtime, 0)
    look(1)
    #expect(complaint() == "the audio thread has no real-time priority")
    link.meters.set(.realtime, 1)
    look(1)
    #expect(complaint().isEmpty)
    look(1, advancing: false)
    #expect(complaint() == "the audio thread stands still")
  }

  @Test(
    "The load is the share of the time that rendering takes, in steps of five, and stands still about a step")
  func load() {
    let player = Player()
    let meters = player.harness.link.meters
    var now = second
    _ = player.control.healthWatch.updateHealth(now)
    for (percent, shown) in [
      (31, 30), (34, 30), (36, 35), (39, 35), (41, 40), (36, 40), (35, 35), (0, 0), (99, 100),
    ] {
      now += second
      meters.add(.busy, UInt64(percent) * 10_000_000)
      _ = player.control.healthWatch.updateHealth(now)
      #expect(player["/status/load"] == .int(shown), "\(percent)")
      #expect(player["/status/load/text"] == .string("\(shown) %"))
    }
  }

  @Test("What passes is shown for ten seconds, then the newest of what is wrong; all of it is the complaint")
  func notices() {
    let player = Player()
    func notice() -> OSCValue? { player["/notice"] }
    player.control.notices.post("the port is taken", about: .port, .problem)
    player.control.notices.post("the disk is full", about: .saving, .problem)
    player.control.notices.post("a better card is there", about: .card)
    #expect(notice() == .string("a better card is there"))
    _ = player.control.update(100 * second)
    _ = player.control.update(110 * second - 1)
    #expect(notice() == .string("a better card is there"))
    _ = player.control.update(110 * second)
    #expect(notice() == .string("the disk is full"))
    #expect(player["/status/complaint"] == .string("the disk is full; the port is taken"))
    player.control.notices.clear(about: .saving)
    #expect(notice() == .string("the port is taken") && player["/status/well"] == .int(0))
    player.control.notices.clear(about: .port)
    #expect(notice() == .string("") && player["/status/well"] == .int(1))
  }

  @Test(
    "Who is connected is told when voices, load and late blocks change, once a second at most, and not what stays"
  )
  func told() {
    let player = Player.connected()
    let link = player.harness.link
    player.pass(milliseconds: 5_000)
    player.forget()
    link.meters.set(.voices, 7)
    link.meters.add(.xruns, 2)
    player.pass(milliseconds: 1_100)
    #expect(player.shown["/status/voices"] == .int(7) && player.shown["/status/voices/text"] == .string("7"))
    #expect(player.shown["/status/xruns"] == .int(2))
    player.forget()
    for voices in 8...27 {
      link.meters.set(.voices, UInt64(voices))
      player.pass(milliseconds: 100)
    }
    #expect(player.heard >= 2 && player.heard <= 6)
    player.pass(milliseconds: 1_100)
    #expect(player.shown["/status/voices"] == .int(27))
    player.forget()
    player.pass(milliseconds: 5_000)
    #expect(player.heard == 0)
    // A key in the last second.
    link.meters.add(.strokes, 1)
    player.pass(milliseconds: 1_100)
    #expect(player.shown["/status/keys"] == .int(1))
    player.pass(milliseconds: 1_100)
    #expect(player.shown["/status/keys"] == .int(0))
  }
}
