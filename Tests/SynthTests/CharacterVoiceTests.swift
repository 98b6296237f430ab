import EngineHarness
import Glibc
import Parameters
import Testing
@testable import Scenes
@testable import Synth

/// The filter's characters in the voices of an instrument, and the change from one to another.
@Suite("Filter characters in voices") struct CharacterVoiceTests {
  private static let base: [(String, Float)] = [
    ("/filter/cutoff", 900), ("/filter/resonance", 0.8), ("/filter/highpass", 60), ("/filter/drive", 4),
    ("/filter/amount", 2), ("/filter/decay", 0.3), ("/amp/velocity", 0),
  ]
  private static let all = FilterCharacter.allCases.map { Float($0.rawValue) }

  /// A chord with characters that come and go, in pairs and three at a time, while notes begin and end.
  private static func played(_ knobs: [(String, Float)], block: Int, pan: Float = 0) -> Player {
    var scene = Scene.with(base + knobs)
    if pan != 0 {
      scene[0].patch.slot1.source = ModulationTests.choice(.constant as ModulationSource)
      scene[0].patch.slot1.target = Float(ModulationTarget.pan.index)
      scene[0].patch.slot1.amount = pan
    }
    let player = Player(scene, running: true)
    for (index, character) in (all + [0, 1, 0] + all.reversed()).enumerated() {
      scene[0].patch.filter.character = character
      player.link.scene.publish(scene)
      player.link.scene.service()
      player.press(40 + Int(character) * 7)
      player.press(60 + Int(character) * 2)
      // So soon that the change before has not ended.
      player.play(index % 3 == 1 ? 240 : 2_400, block: block)
      player.lift(40 + Int(character) * 7)
      player.play(index % 3 == 1 ? 240 : 4_800, block: block)
    }
    return player
  }

  private static func difference(_ x: [Float], _ y: [Float]) -> Float {
    zip(x, y).map { abs($0 - $1) }.max() ?? .infinity
  }

  @Test(
    "Both sides of a stereo voice sound as in mono, also while the filter character changes",
    arguments: [Float(0), 0.5, 2], [Float(0), 1])
  func bothSides(_ mode: Float, _ slope: Float) {
    let knobs: [(String, Float)] = [("/filter/mode", mode), ("/filter/slope", slope)]
    let (one, both) = (Self.played(knobs, block: 80), Self.played(knobs, block: 80, pan: 1e-6))
    let most = max(Self.difference(one.left, both.left), Self.difference(one.left, both.right))
    print("character sides: mode \(mode), slope \(slope): \(most) of \(one.left.peak)")
    #expect(one.left.peak > 0.05 && most < 1e-4 * one.left.peak)
  }

  @Test("Changes of the filter character are the same to the bit in blocks of 48 and 80 frames")
  func anyBlocks() {
    #expect(Self.played([], block: 80).left == Self.played([], block: 48).left)
  }

  @Test(
    "After a change to another filter character and back, a note sounds as without the change",
    arguments: all, all)
  func characterReturns(_ own: Float, _ other: Float) {
    if own == other { return }
    let sine: [(String, Float)] = [("/osc/1/wave", 0), ("/osc/2/level", 0), ("/filter/amount", 0)]
    // So that a comb's ring is full within the time.
    let brief: [(String, Float)] = own == 3 ? [("/filter/resonance", 0.3)] : []
    var scene = Scene.with(Self.base + sine + brief + [("/filter/character", own)])
    let (plain, moved) = (Player(scene, running: true), Player(scene, running: true))
    plain.press(60)
    moved.press(60)
    for character in [other, own] {
      scene[0].patch.filter.character = character
      moved.link.scene.publish(scene)
      moved.link.scene.service()
      moved.play(24_000)
      plain.play(24_000)
    }
    let most = Self.difference(Array(plain.left.suffix(9_600)), Array(moved.left.suffix(9_600)))
    let between = Self.difference(Array(plain.left[12_000..<24_000]), Array(moved.left[12_000..<24_000]))
    print("character \(own) with \(other) between: \(most) of \(plain.left.peak)")
    #expect(most < 1e-5 && between > 0.05 * plain.left.peak)
  }

  /// The sharpest bend of the wave during the change is not sharper than before or after, whatever rings, on either side.
  @Test(
    "A change of the filter character under a held note does not click",
    arguments: [Float(0.3), 0.9, 1], [Float(0), 1e-6])
  func characterChange(_ resonance: Float, _ pan: Float) {
    let knobs: [(String, Float)] = [
      ("/osc/1/wave", 0), ("/osc/2/level", 0), ("/filter/amount", 0), ("/filter/drive", 0),
      ("/filter/resonance", resonance), ("/filter/mode", 0.3),
    ]
    for from in Self.all {
      for to in Self.all where to != from {
        var scene = Scene.with(Self.base + knobs + ModulationTests.slot(1, .constant, .pan, pan))
        scene[0].patch.filter.character = from
        let player = Player(scene, running: true)
        player.press(60)
        player.play(24_000)
        scene[0].patch.filter.character = to
        player.link.scene.publish(scene)
        player.link.scene.service()
        player.play(24_000)
        for side in [player.left, player.right] {
          func bend(_ range: Range<Int>) -> Float {
            range.map { abs(side[$0 + 1] - 2 * side[$0] + side[$0 - 1]) }.max() ?? 0
          }
          let (before, during) = (bend(19_200..<24_000), bend(24_000..<36_000))
          let after = bend(43_000..<47_900)
          print("change \(from) to \(to), resonance \(resonance): \(during) between \(before) and \(after)")
          // Formants and combs: measured 1.16, as the shares of a sine in different phases.
          #expect(during < (max(from, to) > 1 ? 1.25 : 1.15) * max(before, after), "\(from) to \(to)")
        }
      }
    }
  }

  @Test("With all voices sounding, filter characters are finite and within 12 dB of one another")
  func allVoices() {
    let levels = Self.all.map { character -> Double in
      let player = Player(
        Scene.with([("/filter/character", character), ("/filter/cutoff", 632), ("/amp/level", -40)]),
        running: true)
      for note in 0..<Limits.voices { player.press(24 + note % 64, source: note / 64) }
      player.play(24_000)
      #expect(player.left.allSatisfy { $0.isFinite })
      return 20 * log10(Double(player.left.suffix(12_000).peak))
    }
    print("character levels of all voices: \(levels) dB")
    #expect((levels.max() ?? 0) - (levels.min() ?? 0) < 12)
  }
}
