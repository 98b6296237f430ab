import Glibc
import Parameters
import Testing
@testable import Scenes
@testable import Synth

/// Keys that are struck again while they sound, notes without a length, and how hard a key is taken to be struck.
@Suite("Restrikes, notes without length and velocity curve") struct RestrikeTests {
  /// A sine that rings for long, as a bell does.
  private static func bell(_ knobs: [(String, Float)] = []) -> Scene {
    .with(
      [
        ("/osc/1/wave", 0), ("/filter/cutoff", 20_000), ("/amp/decay", 6), ("/amp/sustain", 0),
        ("/amp/release", 6), ("/amp/velocity", 0),
      ] + knobs)
  }

  private func decibels(_ a: Float, _ b: Float) -> Float { 20 * log10(a / b) }

  /// The level of each of some strokes of one key, just after it, in decibels over the first.
  private func strokes(_ scene: Scene, apart: [Int]) -> [Float] {
    let player = Player(scene)
    var levels: [Float] = []
    for frames in apart {
      player.press(69, at: player.left.count)
      player.lift(69, at: player.left.count + 1_000)
      let before = player.left.count
      player.play(frames)
      levels.append(Array(player.left[(before + 1_000)..<(before + 2_500)]).peak)
    }
    return levels.map { decibels($0, levels[0]) }
  }

  /// Wherever in the wave of the old voice the new stroke falls. Measured: within 0.04 dB with the same voice, and 0.01
  /// with another, where the old one rang on: from -4 to +7.
  @Test("Repeated strokes of a ringing key are within 0.5 dB of the first stroke", arguments: [Float(0), 1])
  func repeatedStrokes(restrike: Float) {
    let levels = strokes(
      Self.bell([("/play/restrike", restrike)]), apart: (0..<20).map { 4_000 + 17 * $0 })
    #expect(levels.allSatisfy { $0.magnitude < 0.5 }, "\(levels)")
  }

  @Test("A ringing key that is restruck 29 times keeps its one voice and does not click") func sameVoice() {
    let player = Player(Self.bell())
    for stroke in 0..<30 {
      player.press(69, velocity: stroke % 2 == 0 ? 1 : 0.2)
      player.play(997)
      player.lift(69)
      player.play(499)
    }
    #expect(player.voices == 1 && player.groups == 1)
    // A corner of 0.2 · (2π · 440 / 48000)² is the sine's own, 0.00066; measured 0.00086. One that begins anew at its
    // zero while another is cut off has thirty times that.
    #expect(player.left.largestCorner < 0.001, "\(player.left.largestCorner)")
  }

  @Test("A restruck voice begins its attack from the current level of its envelope") func attackStart() {
    let player = Player(Self.bell([("/amp/attack", 0.5)]))
    player.press(69)
    player.play(48_000)
    player.lift(69)
    player.play(4_800)
    let state = player.engine.groups[0].block.state
    let level = state.pointee.envelope.to[0]
    #expect(level > 0.5)
    player.press(69)
    player.play(160)
    #expect(state.pointee.envelope.to[0] > level)
    #expect(state.pointee.envelope.stage[0] == UInt32(EnvelopeStage.attack))
  }

  @Test("With restrike set to fade, the old voice of a key fades in 20 ms") func oldVoiceFade() {
    let player = Player(Self.bell([("/play/restrike", 1), ("/amp/sustain", 1)]))
    player.press(69)
    player.play(4_800)
    player.press(69)
    player.play(16)
    #expect(player.voiceNumbers.count == 2 && player.voices == 1)
    // At 48 kHz 960 frames, and a control tick.
    player.play(16 * 58)
    #expect(player.voiceNumbers.count == 2)
    player.play(64)
    #expect(player.voiceNumbers.count == 1)
  }

  @Test("A key that is struck 50 times under the sustain pedal sounds one voice", arguments: [Float(0), 1])
  func sustainPedal(restrike: Float) {
    let player = Player(
      Self.bell([("/play/restrike", restrike), ("/amp/sustain", 1), ("/amp/release", 0.01)]))
    player.send(.sustain, value: 1)
    for _ in 0..<50 {
      player.press(60)
      player.play(100)
      player.lift(60)
      player.play(100)
    }
    player.play(2_000)
    #expect(player.voices == 1)
    player.send(.sustain, value: 0)
    player.play(4_000)
    #expect(player.voices == 0)
  }

  @Test("The same key of another device, channel or part has a voice of its own") func otherChannels() {
    var scene = Self.bell()
    scene[1] = scene[0]
    let player = Player(scene)
    player.press(60)
    player.press(60, source: 1)
    player.press(60, target: 3)
    player.play(64)
    #expect(player.voices == 6)
    player.press(60)
    player.play(64)
    #expect(player.voices == 6)
  }

