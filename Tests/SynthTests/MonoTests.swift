import Parameters
import Testing
@testable import Scenes
@testable import Synth

extension Player {
  /// The keys of the voices that are held, the lowest first.
  var heldKeys: [Int] {
    let notes = voiceNumbers.map { engine.note($0) }
    return notes.filter { $0.isHeld }.map { Int($0.key) }.sorted()
  }

  /// The state of the lanes of the first group.
  var lanes: UnsafeMutablePointer<LaneState> { engine.groups[0].block.state }

  /// Plays some frames and then tells the keys that are held.
  func held(after frames: Int = 160) -> [Int] {
    play(frames)
    return heldKeys
  }
}

/// One voice for all keys of a part.
@Suite("Mono and legato modes") struct MonoTests {
  private static func scene(
    _ mode: Float, priority: Float = 0, _ knobs: [(String, Float)] = []
  ) -> Scene {
    .with(
      [("/play/mode", mode), ("/play/priority", priority), ("/amp/release", 0.2), ("/osc/1/wave", 0)] + knobs)
  }

  /// Keys in turn, which of them sounds after each, and as they are let go again in the order of the first.
  @Test(
    "The note priority, last, lowest or highest, decides which held key a mono part plays",
    arguments: [
      (Float(0), [60, 64, 62], [60, 64, 62], [62, 62, nil]),
      (1, [60, 64, 62], [60, 60, 60], [62, 62, nil]),
      (2, [60, 64, 62], [60, 64, 64], [64, 62, nil]),
    ] as [(Float, [Int], [Int], [Int?])])
  func notePriority(_ priority: Float, _ keys: [Int], _ struck: [Int], _ lifted: [Int?]) {
    for mode in [Float(1), 2] {
      let player = Player(Self.scene(mode, priority: priority))
      for (key, sounding) in zip(keys, struck) {
        player.press(key)
        #expect(player.held() == [sounding])
      }
      for (key, sounding) in zip(keys, lifted) {
        player.lift(key)
        #expect(player.held() == (sounding.map { [$0] } ?? []))
      }
      player.play(20_000)
      #expect(player.voiceNumbers.isEmpty)
    }
  }

  @Test(
    "A mono line of 200 keys keeps one voice in one lane while other voices move",
    arguments: [Float(1), 2])
  func oneLane(mode: Float) {
    let player = Player(Self.scene(mode))
    // Some other voices, which move to other lanes.
    for index in 0..<20 { player.press(30 + index, target: Event.part(1)) }
    var lanes: Set<Int> = []
    for step in 0..<200 {
      player.press(50 + step * 7 % 24)
      player.play(48)
      if step % 3 != 0 { player.lift(50 + (step * 7 - 7) % 24) }
      if step % 10 == 9 { for key in 50..<74 { player.lift(key) } }
      player.play(48)
      let mono = player.voiceNumbers.filter { player.engine.note($0).isMono }
      #expect(mono.count == 1)
      lanes.formUnion(mono)
    }
    #expect(lanes.count == 1 && player.link.meters[.stolen] == 0)
  }

  @Test("An overlapping key restarts the amp envelope in mono mode but not in legato mode")
  func envelopeRestart() {
    let knobs: [(String, Float)] = [("/amp/decay", 0.2), ("/amp/sustain", 0.2)]
    for (mode, level) in [(Float(1), Float(0.75)), (2, 0.3)] {
      let player = Player(Self.scene(mode, knobs))
      player.press(60)
      player.play(24_000)
      #expect(player.lanes.pointee.envelope.to[0] < 0.25)
      player.press(64)
      player.play(480)
      #expect((player.lanes.pointee.envelope.to[0] > level) == (mode == 1))
      // Back at the first key the voice goes on in both.
      player.play(24_000)
      player.lift(64)
      #expect(player.held(after: 480) == [60])
      #expect(player.lanes.pointee.envelope.to[0] < 0.25)
      // A key that no other overlaps is struck in both.
      player.lift(60)
      player.play(960)
      player.press(62)
      player.play(480)
      #expect(player.lanes.pointee.envelope.to[0] > 0.75)
    }
  }

