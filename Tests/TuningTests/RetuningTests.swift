import EngineHarness
import Glibc
import Parameters
import Scenes
import Testing
@testable import Tuning

/// Tunings as they are heard.
@Suite("Retuned notes") struct RetuningTests {
  private static let knobs: [(String, Float)] = [
    ("/osc/1/wave", 0), ("/osc/2/level", 0), ("/filter/cutoff", 20_000), ("/amp/attack", 0.001),
    ("/amp/sustain", 1), ("/amp/release", 0.01),
  ]

  private func player(_ knobs: [(String, Float)] = []) -> (Player, Scene) {
    let scene = Scene.with(Self.knobs + knobs)
    return (Player(scene, running: true), scene)
  }

  private func tuning(_ scale: String, _ map: String? = nil) throws -> KeyTuning {
    let map = try map.map { try KeyMap(Array($0.utf8)) } ?? .linear
    return KeyTuning(octaves: try map.octaves(of: try Scale(Array(scale.utf8))))
  }

  private static let five = "five\n5\n240.0\n480.0\n720.0\n960.0\n2/1\n"

  /// The pitch of what is played next for a third of a second.
  private func heard(_ player: Player) -> Double {
    player.play(4_800)
    let start = player.left.count
    player.play(16_000)
    return Array(player.left[start...]).pitch(rate: 48_000)
  }

  private func give(_ tuning: KeyTuning?, _ scene: inout Scene, _ player: Player) {
    scene[0].tuning.change(to: tuning)
    player.link.scene.publish(scene, tunings: [tuning].compactMap { $0 })
  }

  /// Cents between two frequencies.
  private func cents(_ one: Double, _ other: Double) -> Double { (1200 * log2(one / other)).magnitude }

  /// The frequency of a pitch, octaves from concert pitch.
  private func hertz(_ octaves: Double) -> Double { 440 * exp2(octaves) }

  @Test("A key sounds within 0.05 cents of the pitch that its tuning specifies") func keyPitch() throws {
    var (player, scene) = player()
    give(try tuning(Self.five, "0\n0\n127\n60\n69\n432.0\n0\n"), &scene, player)
    player.press(69)
    #expect(cents(heard(player), 432) < 0.05)
    player.release(69)
    player.play(4_800)
    player.press(72)
    #expect(cents(heard(player), 432 * exp2(3.0 / 5)) < 0.05)
  }

  @Test("Master tuning, pitch bend and per-note pitch are added to the pitch of a retuned key")
  func pitchOffsets() throws {
    var (player, scene) = player([("/play/bend", 2), ("/master/tune", 442)])
    give(try tuning(Self.five), &scene, player)
    player.press(62)
    player.send(.bend, value: 1)
    player.send(.notePitch, note: 62, value: 0.5)
    #expect(cents(heard(player), 442 / 440 * hertz(-0.35 + 2.5 / 12)) < 0.05)
  }

  @Test("A key without a pitch is silent and does not affect a note that sounds") func silentKey() throws {
    for mode in [Float(0), 1] {
      var (player, scene) = player([("/play/mode", mode)])
      give(try tuning(Self.five, "2\n0\n127\n60\n60\n261.6\n1\n0\nx\n"), &scene, player)
      player.press(61)
      player.play(4_800)
      #expect(player.voices == 0 && player.left.peak == 0)
      player.press(62)
      player.play(4_800)
      #expect(player.voices == 1)
      // It does not take over from one that sounds, nor does its release let anything go.
      player.press(63)
      player.release(63)
      #expect(cents(heard(player), 261.6 * exp2(1.0 / 5)) < 0.05)
      #expect(player.voices == 1)
    }
  }

  @Test("A held note takes a new tuning at once without a click, or keeps its pitch if its key has none")
  func heldNotes() throws {
    for mode in [Float(0), 1] {
      var (player, scene) = player([("/play/mode", mode)])
      player.press(61)
      let equal = heard(player)
      #expect(cents(equal, hertz(-8.0 / 12)) < 0.05)
      let corner = player.left[9_600...].map { $0 }.largestCorner
      let change = player.left.count
      give(try tuning(Self.five), &scene, player)
      #expect(cents(heard(player), hertz(-0.55)) < 0.05)
      #expect(Array(player.left[(change - 100)...]).largestCorner < 2 * corner)
      give(try tuning(Self.five, "2\n0\n127\n60\n60\n261.6\n1\n0\nx\n"), &scene, player)
      #expect(cents(heard(player), hertz(-0.55)) < 0.05)
      give(nil, &scene, player)
      #expect(cents(heard(player), equal) < 0.001)
    }
  }

  @Test("The key that a single voice returns to sounds in the current tuning") func waitingKeys() throws {
    var (player, scene) = player([("/play/mode", 2)])
    player.press(62)
    player.press(69)
    player.play(2_400)
    give(try tuning(Self.five), &scene, player)
    player.play(2_400)
    player.release(69)
    #expect(cents(heard(player), hertz(-0.35)) < 0.05)
  }

  @Test("A glide that is under way when the tuning changes ends at the pitch of the new tuning")
  func glideEnd() throws {
    var (player, scene) = player([("/play/mode", 2), ("/play/glide", 0.3)])
    player.press(62)
    player.play(4_800)
    player.press(69)
    player.play(2_400)
    give(try tuning(Self.five), &scene, player)
    player.play(24_000)
    #expect(cents(heard(player), hertz(1.05)) < 0.05)
  }

  @Test("A tuning of one part leaves the notes of another part in equal temperament")
  func partTuning() throws {
    let (player, first) = player()
    var scene = first
    scene[1].strip = scene[0].strip
    scene[1].strip.channel = 2
    scene[0].strip.channel = 1
    scene[1].patch = scene[0].patch
    let five = try tuning(Self.five)
    scene[1].tuning.change(to: five)
    player.link.scene.publish(scene, tunings: [five])
    player.press(61, target: 0)
    #expect(cents(heard(player), hertz(-8.0 / 12)) < 0.05)
    player.release(61, target: 0)
    player.play(4_800)
    player.press(61, target: 1)
    #expect(cents(heard(player), hertz(-0.55)) < 0.05)
  }

  @Test("Equal temperament from a scale file renders bit for bit as without a tuning")
  func equalTemperament() throws {
    let text = "12\n12\n" + (1...11).map { "\($0)00.0\n" }.joined() + "2/1\n"
    let played = try [nil, tuning(text)].map { tuning in
      var scene = Scene.initial
      scene[0].patch = .bench
      let player = Player(scene, running: true)
      give(tuning, &scene, player)
      for key in [36, 61, 69, 90] { player.press(key) }
      player.play(9_600)
      return player.left.bits
    }
    #expect(isSame(played[0], played[1]))
  }

  @Test("A tuning is kept while the audio thread may read its scene, and is freed afterwards")
  func tuningLifetime() throws {
    var (player, scene) = player()
    weak var kept: KeyTuning?
    try {
      let five = try tuning(Self.five)
      kept = five
      give(five, &scene, player)
    }()
    player.play(64)
    #expect(kept != nil)
    give(nil, &scene, player)
    #expect(kept != nil)
    player.play(64)
    player.link.scene.service()
    #expect(kept == nil)
  }
}