  @Test("After a recall a repeated key starts a new voice and the old voice rings on") func keyAfterRecall() {
    var scene = Self.bell()
    let player = Player(scene)
    player.press(60)
    player.lift(60, at: 100)
    player.play(640)
    scene[0].generation += 1
    player.link.scene.publish(scene)
    player.press(60)
    player.play(4_800)
    #expect(player.voices == 2 && player.sounds == 2)
  }

  /// Where groups run out, the same voices go on, and no note is refused.
  @Test("Restriking 128 keys 40 times uses all voices and refuses no note") func fullPool() {
    let player = Player(Self.bell([("/play/restrike", 1)]))
    for _ in 0..<40 {
      for key in 0..<128 { player.press(key) }
      player.play(48)
    }
    #expect(player.voices == Limits.voices && player.link.meters[.refused] == 0)
  }

  // MARK: - Notes without a length

  @Test(
    "A note without length sounds its whole attack, within 0.5 dB of a held note",
    arguments: [Float(0.001), 0.02, 0.3])
  func zeroLength(attack: Float) {
    func peak(_ length: Int) -> Float {
      let player = Player(
        Self.bell([("/amp/attack", attack), ("/amp/release", 0.2), ("/amp/sustain", 1)]))
      player.press(69, at: 100)
      player.lift(69, at: 100 + length)
      player.play(40_000)
      #expect(player.voices == (length == 0 ? 0 : 1))
      return player.left.peak
    }
    #expect(decibels(peak(0), peak(48_000)).magnitude < 0.5)
  }

  @Test("A repeated note without length stays one released voice, which all sound off ends")
  func zeroLengthEnd() {
    let player = Player(Self.bell([("/amp/attack", 5), ("/amp/release", 0.01)]))
    player.press(60)
    player.lift(60)
    player.play(1_000)
    player.press(60)
    player.lift(60)
    player.play(1_000)
    #expect(player.voices == 1)
    // Another note off finds nothing to hold, pedal or not.
    player.send(.sustain, value: 1)
    player.lift(60)
    player.play(100)
    player.send(.allSoundOff)
    player.play(1_000)
    #expect(player.voiceNumbers.isEmpty)
  }

  @Test("Stealing takes a quiet tail first, then a note without length, then held notes")
  func zeroLengthStealing() {
    let player = Player(Self.bell([("/amp/attack", 5), ("/amp/release", 10), ("/amp/sustain", 1)]))
    for index in 0..<Limits.voices - 2 { player.press(index) }
    player.press(0, source: 1)
    player.lift(0, source: 1)
    player.press(1, source: 1)
    // Longer than the shortest attack that is sounded, 5 ms.
    player.play(480)
    player.lift(1, source: 1)
    player.play(64)
    func has(_ key: UInt8) -> Bool {
      player.voiceNumbers.contains {
        let note = player.engine.note($0)
        return note.source == 1 && note.key == key && player.engine.isSounding($0)
      }
    }
    #expect(has(0) && has(1))
    player.press(100, source: 2)
    player.play(1)
    #expect(has(0) && !has(1))
    player.press(101, source: 2)
    player.play(1)
    #expect(!has(0))
    #expect(player.voices == Limits.voices)
  }

  // MARK: - Velocity

  @Test("Velocity is unchanged at curve 0, lower at -1 and higher at 1, and full velocity stays full")
  func velocityCurve() {
    func velocity(_ struck: Float, curve: Float) -> Float {
      let player = Player(Self.bell([("/play/curve", curve)]))
      player.press(60, velocity: struck)
      player.play(16)
      return player.engine.note(player.voiceNumbers[0]).velocity
    }
    for struck in [Float(1.0 / 65_536), 0.1, 0.5, 1] {
      #expect(velocity(struck, curve: 0) == struck)
      #expect(velocity(struck, curve: -1) <= struck && velocity(struck, curve: 1) >= struck)
      // Above and below are the inverse of each other: x to the power of 2^1.5, and of its inverse.
      #expect((velocity(struck, curve: 1) - pow(struck, 1 / 2.828427)).magnitude < 1e-4)
      #expect((velocity(struck, curve: -1) - pow(struck, 2.828427)).magnitude < 1e-4)
    }
    #expect((velocity(1, curve: 1) - 1).magnitude < 1e-6)
    #expect((velocity(1, curve: -1) - 1).magnitude < 1e-6)
  }
}