  @Test("In legato mode a key over a note held only by the sustain pedal restarts the envelope")
  func pedalWithoutSlur() {
    let player = Player(Self.scene(2, [("/amp/decay", 0.2), ("/amp/sustain", 0.2)]))
    player.send(.sustain, value: 1)
    player.press(60)
    player.play(24_000)
    player.lift(60)
    #expect(player.held() == [60])
    player.press(64)
    player.play(480)
    #expect(player.heldKeys == [64] && player.lanes.pointee.envelope.to[0] > 0.75)
    player.lift(64)
    #expect(player.held() == [64])
    player.send(.sustain, value: 0)
    #expect(player.held() == [])
  }

  @Test("Each mono key has its own velocity, also on return; legato keeps that of the first key")
  func returnVelocity() {
    for (mode, velocity) in [(Float(1), Float(0.25)), (2, 0.25)] {
      let player = Player(Self.scene(mode))
      player.press(60, velocity: 0.25)
      player.play(160)
      player.press(64, velocity: 1)
      player.play(9_600)
      let sources = player.engine.groups[0].block.sources
      #expect((sources[ModulationSource.velocity.index][0] - (mode == 1 ? 1 : 0.25)).magnitude < 1e-3)
      player.lift(64)
      player.play(9_600)
      #expect((sources[ModulationSource.velocity.index][0] - velocity).magnitude < 1e-3)
    }
  }

  @Test("Sixty overlapping keys in mono or legato mode make no click") func overlappingKeys() {
    for mode in [Float(1), 2] {
      let player = Player(Self.scene(mode, [("/amp/attack", 0.001), ("/filter/cutoff", 20_000)]))
      for step in 0..<60 {
        player.press(57 + step % 12)
        player.play(613)
        player.lift(57 + (step + 11) % 12)
        player.play(311)
      }
      // A sine of 880 Hz at 0.16 has corners of 0.0021; one that begins at another phase has fifty times that.
      #expect(player.left.largestCorner < 0.003, "\(mode): \(player.left.largestCorner)")
    }
  }

  @Test("Too many held keys forget the oldest, but with low priority never the one that sounds")
  func keyStackOverflow() {
    let player = Player(Self.scene(1))
    for key in 0..<40 { player.press(40 + key) }
    #expect(player.held() == [79])
    for key in (0..<40).reversed() {
      player.lift(40 + key)
      #expect(player.held() == (key > 40 - Limits.heldKeys ? [39 + key] : []))
    }
    // With low priority the one that sounds is never forgotten.
    let low = Player(Self.scene(1, priority: 1))
    for key in 0..<40 { low.press(40 + key) }
    #expect(low.held() == [40])
    for key in 0..<40 { low.lift(40 + key) }
    #expect(low.held() == [])
  }

  @Test("A preset recall keeps the old sound until the next key, and held keys stay in the stack")
  func recallUnderKeys() {
    var scene = Self.scene(2)
    let player = Player(scene)
    for key in [60, 64] { player.press(key) }
    player.play(640)
    scene[0].generation += 1
    scene[0].patch.filter.cutoff = 700
    player.link.scene.publish(scene)
    player.play(640)
    #expect(player.heldKeys == [64] && player.sounds == 1)
    player.press(67)
    player.play(640)
    #expect(player.heldKeys == [67] && player.sounds == 2)
    player.play(20_000)
    #expect(player.sounds == 1)
    player.lift(67)
    #expect(player.held() == [64])
    player.lift(64)
    #expect(player.held() == [60])
    player.lift(60)
    #expect(player.held() == [])
  }

