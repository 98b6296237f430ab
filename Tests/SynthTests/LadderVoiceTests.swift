import EngineHarness
import Glibc
import Parameters
import Testing

@testable import Synth

/// The ladder in the voices of an instrument, and the change from and to the clean filter.
@Suite struct LadderVoiceTests {
  private static let base: [(String, Float)] = [
    ("/filter/cutoff", 900), ("/filter/resonance", 0.8), ("/filter/highpass", 60), ("/filter/drive", 4),
    ("/filter/amount", 2), ("/filter/decay", 0.3), ("/amp/velocity", 0),
  ]

  /// A chord with the ladder coming, staying, going and staying away, while notes begin and end.
  private static func played(_ knobs: [(String, Float)], block: Int, pan: Float = 0) -> Player {
    var scene = Scene.with(base + knobs)
    if pan != 0 {
      scene[0].patch.slot1.source = ModulationTests.choice(.constant as ModulationSource)
      scene[0].patch.slot1.target = Float(ModulationTarget.pan.index)
      scene[0].patch.slot1.amount = pan
    }
    let player = Player(scene, running: true)
    for character in [Float(0), 1, 0, 1] {
      scene[0].patch.filter.character = character
      player.link.scene.publish(scene)
      player.link.scene.service()
      player.press(40 + Int(character) * 7)
      player.press(60 + Int(character) * 2)
      player.play(2_400, block: block)
      player.lift(40 + Int(character) * 7)
      player.play(4_800, block: block)
    }
    return player
  }

  private static func difference(_ x: [Float], _ y: [Float]) -> Float {
    zip(x, y).map { abs($0 - $1) }.max() ?? .infinity
  }

  /// Both sides of a stereo sound are what one side is, also while the character changes.
  @Test(arguments: [Float(0), 0.5, 2], [Float(0), 1])
  func bothSidesAreAsOne(_ mode: Float, _ slope: Float) {
    let knobs: [(String, Float)] = [("/filter/mode", mode), ("/filter/slope", slope)]
    let (one, both) = (Self.played(knobs, block: 80), Self.played(knobs, block: 80, pan: 1e-6))
    let most = max(Self.difference(one.left, both.left), Self.difference(one.left, both.right))
    print("ladder sides: mode \(mode), slope \(slope): \(most) of \(one.left.peak)")
    #expect(one.left.peak > 0.05 && most < 1e-4 * one.left.peak)
  }

  /// To the bit, however the frames are divided into blocks.
  @Test func blocksDoNotMatter() {
    #expect(Self.played([], block: 80).left == Self.played([], block: 48).left)
  }

  /// A voice rings in tune from its first period on.
  @Test func aVoiceRingsInTune() {
    let player = Player(
      Scene.with([
        ("/osc/1/level", 0), ("/osc/2/level", 0), ("/filter/character", 1), ("/filter/resonance", 1),
        ("/filter/cutoff", 440), ("/filter/track", 0), ("/amp/sustain", 1),
      ]))
    player.press(60)
    player.play(48_000)
    let cents = 1_200 * log2(FilterRingingTests.frequency(Array(player.left.suffix(32_768)), near: 440) / 440)
    let (first, last) = (Array(player.left.prefix(480)).peak, Array(player.left.suffix(4_800)).peak)
    print("ladder voice: \(cents) cents, begins at \(first) of \(last)")
    #expect(abs(cents) < 1 && first > 0.7 * last && last > 0.03)
  }

  /// A ladder that has come and gone leaves the clean filter that it came to.
  @Test func theCleanFilterReturns() {
    let sine: [(String, Float)] = [("/osc/1/wave", 0), ("/osc/2/level", 0), ("/filter/amount", 0)]
    var scene = Scene.with(Self.base + sine)
    let (plain, moved) = (Player(scene, running: true), Player(scene, running: true))
    plain.press(60)
    moved.press(60)
    for character in [Float(1), 0] {
      scene[0].patch.filter.character = character
      moved.link.scene.publish(scene)
      moved.link.scene.service()
      moved.play(24_000)
      plain.play(24_000)
    }
    let most = Self.difference(Array(plain.left.suffix(9_600)), Array(moved.left.suffix(9_600)))
    let between = Self.difference(Array(plain.left[12_000..<24_000]), Array(moved.left[12_000..<24_000]))
    print("ladder left: \(most) of \(plain.left.peak)")
    #expect(most < 1e-5 && between > 0.005)
  }

  /// The character changes under a held note without a click: the sharpest bend of the wave is not sharper than before or
  /// after, whatever rings, on either side.
  @Test(arguments: [Float(0.3), 0.9, 1], [Float(0), 1e-6])
  func aChangeDoesNotClick(_ resonance: Float, _ pan: Float) {
    let knobs: [(String, Float)] = [
      ("/osc/1/wave", 0), ("/osc/2/level", 0), ("/filter/amount", 0), ("/filter/drive", 0),
      ("/filter/resonance", resonance), ("/filter/mode", 0.3),
    ]
    for from in [Float(0), 1] {
      var scene = Scene.with(Self.base + knobs + ModulationTests.slot(1, .constant, .pan, pan))
      scene[0].patch.filter.character = from
      let player = Player(scene, running: true)
      player.press(60)
      player.play(24_000)
      scene[0].patch.filter.character = 1 - from
      player.link.scene.publish(scene)
      player.link.scene.service()
      player.play(24_000)
      for side in [player.left, player.right] {
        func bend(_ range: Range<Int>) -> Float {
          range.map { abs(side[$0 + 1] - 2 * side[$0] + side[$0 - 1]) }.max() ?? 0
        }
        let (before, during) = (bend(19_200..<24_000), bend(24_000..<36_000))
        let after = bend(43_000..<47_900)
        print("ladder change from \(from), resonance \(resonance): \(during) between \(before) and \(after)")
        #expect(during < 1.15 * max(before, after))
      }
    }
  }
}
