import ControlHarness
import MIDI
import Parameters
import Presets
import Scenes
import Testing
@testable import Control
@testable import Surface

/// The recorder, songs, and the sound card, as they are asked by addresses.
struct MachineNodeTests {
  private final class Asked {
    var words: [String] = []
    var refusal: String?
    private(set) lazy var recorder = RequestLog<RecordingRequest> { [unowned self] in take("\($0)") }
    private(set) lazy var songs = RequestLog<SongRequest> { [unowned self] in take("\($0)") }
    private(set) lazy var card = RequestLog<CardRequest> { [unowned self] in take("\($0)") }

    private func take(_ request: String) -> String? {
      words.append(request)
      return refusal
    }
  }

  private func player(_ asked: Asked) -> Player {
    let player = Player()
    player.control.recorder.handler = asked.recorder
    player.control.songs.handler = asked.songs
    player.control.card.handler = asked.card
    return player
  }

  @Test("1 starts a recording, 0 ends it, and LAST keeps what was heard; a refusal is told")
  func recorder() {
    let asked = Asked()
    let player = player(asked)
    player.say("/record", 1)
    player.say("/record", 0)
    player.say("/record", "1")
    player.say("/record/last", 1)
    player.say("/record/last", 0)
    #expect(asked.words == ["start", "stop", "start", "last"])
    #expect(player.refusal("/record", .string("now"))?.hasSuffix("takes 1 or 0, not \"now\"") == true)
    asked.refusal = "finds no room"
    #expect(player.refusal("/record", .number(1)) == "/record finds no room")
    #expect(player["/record"] == .int(0) && player["/record/text"] == .string(""))
    player.control.recorder.state.isOn = true
    (player.control.recorder.state.length, player.control.recorder.state.file) = ("1:02", "a.flac")
    #expect(player["/record"] == .int(1) && player["/record/text"] == .string("1:02"))
    #expect(player["/record/file"] == .string("a.flac"))
    (player.control.recorder.state.outcomes, player.control.recorder.state.outcome) = (3, "the disk is full")
    player.control.recorder.state.failed = true
    #expect(
      player.answers("/record/outcome") == [
        OSCMessage("/record/outcome", .int(3)),
        OSCMessage("/record/outcome/text", .string("the disk is full")),
        OSCMessage("/record/outcome/failed", .int(1)),
      ])
    player.control.recorder.handler = nil
    #expect(player.refusal("/record", .number(1)) == "/record records nothing here")
  }

  @Test("A song is played by name or from where it stands, moved, stopped, and taken in pieces")
  func songs() {
    let asked = Asked()
    let player = player(asked)
    player.say("/song/play", "Tune")
    player.say("/song/play", "Tune", "gm")
    player.say("/song/play", 1)
    player.say("/song/play", 0)
    player.say("/song/stop", 1)
    player.say("/song/stop", 0)
    player.say("/song/position", 12.5)
    player.say("/song/data", [.number(0), .string("4D54fA0b")])
    player.say("/song/data", [.number(240), .string("00ff")])
    player.say("/song/load", "Tune")
    player.say("/song/load", "Tune", "pipit")
    #expect(
      asked.words == [
        #"play(Optional("Tune"), programs: "auto")"#, #"play(Optional("Tune"), programs: "gm")"#,
        #"play(nil, programs: "auto")"#, "stop", "move(12.5)", "take([77, 84, 250, 11], at: 0)",
        "take([0, 255], at: 240)", #"load("Tune", programs: "auto")"#, #"load("Tune", programs: "pipit")"#,
      ])
    asked.words = []
    for wrong in [
      [.number(0), .string("4D5")], [.number(0), .string("4G")], [.number(-1), .string("00")],
      [.number(1e9), .string("00")], [.string("00"), .number(0)], [.number(0)],
    ] as [[OSCArgument]] {
      player.harness.transport.answers.removeAll()
      player.now += 1_000_000_000
      player.say("/song/data", wrong)
      #expect(player.harness.transport.answers.contains { $0.address == "/error" }, "\(wrong)")
    }
    for seconds in [-1, 86_401] as [Double] {
      #expect(player.refusal("/song/position", .number(seconds))?.contains("takes seconds, 0…86400") == true)
    }
    #expect(asked.words.isEmpty)
    player.control.songs.state.name = "Tune"
    (
      player.control.songs.state.isOn, player.control.songs.state.position, player.control.songs.state.length
    ) = (true, 61, 180)
    #expect(player["/song/name"] == .string("Tune") && player["/song/playing"] == .int(1))
    #expect(player["/song/position"] == .float(61) && player["/song/length"] == .float(180))
    asked.refusal = "finds no song \"Tune\""
    #expect(player.refusal("/song/play", .string("Tune")) == "/song/play finds no song \"Tune\"")
  }

  @Test("The card's fader asks for what it shows not once, and for nothing beyond its ends")
  func card() {
    let asked = Asked()
    let player = player(asked)
    player.control.card.state.level = .init(normalized: 0.5, decibels: -30, range: -60...0, text: "-30.0 dB")
    for way in [0.5, 0.25, -3, 9] { player.say("/master/card/level", way) }
    player.say("/master/card/level/db", -30)
    player.say("/master/card/level/db", -31)
    #expect(asked.words == ["level(0.25)", "level(0.0)", "level(1.0)", "decibels(-31.0)"])
    (player.control.card.state.names, player.control.card.state.rates) = (["A", "B"], [44_100, 48_000])
    asked.words = []
    player.say("/card", 1)
    player.say("/card", "b")
    player.say("/card/rate", 48_000)
    #expect(asked.words == [#"card("B")"#, #"card("B")"#, "rate(48000)"])
    #expect(
      player.refusal("/card", .number(2)) != nil && player.refusal("/card/rate", .number(22_050)) != nil)
    #expect(asked.words.count == 3)
  }

  @Test("What is touched to be learned is not done, but for panic; a fader moves, and its knob is learned")
  func learning() {
    let player = Player()
    let asked = RequestLog<DeviceRequest>()
    player.control.devices.handler = asked
    var table = DeviceTable()
    let place = Device.Address(client: 20, port: 0)
    let id = table.attach(PortIdentity(client: "Keys", port: "Keys"), at: place).id
    table.play(place, as: 3)
    player.control.devices.table = table
    player.say("/preset/save/new", "One")
    player.say("/preset/save/new", "Two")
    player.now += 1_000_000_000
    player.say("/learn", 1)
    #expect(player["/learn/state"] == .int(1) && player["/learn/text"] == .string("touch a fader"))
    player.say("/preset/next", 1)
    #expect(player["/preset/name"] == .string("Two") && player["/learn/text"] == .string("preset next…"))
    player.say("/panic", 1)
    #expect(player.played().map(\.kind) == [.panic])
    player.say("/part/2/filter/cutoff", 1)
    #expect(player["/part/2/filter/cutoff"] == .float(1))
    for value in [10, 20, 30] as [UInt32] {
      player.control.bindings.take(
        Movement(source: 3, .controller, 21, MIDIValue(value, bits: 7)), now: player.now)
    }
    var settings = DeviceSettings()
    settings.bind(Binding(.controller, 21, channel: 0, to: "/part/2/filter/cutoff", .pickup))
    #expect(asked.requests == [.set(id, settings)])
    player.now += 1_000_000_000
    player.say("/learn", 1)
    #expect(player["/learn/state"] == .int(2))
    player.now += 1_000_000_000
    player.say("/learn", 1)
    #expect(player["/learn/state"] == .int(0) && player["/learn/text"] == .string(""))
    player.say("/preset/previous", 1)
    #expect(player["/preset/name"] == .string("One"))
  }
}
