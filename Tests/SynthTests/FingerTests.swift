import Parameters
import Testing
@testable import Scenes
@testable import Synth

/// What the finger on a member channel moves in its own voice alone.
@Suite("Controllers of MPE member channels") struct FingerTests {
  private static func player(_ knobs: [(String, Float)] = []) -> Player {
    let player = Player(.with([("/osc/1/wave", 0), ("/filter/cutoff", 20_000)] + knobs))
    player.send(.mpeZone, note: 15)
    return player
  }

  /// The values of a source in the voices of the members that hold notes, by channel.
  private func values(_ player: Player, _ source: ModulationSource) -> [UInt8: Float] {
    var values: [UInt8: Float] = [:]
    for voice in player.voiceNumbers {
      values[player.engine.note(voice).target] = player.engine.source(source, of: voice)
    }
    return values
  }

  /// A finger always presses: vibrato is for the wheels and for the pressure of all, or no note would stand still.
  @Test("Pressure on an MPE member channel adds no vibrato, but on the manager channel it does")
  func memberPressure() {
    let player = Self.player([])
    player.press(60, target: 1)
    player.send(.pressure, target: 1, value: 0.75)
    player.play(9_600)
    #expect(values(player, .touch) == [1: 0])
    player.send(.pressure, target: 0, value: 0.5)
    player.play(9_600)
    #expect(abs((values(player, .touch)[1] ?? 0) - 0.5) < 1e-4)
  }

  @Test(
    "A controller on an MPE member channel moves only that channel's voice, and smoothly",
    arguments: [
      (Event.Kind.pressure, ModulationSource.pressure, Float(0)), (.pressure, .keyPressure, 0),
      (.wheel, .touch, 0), (.timbre, .timbre, 0.5), (.bend, .bend, 0), (.wheel, .wheel, 0),
      (.breath, .breath, 0),
    ], [Float(1), 5])
  func ownVoice(
    _ moved: (kind: Event.Kind, source: ModulationSource, rest: Float), _ unison: Float
  ) {
    let player = Self.player([("/osc/1/unison", unison)])
    for channel in 1...9 as ClosedRange<UInt8> { player.press(50 + Int(channel), target: channel) }
    player.play(480)
    #expect(values(player, moved.source).values.allSatisfy { $0 == moved.rest })
    player.send(moved.kind, target: 4, value: 0.75)
    // Smoothly: after a millisecond it is on its way, and then there.
    player.play(48)
    let soon = values(player, moved.source)[4] ?? 0
    #expect(soon > moved.rest + 0.005 && soon < 0.7)
    player.play(9_600)
    for (channel, value) in values(player, moved.source) {
      #expect(abs(value - (channel == 4 ? 0.75 : moved.rest)) < 1e-4)
    }
    // Its key comes up under the pedal: what comes now is for the next note.
    player.send(.sustain, value: 1)
    player.lift(54, target: 4)
    player.send(moved.kind, target: 4, value: 0.25)
    player.play(9_600)
    #expect(abs((values(player, moved.source)[4] ?? 0) - 0.75) < 1e-4)
    player.press(80, target: 4)
    player.play(64)
    let next = player.voiceNumbers.first { player.engine.note($0).key == 80 } ?? 0
    let value = player.engine.source(moved.source, of: next)
    #expect(abs(value - 0.25) < 1e-4)
  }

  @Test("Jumps of bend and pressure on a member channel are as smooth as on the manager channel")
  func memberJumps() {
    func corner(_ target: UInt8, _ kind: Event.Kind, _ range: Float) -> Float {
      let pressure = ModulationTests.choice(.pressure as ModulationSource)
      // Without vibrato, which follows the manager alone.
      let player = Self.player([
        ("/mod/1/source", pressure), ("/mod/1/target", 1), ("/mod/1/amount", 0.2), ("/lfo/1/wheel", 0),
      ])
      player.send(.bendRange, target: target, value: range)
      player.press(57, target: target == 0 ? 1 : target)
      player.play(9_600)
      player.left = []
      player.send(kind, target: target, value: 1)
      player.play(9_600)
      return player.left.largestCorner
    }
    #expect(corner(3, .bend, 2) == corner(0, .bend, 2))
    #expect(corner(3, .pressure, 2) == corner(0, .pressure, 2))
  }

  @Test("Moving voices to other lanes keeps the bend of their member channels, bit for bit")
  func voiceCompaction() {
    func play(_ compacts: Bool) -> [UInt32] {
      let player = Self.player([("/amp/release", 0.01)])
      player.engine.compacts = compacts
      for key in 0..<30 { player.press(40 + key, target: UInt8(1 + key % 15)) }
      for channel in 1...15 as ClosedRange<UInt8> {
        player.send(.bend, target: channel, value: Float(channel) / 100)
      }
      player.play(960)
      for key in 0..<30 where key % 7 != 3 { player.lift(40 + key, target: UInt8(1 + key % 15)) }
      player.play(9_600)
      for channel in 1...15 as ClosedRange<UInt8> {
        player.send(.bend, target: channel, value: -Float(channel) / 100)
      }
      player.play(4_800)
      return player.left.bits
    }
    #expect(isSame(play(true), play(false)))
  }

  @Test("Random MPE zones, keys, pedals and controllers leave no hanging note and no fault")
  func randomZones() {
    var state: UInt64 = 42
    func below(_ count: Int) -> Int {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int(state >> 33) % count
    }
    for mode in [0, 1, 2] as [Float] {
      let player = Self.player([("/play/mode", mode), ("/amp/release", 0.02)])
      for _ in 0..<3_000 {
        let (source, channel) = (below(2), UInt8(below(16)))
        switch below(14) {
        case 0:
          player.send(.mpeZone, source: source, target: below(2) == 0 ? 0 : 15, note: below(16))
        case 1: player.send(.sustain, source: source, target: channel, value: Float(below(2)))
        case 2: player.send(.sostenuto, source: source, target: channel, value: Float(below(2)))
        case 3: player.send(.legato, source: source, target: channel, value: Float(below(2)))
        case 4: player.send(.resetControllers, source: source, target: channel)
        case 5, 6:
          let kind = [Event.Kind.bend, .pressure, .timbre, .bendRange][below(4)]
          player.send(kind, source: source, target: channel, value: Float(below(100)) / 50 - 0.5)
        case 7, 8, 9: player.lift(48 + below(12), source: source, target: channel)
        default: player.press(48 + below(12), source: source, target: channel)
        }
        if below(4) == 0 { player.play(64) }
      }
      for source in 0..<2 {
        for channel in 0..<16 as Range<UInt8> {
          for kind in [Event.Kind.sustain, .sostenuto, .legato] {
            player.send(kind, source: source, target: channel)
          }
          for key in 48..<60 { player.lift(key, source: source, target: channel) }
        }
        player.play(64)
      }
      player.play(48_000)
      #expect(player.voices == 0 && player.link.meters[.faults] == 0, "mode \(mode)")
      #expect(player.link.midi.dropped == 0)
    }
  }
}
