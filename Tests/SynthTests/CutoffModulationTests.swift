import EngineHarness
import Glibc
import Parameters
import Testing
@testable import Scenes
@testable import Synth

/// The cutoff moved by the second oscillator at audio rate.
@Suite("Audio-rate cutoff modulation") struct CutoffModulationTests {
  typealias Knobs = [(String, Float)]
  private static let base: Knobs = [
    ("/filter/cutoff", 1_000), ("/filter/track", 0), ("/amp/velocity", 0), ("/amp/attack", 0.001),
    ("/amp/sustain", 1), ("/osc/2/wave", 3),
  ]

  private static func play(_ knobs: Knobs, _ key: Int, frames: Int) -> Player {
    let player = Player(.with(base + knobs))
    player.press(key, velocity: 1)
    player.play(frames, block: 256)
    return player
  }

  private static func power(_ x: some Sequence<Float>) -> Double {
    x.reduce(0.0) { $0 + Double($1) * Double($1) }
  }

  /// The filters of a sound: modes and slopes, at rest, resonant and self-oscillating.
  private static let filters: [Knobs] = [
    [], [("/filter/slope", 1)], [("/filter/mode", 1)], [("/filter/mode", 2)], [("/filter/mode", 3)],
    [("/filter/mode", 2.5), ("/filter/slope", 1)], [("/filter/resonance", 0.7)],
    [("/filter/resonance", 0.95), ("/filter/mode", 0.5)], [("/filter/amount", 4), ("/filter/decay", 0.3)],
    [("/filter/drive", 12)], [("/osc/1/unison", 3)],
    [("/filter/character", 1), ("/filter/resonance", 0.7)],
    [("/filter/character", 1), ("/filter/mode", 1), ("/filter/slope", 1)],
    [("/filter/character", 1), ("/osc/1/unison", 3)],
  ]

  /// Those of them whose level at rest depends on nothing but the cutoff.
  private static let steadyFilters = filters.filter { filter in
    !filter.contains { ["/filter/amount", "/filter/drive", "/osc/1/unison"].contains($0.0) }
  }

  /// With a modulator that is too high to modulate anything, the filter sounds as it does without: the path that computes
  /// coefficients for each sample is the same filter, once the attack is over.
  @Test(
    "A modulator too high to have an effect changes the filtered sound by under -70 dB",
    arguments: filters)
  func highModulator(_ filter: Knobs) {
    let high: Knobs = [("/osc/2/octave", 3), ("/osc/2/semitone", 12), ("/osc/2/ratio", 4)]
    let settings = filter + high + [("/osc/1/pm", 0.000_1)]
    let plain = Self.play(settings, 84, frames: 9_600)
    let modulated = Self.play(settings + [("/filter/fm", 2)], 84, frames: 9_600)
    let differences = zip(plain.left.dropFirst(960), modulated.left.dropFirst(960)).map { $0 - $1 }
    let rest = 10 * log10((Self.power(differences) + 1e-30) / Self.power(plain.left))
    print("cutoff modulation at depth 0: \(rest) dB")
    #expect(rest < -70)
  }

  /// The filter's drive, which is oversampled, leaves the modulation as it is: half an octave and four sound different.
  @Test(
    "With or without drive, cutoff modulation by 0.5 and by 4 octaves sounds different",
    arguments: [0, 12] as [Float])
  func drivenFilter(_ drive: Float) {
    let knobs: Knobs = [("/osc/2/ratio", 2), ("/filter/drive", drive)]
    let little = Self.play(knobs + [("/filter/fm", 0.5)], 57, frames: 9_600)
    let much = Self.play(knobs + [("/filter/fm", 4)], 57, frames: 9_600)
    let difference = Self.power(zip(little.left, much.left).map { $0 - $1 }) / Self.power(little.left)
    #expect(difference > 0.05, "\(difference)")
  }

  @Test(
    "Each half of a slow square is within 0.2 dB of a static filter an octave up or down",
    arguments: steadyFilters)
  func slowSquare(_ filter: Knobs) {
    // 0.43 Hz: half a period is 1.16 s.
    let slow: Knobs = [("/osc/2/octave", -3), ("/osc/2/semitone", -12), ("/osc/2/ratio", 0.25)]
    let modulated = Self.play(filter + slow + [("/filter/fm", 1)], 21, frames: 110_000)
    for (first, cutoff) in [(24_000, 2_000), (84_000, 500)] as [(Int, Float)] {
      let still = Self.play(filter + [("/filter/cutoff", cutoff)], 21, frames: first + 20_000)
      let level =
        10 * log10(Self.power(modulated.left[first..<first + 20_000]) / Self.power(still.left[first...]))
      #expect(abs(level) < 0.2, "at \(cutoff) Hz: \(level) dB")
    }
  }

  @Test(
    "A saw whose cutoff is modulated at twice the pitch has aliases below -78 dB",
    arguments: [45, 57, 69, 81, 93], [(0.5, 0), (2, 0), (4, 0), (1, 1), (4, 1)] as [(Float, Float)])
  func modulatedSaw(_ key: Int, _ setting: (depth: Float, character: Float)) {
    let (depth, character) = setting
    let player = Self.play(
      [
        ("/osc/2/wave", 0), ("/osc/2/ratio", 2), ("/osc/1/wave", 2), ("/filter/fm", depth),
        ("/filter/resonance", 0.5), ("/filter/character", character),
      ], key, frames: 4_800 + 16_384)
    let pitch = 440 * exp2(Double(key - 69) / 12)
    let aliasing = Spectrum(player.left.dropFirst(4_800), size: 16_384).aliasing(of: pitch)
    print("aliasing: cutoff modulation, key \(key), depth \(depth), character \(character): \(aliasing) dB")
    // Measured at worst: -81.8 dB, at the highest pitch and the lowest depth.
    #expect(aliasing < -78)
  }

  @Test("Cutoff modulation is the same in blocks of 7 and 256 frames, and alike on both sides")
  func blocksAndSides() {
    let knobs: Knobs = [("/osc/2/wave", 0), ("/filter/fm", 1.5), ("/osc/3/level", 0.3), ("/osc/3/unison", 2)]
    let whole = Self.play(knobs, 57, frames: 9_600)
    let cut = Player(.with(Self.base + knobs))
    cut.press(57, velocity: 1)
    cut.play(9_600, block: 7)
    let (one, other): ([Float], [Float]) = (whole.left + whole.right, cut.left + cut.right)
    #expect(Self.power(zip(one, other).map { $0 - $1 }) < 1e-12 * Self.power(whole.left))
    #expect(abs(10 * log10(Self.power(whole.left) / Self.power(whole.right))) < 1)
  }

  @Test("Cutoff modulation switched on and off under a note leaves the level as before") func switchedOff() {
    var scene = Scene.with(Self.base + [("/osc/2/wave", 0), ("/osc/2/octave", 1)])
    let player = Player(scene, running: true)
    player.press(57, velocity: 1)
    player.play(9_600)
    let before = Self.power(player.left.suffix(4_800))
    func set(_ depth: Float) {
      scene[0].patch.filter.fm = depth
      player.link.scene.publish(scene)
      player.link.scene.service()
      player.play(24_000)
    }
    set(2)
    let during = Self.power(player.left.suffix(4_800))
    set(0)
    let after = Self.power(player.left.suffix(4_800))
    let left = abs(10 * log10(after / before))
    print("cutoff modulation, switched off: \(left) dB")
    #expect(abs(10 * log10(during / before)) > 0.3 && left < 0.02)
  }
}
