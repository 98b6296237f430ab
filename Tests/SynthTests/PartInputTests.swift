import Parameters
import Testing
@testable import Scenes
@testable import Synth

/// What a part takes from the keyboards: keys, velocities, transposition, curve, controllers.
@Suite("Part input") struct PartInputTests {
  private let short = Scene.with([("/amp/release", 0.005)])

  /// Two parts that hear all channels.
  private var layered: Scene {
    var scene = short
    scene[1] = scene[0]
    return scene
  }

  /// The parts whose notes are held, in order.
  private func parts(_ player: Player) -> [Int] {
    player.play(64)
    return player.voiceNumbers.map { player.engine.note($0) }.filter(\.isHeld).map {
      Int($0.part)
    }
    .sorted()
  }

  private func publish(_ scene: Scene, _ player: Player) {
    player.play(1)
    player.link.scene.publish(scene)
    player.play(1)
  }

  @Test("Each key is played only by the part whose key range contains the key") func keyRanges() {
    var scene = layered
    scene[0].input.highKey = 59
    scene[1].input.lowKey = 60
    let player = Player(scene)
    for key in [0, 59, 60, 127] {
      player.press(key)
      player.play(64)
      #expect(parts(player) == [key < 60 ? 0 : 1], "key \(key)")
      player.lift(key)
      #expect(parts(player).isEmpty, "key \(key)")
    }
    // One key alone, of a part that is named as well.
    scene[1].input.highKey = 60
    publish(scene, player)
    for key in 59...61 {
      player.press(key, target: Event.part(1))
      player.play(64)
      #expect(parts(player) == (key == 60 ? [1] : []))
      player.release(key, target: Event.part(1))
      player.play(64)
    }
  }

  @Test("With a velocity split at 64 and 65, every velocity plays exactly one of two parts")
  func velocitySplit() {
    var scene = layered
    scene[0].input.highVelocity = 64
    scene[1].input.lowVelocity = 65
    let player = Player(scene)
    // As fine as MIDI 2.0 has it, about the border, and the ends.
    let fine: [Float] = (0...512).map { (64 + Float($0) / 512) / 127 }
    let ends: [Float] = [0.000_001, 0.01, 0.5, 0.52, 1, 2]
    let velocities = fine + ends
    for velocity in velocities {
      player.press(60, velocity: velocity)
      player.play(16)
      #expect(parts(player) == [velocity * 127 < 64.5 ? 0 : 1], "velocity \(velocity * 127)")
      player.lift(60)
    }
  }

  @Test("A transposed key sounds bit for bit as the key at its new pitch") func transposedKey() {
    for (transpose, mode) in [(Float(12), Float(0)), (-7, 0), (5, 1)] {
      var scene = Scene.with([("/filter/track", 1), ("/filter/cutoff", 600), ("/play/mode", mode)])
      let other = Player(scene)
      scene[0].input.transpose = transpose
      let player = Player(scene)
      player.press(60)
      other.press(60 + Int(transpose))
      for one in [player, other] { one.play(4_800) }
      player.release(60)
      other.release(60 + Int(transpose))
      for one in [player, other] { one.play(4_800) }
      #expect(player.left == other.left && player.left.contains { $0 != 0 })
      #expect(player.voiceNumbers.isEmpty == other.voiceNumbers.isEmpty)
    }
  }

  @Test("The key range of a part applies to the played key, before transposition")
  func rangeBeforeTranspose() {
    var scene = short
    (scene[0].input.lowKey, scene[0].input.highKey, scene[0].input.transpose) = (60, 62, 24)
    let player = Player(scene)
    for key in [36, 59, 60, 62, 63, 84] {
      player.press(key)
      player.play(64)
      #expect(player.held() == ((60...62).contains(key) ? [key + 24] : []), "key \(key)")
      player.lift(key)
    }
  }

  @Test("A key transposed out of the MIDI range from 0 to 127 is silent") func outOfRangeKeys() {
    var scene = short
    scene[0].input.transpose = 48
    let player = Player(scene)
    player.press(79)
    player.press(80)
    player.play(64)
    #expect(player.held() == [127])
    scene[0].input.transpose = -48
    publish(scene, player)
    player.press(47)
    player.press(48)
    player.play(64)
    #expect(player.held() == [0, 127])
    for key in [79, 80, 47, 48] { player.lift(key) }
    #expect(player.held() == [])
  }

  @Test(
    "A held key is released even after its part was transposed, rerouted or recalled",
    arguments: [Float(0), 1, 2])
  func releaseAfterChange(mode: Float) {
    var scene = short
    scene[0].patch.play.mode = mode
    let changes: [(inout Part) -> Void] = [
      { $0.input.transpose = 12 }, { $0.input.lowKey = 100 }, { $0.input.lowVelocity = 127 },
      { $0.input.received.pedal = 0 }, { $0.strip.on = 0 }, { $0.strip.channel = 9 }, { $0.generation += 1 },
    ]
    for change in changes {
      let player = Player(scene)
      player.press(60)
      player.press(64)
      player.play(64)
      var other = scene
      change(&other[0])
      publish(other, player)
      player.lift(60)
      player.lift(64)
      player.play(4_800)
      #expect(player.voiceNumbers.isEmpty)
    }
  }

