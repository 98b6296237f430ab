import Control
import ControlHarness
import Testing

@testable import Surface

/// The nodes of the song: what they ask for, and what tablets are shown.
struct SongNodeTests {
  private let player = Player.connected()
  private let asked = RequestLog<SongRequest>()

  init() { player.control.songs.handler = asked }

  @Test("A tablet plays, pauses, seeks and mixes; a release does nothing, and a duplicate is one press")
  func requests() {
    for (address, values) in [
      ("/song/pause", [1]), ("/song/pause", [0]), ("/song/rewind", [1]), ("/song/position/fader", [0.25]),
      ("/song/tempo", [0.75]), ("/song/tempo", [0.504]), ("/song/tempo/percent", [70]),
      ("/song/transpose", [-5]),
      ("/song/channel/1/mute", [1]), ("/song/channel/16/mute", [0]), ("/song/slot/16", [1]),
      ("/song/slot/2", [0]),
      ("/song/page/next", [1]), ("/song/page/previous", [1]),
    ] as [(String, [Double])] {
      player.say(address, values.map { .number($0) })
      player.pass(milliseconds: 100)
    }
    let wanted = [
      "pause", "move(0.0)", "drag(0.25)", "mix(tempo(200))", "mix(tempo(100))", "mix(tempo(70))",
      "mix(transpose(-5))", "mix(mute 0 true)", "mix(mute 15 false)", "page(play 15)", "page(turn true)",
      "page(turn false)",
    ]
    #expect(asked.requests.map(Self.words) == wanted)
    for _ in 1...2 { player.say("/song/pause", 1) }
    #expect(asked.requests.count == wanted.count + 1)
  }

  @Test("What is out of range is refused with the range, and names the numbers of channels and slots")
  func refused() {
    for (address, argument, words) in [
      ("/song/transpose", OSCArgument.number(13), "takes semitones, -12…12"),
      ("/song/tempo/percent", .number(24), "takes percent, 25…400"),
      ("/song/tempo", .string("fast"), "0 to 1"),
      ("/song/channel/2/mute", .number(2), "takes 0 or 1"),
      ("/song/position/fader", .string("end"), "0 to 1"),
    ] {
      #expect(player.refusal(address, argument)?.contains(words) == true, "\(address)")
    }
    #expect(player.refusal("/song/channel/17/mute", .number(1)) != nil)
    #expect(player.refusal("/song/slot/0", .number(1)) != nil)
    #expect(asked.requests.isEmpty)
  }

  @Test("Tablets are shown the time, the tempo, the channels and the page as they change")
  func shown() {
    var state = SongState()
    (state.name, state.isOn, state.position, state.length) = ("Canon", true, 61, 244)
    (state.mix.percent, state.mix.transposition) = (50, 3)
    (state.mix.muted, state.mix.sounding) = (1 << 15, 0b10)
    state.mix.sounds[1] = "Tine EP"
    state.page.title = "1-16 of 40"
    (state.page.names[2], state.page.current) = ("Canon", 2)
    player.control.songs.state = state
    player.pass(milliseconds: 300)
    let wanted: [String: OSCValue] = [
      "/song/name": .string("Canon"), "/song/position/fader": .float(0.25),
      "/song/position/text": .string("1:01"), "/song/length/text": .string("4:04"),
      "/song/tempo": .float(0.25), "/song/tempo/text": .string("50 %"), "/song/transpose": .int(3),
      "/song/transpose/text": .string("+3 st"), "/song/channel/16/mute": .int(1),
      "/song/channel/2/sounding": .int(1), "/song/channel/2/name": .string("Tine EP"),
      "/song/page": .string("1-16 of 40"), "/song/slot/3/name": .string("Canon"),
      "/song/slot/3/current": .int(1),
    ]
    for (address, value) in wanted { #expect(player.shown[address] == value, "\(address)") }
    #expect(player["/song/tempo/percent"] == .float(50))
    player.forget()
    state.mix.sounding = 0
    player.control.songs.state = state
    player.pass(milliseconds: 300)
    #expect(player.shown["/song/channel/2/sounding"] == .int(0) && player.shown["/song/name"] == nil)
  }

  @Test("A refused position, tempo and mute come back as they are to the control that was moved in vain")
  func corrected() {
    player.control.songs.handler = nil
    for (address, value, shown) in [
      ("/song/position/fader", 0.5, OSCValue.float(0)), ("/song/tempo", 0.9, .float(0.5)),
      ("/song/channel/3/mute", 1, .int(0)), ("/song/transpose", 4, .int(0)),
    ] {
      player.forget()
      player.say(address, value)
      player.pass(milliseconds: 1_500)
      #expect(player.shown[address] == shown, "\(address)")
    }
  }

  private static func words(_ request: SongRequest) -> String {
    switch request {
    case .pause: "pause"
    case .move(let seconds): "move(\(seconds))"
    case .drag(let share): "drag(\(share))"
    case .mix(.tempo(let percent)): "mix(tempo(\(Int(percent.rounded()))))"
    case .mix(.transpose(let semitones)): "mix(transpose(\(semitones)))"
    case .mix(.mute(let channel, let isMuted)): "mix(mute \(channel) \(isMuted))"
    case .page(.play(let slot)): "page(play \(slot))"
    case .page(.turn(let forward)): "page(turn \(forward))"
    default: "\(request)"
    }
  }
}