  @Test("When voices run out, poly voices of another part are stolen before a mono voice")
  func stealingOrder() {
    var scene = Self.scene(1)
    scene[1] = scene[0]
    scene[1].patch.play.mode = 0
    let player = Player(scene)
    player.press(60, target: Event.part(0))
    player.play(64)
    for index in 0..<Limits.voices + 60 {
      player.press(index % 128, source: 1 + index / 128, target: Event.part(1))
    }
    player.play(640)
    #expect(player.link.meters[.stolen] == 61)
    #expect(player.voiceNumbers.contains { player.engine.note($0).isMono })
    #expect(player.voices == Limits.voices)
  }

  @Test("A stolen mono voice returns when a lifted key gives way to a held one, and no note hangs")
  func stolenVoice() {
    let player = Player(Self.scene(2))
    player.press(60)
    player.press(64)
    player.play(640)
    for voice in player.voiceNumbers { player.engine.fade(voice) }
    player.play(640)
    #expect(player.voiceNumbers.isEmpty)
    player.lift(64)
    #expect(player.held() == [60])
    player.lift(60)
    #expect(player.held() == [])
  }

  // MARK: - Modes

  @Test("Switching from poly to mono under held keys keeps only the key that the priority selects")
  func polyToMono() {
    var scene = Self.scene(0)
    let player = Player(scene)
    for key in [60, 67, 64] { player.press(key) }
    #expect(player.held() == [60, 64, 67])
    scene[0].patch.play.mode = 1
    player.link.scene.publish(scene)
    #expect(player.held() == [64])
    player.lift(64)
    #expect(player.held() == [67])
    scene[0].patch.play.mode = 0
    player.link.scene.publish(scene)
    #expect(player.held() == [67])
    player.press(72)
    #expect(player.held() == [67, 72])
    for key in [60, 67, 72] { player.lift(key) }
    #expect(player.held() == [])
  }

  @Test("The legato footswitch makes a poly part slur with one voice while the switch is down")
  func legatoSwitch() {
    let player = Player(Self.scene(0))
    player.press(60)
    player.play(160)
    player.send(.legato, value: 1)
    player.press(64)
    #expect(player.held() == [64] && player.voiceNumbers.count == 1)
    player.lift(64)
    #expect(player.held() == [60])
    player.send(.legato, value: 0)
    player.press(64)
    #expect(player.held() == [60, 64])
    player.lift(60)
    player.lift(64)
    #expect(player.held() == [])
  }

  @Test("MIDI mono and poly messages set the mode until the mode knob or a preset changes it")
  func modeMessages() {
    var scene = Self.scene(0)
    scene[0].strip.channel = 1
    scene[1].strip.on = 1
    let player = Player(scene)
    func keys() -> [Int] {
      for key in [60, 64] { player.press(key) }
      defer { player.send(.panic) }
      return player.held()
    }
    player.press(50)
    player.play(160)
    player.send(.mono)
    #expect(player.held() == [])
    #expect(keys() == [64])
    // The other part hears another channel.
    player.press(60, target: 1)
    player.press(64, target: 1)
    #expect(player.held() == [60, 64])
    player.send(.panic)
    player.play(160)
    #expect(keys() == [64])
    player.send(.poly)
    #expect(keys() == [60, 64])
    player.send(.mono)
    #expect(keys() == [64])
    scene[0].generation += 1
    player.link.scene.publish(scene)
    #expect(keys() == [60, 64])
    player.send(.poly)
    player.play(160)
    scene[0].patch.play.mode = 2
    player.link.scene.publish(scene)
    #expect(keys() == [64])
  }

  @Test("Per-note pitch and gain act on a mono voice only while their own key sounds") func perNoteControl() {
    let player = Player(Self.scene(1))
    for key in [60, 64] { player.press(key) }
    player.play(160)
    player.send(.notePitch, note: 60, value: 3)
    player.send(.noteGain, note: 64, value: 0.5)
    player.play(9_600)
    #expect(player.lanes.pointee.notePitch.target[0] == 0)
    #expect(player.lanes.pointee.expression.target[0] == 0.25)
    player.lift(64)
    player.play(160)
    #expect(player.lanes.pointee.notePitch.target[0] == 0.25)
    #expect(player.lanes.pointee.expression.target[0] == 1)
  }
}
