import EngineHarness
import Glibc
import Testing
@testable import Scenes
@testable import Synth

/// The spread of voices in tune, cutoff and envelope times.
@Suite("Vintage spread of voices") struct VintageTests {
  /// A sine without a filter, each note of which ends before the next.
  private static let sine: [(String, Float)] = [
    ("/osc/1/wave", 0), ("/filter/cutoff", 20_000), ("/filter/track", 0), ("/amp/release", 0.005),
    ("/amp/attack", 0.001),
  ]

  /// The sound of each of some notes of one key, one after the other.
  private static func notes(_ count: Int, _ knobs: [(String, Float)]) -> [[Float]] {
    let player = Player(.with(sine + knobs))
    return (0..<count).map { _ in
      player.play(4_800)
      player.press(69)
      player.play(1_600)
      player.left = []
      player.play(12_000)
      let sound = player.left
      player.release(69)
      player.play(4_800)
      return sound
    }
  }

  private static func cents(_ sound: [Float]) -> Double {
    1_200 * Glibc.log2(sound.pitch(rate: 48_000) / 440)
  }

  @Test("At 100 % vintage, 16 notes in turn spread evenly over 40 cents, and the next repeats the first")
  func pitchSpread() {
    let cents = Self.notes(17, [("/play/vintage", 1)]).map(Self.cents)
    for (index, pitch) in cents.prefix(16).sorted().enumerated() {
      // Measured: 0.02 cents.
      #expect((pitch - (-20 + 40 * Double(index) / 15)).magnitude < 0.1, "\(pitch)")
    }
    #expect((cents[16] - cents[0]).magnitude < 0.1)
  }

  /// The cutoff of a voice is up to half an octave off: a sine two octaves above it is weaker or louder by 12 dB at most.
  @Test("The cutoffs of voices spread by up to half an octave either way") func cutoffSpread() {
    let knobs: [(String, Float)] = [("/play/vintage", 1), ("/filter/cutoff", 110)]
    let levels = Self.notes(16, knobs).map { sound -> Double in
      10 * Glibc.log10(sound.reduce(0.0) { $0 + Double($1 * $1) })
    }
    let spread = (levels.max() ?? 0) - (levels.min() ?? 0)
    #expect(spread > 18 && spread < 25, "\(spread)")
    #expect(Set(levels.map { ($0 * 10).rounded() }).count == 16)
  }

  @Test("Attacks of amplifier and filter envelopes spread from 71 to 141 % of their speed")
  func envelopeSpread() {
    let knobs: [(String, Float)] = [
      ("/play/vintage", 1), ("/amp/attack", 1), ("/amp/curve", -0.5), ("/filter/attack", 1),
      ("/filter/curve", -0.5),
    ]
    let player = Player(.with(knobs))
    for key in 60..<68 { player.press(key) }
    player.play(24_000)
    let (state, sources) = (player.lanes, player.engine.groups[0].block.sources)
    for lane in 0..<8 {
      let speed = exp2(0.5 * sources[ModulationSource.cardSpeed.index][lane])
      #expect((state.pointee.envelope.to[lane] - 0.5 * speed).magnitude < 0.002)
      #expect((state.pointee.filterEnvelope.to[lane] - 0.5 * speed).magnitude < 0.002)
    }
    #expect(Set((0..<8).map { state.pointee.envelope.to[$0] }).count == 8)
  }

  @Test("Vintage at 50 % halves the pitch spread, and at 0 % all notes have the same bits")
  func knobAmount() {
    let half = Self.notes(16, [("/play/vintage", 0.5)]).map(Self.cents)
    let (least, most) = (half.min() ?? 0, half.max() ?? 0)
    #expect((most - 10).magnitude < 0.1)
    #expect((least + 10).magnitude < 0.1)
    let none = Self.notes(16, [("/play/vintage", 0)])
    #expect(none.allSatisfy { isSame($0.bits, none[0].bits) })
  }

  @Test("Vintage moves a held note; turned back to 0, it does not change a bit of the next note")
  func turnedBack() {
    func play(_ vintage: Float) -> (held: [UInt32], next: [UInt32]) {
      let player = Player(.with(Self.sine))
      player.press(69)
      player.play(4_800)
      player.link.scene.publish(.with(Self.sine + [("/play/vintage", vintage)]))
      player.play(4_800)
      player.link.scene.publish(.with(Self.sine))
      player.play(48_000)
      let held = player.left.bits
      player.release(69)
      player.play(24_000)
      player.left = []
      player.press(69)
      player.play(9_600)
      return (held, player.left.bits)
    }
    let (moved, plain) = (play(1), play(0))
    #expect(!isSame(moved.held, plain.held) && isSame(moved.next, plain.next))
  }

  @Test(
    "A voice keeps its vintage offsets through a restrike and a legato key change",
    arguments: [Float(0), 2])
  func keptCard(mode: Float) {
    let player = Player(.with([("/play/vintage", 1), ("/play/mode", mode)]))
    func card() -> Float {
      player.engine.source(.cardTune, of: 0)
    }
    player.press(60)
    player.play(4_800)
    let first = card()
    player.press(mode == 0 ? 60 : 64)
    player.play(4_800)
    #expect(card() == first && player.voiceNumbers.count == 1)
  }

  @Test("The spreads of tune, cutoff and speed use each of 16 places once and are uncorrelated")
  func balancedSpreads() {
    let cards = (0..<16).map { VoiceCard(UInt64($0) + 160) }
    let spreads = [cards.map(\.tune), cards.map(\.cutoff), cards.map(\.speed)]
    let places = stride(from: 0, to: 16, by: 1).map { (place: Float) -> Float in place * (2 / 15) - 1 }
    for spread in spreads { #expect(spread.sorted() == places) }
    func product(_ a: [Float], _ b: [Float]) -> Float { zip(a, b).reduce(0) { $0 + $1.0 * $1.1 } }
    for (one, other) in [(0, 1), (0, 2), (1, 2)] {
      let correlation = product(spreads[one], spreads[other]) / product(places, places)
      #expect(correlation.magnitude < 0.06, "\(correlation)")
    }
  }
}