  @Test("A key repeated after a transposition under the sustain pedal plays only its new pitch")
  func retransposedKey() {
    var scene = short
    let player = Player(scene)
    player.send(.sustain, value: 1)
    player.press(60)
    player.play(64)
    player.lift(60)
    scene[0].input.transpose = 12
    publish(scene, player)
    player.press(60)
    player.play(64)
    #expect(player.held() == [72])
    player.send(.sustain, value: 0)
    player.play(64)
    #expect(player.held() == [72])
    player.lift(60)
    #expect(player.held() == [])
  }

  @Test("The velocity curves of the part and of the sound are applied one after the other")
  func velocityCurves() {
    func sound(_ part: Float, _ patch: Float, velocity: Float) -> [Float] {
      var scene = Scene.with([("/play/curve", patch), ("/amp/velocity", 1)])
      scene[0].input.curve = part
      let player = Player(scene)
      player.press(60, velocity: velocity)
      player.play(2_400)
      return player.left
    }
    func peak(_ samples: [Float]) -> Float { samples.map(\.magnitude).max() ?? 0 }
    for velocity: Float in [0.1, 0.5, 1] {
      #expect(sound(0.5, 0, velocity: velocity) == sound(0, 0.5, velocity: velocity))
      #expect(sound(-0.5, 0.5, velocity: velocity) == sound(0, 0, velocity: velocity))
    }
    #expect(peak(sound(0.5, 0, velocity: 0.4)) > 1.2 * peak(sound(0, 0, velocity: 0.4)))
    #expect(peak(sound(-0.5, 0, velocity: 0.4)) < 0.8 * peak(sound(0, 0, velocity: 0.4)))
    #expect(sound(-1, 0, velocity: 1) == sound(0, 0, velocity: 1))
  }

  /// Also when the controller is the part's own, as a tablet's is.
  @Test(
    "A controller moves a part that receives it and changes no bit of a part that does not",
    arguments: [
      (Event.Kind.bend, "/hear/bend"), (.wheel, "/hear/wheel"), (.pressure, "/hear/pressure"),
      (.keyPressure, "/hear/pressure"), (.soft, "/hear/pedal"),
    ])
  func receivedControllers(kind: Event.Kind, address: String) {
    // All that can move something does: the wheel and pressure open the filter by the matrix.
    let routes: [(String, Float)] = [
      ("/mod/1/source", ModulationTests.choice(.wheel as ModulationSource)), ("/mod/1/amount", 1),
      ("/mod/2/source", ModulationTests.choice(.pressure as ModulationSource)), ("/mod/2/amount", 1),
      ("/mod/3/source", ModulationTests.choice(.keyPressure as ModulationSource)), ("/mod/3/amount", 1),
    ]
    let targets = (1...3).map {
      ("/mod/\($0)/target", Float(ModulationTarget.names.firstIndex(of: "cutoff") ?? 0))
    }
    func sound(hears: Bool, moves: Bool, target: UInt8) -> [Float] {
      let knobs = routes + targets + [("/filter/cutoff", 300), (address, hears ? 1 : 0)]
      let player = Player(.with(knobs))
      if moves, kind == .soft { player.send(kind, target: target, value: 1) }
      player.press(60, target: target)
      player.play(480)
      if moves { player.send(kind, target: target, value: 1) }
      player.play(4_800)
      return player.left
    }
    for target in [0, Event.part(0)] {
      let still = sound(hears: true, moves: false, target: target)
      #expect(sound(hears: true, moves: true, target: target) != still)
      #expect(sound(hears: false, moves: true, target: target) == still)
    }
  }

  @Test(
    "A sustain or sostenuto pedal holds only the notes of parts that receive pedals",
    arguments: [Event.Kind.sustain, .sustain2, .sostenuto])
  func receivedPedals(kind: Event.Kind) {
    var scene = layered
    scene[1].input.received.pedal = 0
    let player = Player(scene)
    player.press(60)
    player.play(64)
    player.send(kind, value: 1)
    player.play(64)
    player.lift(60)
    #expect(parts(player) == [0])
    // A part that is told to hear no pedals any more lets go of what they held.
    scene[0].input.received.pedal = 0
    publish(scene, player)
    #expect(parts(player).isEmpty)
    player.send(kind, value: 0)
    // That of another device.
    scene[0].input.received.pedal = 1
    publish(scene, player)
    player.press(62)
    player.play(64)
    player.send(kind, source: 3, value: 1)
    player.play(64)
    player.lift(62)
    #expect(parts(player) == [0])
    player.send(kind, source: 3, value: 0)
    player.play(64)
    #expect(parts(player).isEmpty)
  }

  @Test("The legato footswitch slurs only the parts that receive pedals") func receivedLegato() {
    var scene = layered
    scene[1].input.received.pedal = 0
    let player = Player(scene)
    player.send(.legato, value: 1)
    player.press(60)
    player.press(64)
    player.play(64)
    #expect(parts(player) == [0, 1, 1])
    scene[0].input.received.pedal = 0
    publish(scene, player)
    player.press(67)
    player.play(64)
    #expect(parts(player) == [0, 0, 1, 1, 1])
    for key in [60, 64, 67] { player.lift(key) }
    #expect(parts(player).isEmpty)
  }

  @Test("The start key of a glide, set by CC 84, is transposed like the note that glides from it")
  func glideFromKey() {
    func sound(_ transpose: Float) -> [Float] {
      var scene = Scene.with([("/play/glide", 0.2), ("/filter/track", 0)])
      scene[0].input.transpose = transpose
      let player = Player(scene)
      player.send(.glideFrom, note: 48 - Int(transpose))
      player.press(60 - Int(transpose))
      player.play(9_600)
      return player.left
    }
    #expect(sound(12) == sound(0))
  }
}
