import EngineHarness
import Glibc
import Testing
@testable import Scenes
@testable import Synth

/// How the drive of the filter aliases.
@Suite("Aliases and oversampling of the filter's drive") struct DriveAliasingTests {
  private static let size = 32_768

  /// Alias-to-signal up to 12 kHz: the power from 40 Hz outside the harmonics, relative to that of the harmonics.
  private static func aliasing(_ spectrum: Spectrum, of hertz: Double) -> Double {
    var (signal, alias) = (0.0, 0.0)
    for k in Int(40 / spectrum.bin)..<Int(12_000 / spectrum.bin) {
      let nearest = max(1, (Double(k) * spectrum.bin / hertz).rounded()) * hertz / spectrum.bin
      if abs(Double(k) - nearest) <= 6 { signal += spectrum.power[k] } else { alias += spectrum.power[k] }
    }
    return 10 * log10(alias / signal)
  }

  private static func play(_ knobs: [(String, Float)], _ key: Int) -> Spectrum {
    let player = Player(
      .with(
        [
          ("/filter/cutoff", 20_000), ("/filter/track", 0), ("/amp/velocity", 0), ("/amp/attack", 0.001),
          ("/amp/sustain", 1),
        ] + knobs))
    player.press(key, velocity: 1)
    player.play(4_800 + size, block: 256)
    return Spectrum(player.left.dropFirst(4_800), size: size)
  }

  private static func aliasing(_ wave: Float, _ decibels: Float, _ key: Int) -> Double {
    let spectrum = play([("/osc/1/wave", wave), ("/filter/drive", decibels)], key)
    return aliasing(spectrum, of: 440 * exp2(Double(key - 69) / 12))
  }

  /// A saw from 196 Hz to 1.98 kHz, through the drive that is not oversampled, at twice the sample rate and at four times.
  /// Measured at most: -60.1 dB.
  @Test(
    "A saw through the filter's drive has aliases below -60 dB up to 12 kHz",
    arguments: [3, 4.4, 4.5, 6, 12, 15, 16, 24] as [Float])
  func drivenSaw(_ decibels: Float) {
    for key in [55, 67, 79, 91, 94, 95] {
      let aliasing = Self.aliasing(2, decibels, key)
      print("aliasing: a saw, drive of \(decibels) dB, key \(key): \(aliasing) dB")
      #expect(aliasing < -60, "key \(key)")
    }
  }

  /// Measured: -78 dB.
  @Test("A sine through 24 dB of drive has aliases below -75 dB", arguments: [91, 103, 105])
  func drivenSine(_ key: Int) {
    #expect(Self.aliasing(0, 24, key) < -75)
  }

  @Test("A drive of 24 dB changes a soft sine of 10 kHz, beside 880 Hz, by less than 1.6 dB")
  func keptTreble() {
    func level(_ decibels: Float) -> Double {
      let knobs: [(String, Float)] = [
        ("/osc/1/wave", 0), ("/osc/1/level", 0.001), ("/filter/drive", decibels),
      ]
      // Of a soft sound, the drive raises the level by its decibels and lowers it by those of the loudness it keeps.
      let (low, high) = (Self.play(knobs, 81), Self.play(knobs, 123))
      return 10 * log10(high.power(from: 9_500, to: 10_500) / low.power(from: 800, to: 960))
    }
    let loss = level(24) - level(0)
    print("drive: 10 kHz beside 880 Hz: \(loss) dB")
    #expect(abs(loss) < 1.6)
  }

  /// Turned through the depths at which its rate changes, up and down, quickly and slowly, under a note: no step is larger
  /// than those of the sounds before and after by more than the shift of the phase, 13 samples in a tick of two, makes it;
  /// and it comes to rest at the rate of the last depth.
  @Test(
    "Turning the drive through the depths that change its oversampling does not click",
    arguments: [[0, 12, 0], [4, 6, 3], [24, 4.2, 24, 0], [12, 18, 12], [14.5, 15.5, 13]] as [[Float]])
  func rateChange(_ depths: [Float]) {
    var scene = Scene.with([
      ("/osc/1/wave", 0), ("/osc/1/level", 0.1), ("/filter/cutoff", 20_000), ("/amp/velocity", 0),
      ("/amp/sustain", 1), ("/filter/drive", depths[0]), ("/osc/1/unison", 2), ("/osc/1/spread", 1),
    ])
    let player = Player(scene, running: true)
    player.press(57)
    player.play(9_600)
    var steps = [Array(player.left[4_800...]).largestStep]
    for depth in depths.dropFirst() {
      scene.turn([("/filter/drive", depth)])
      player.link.scene.publish(scene)
      player.left = Array(player.left.suffix(1))
      player.play(9_600)
      let turning = Array(player.left.prefix(4_800)).largestStep
      steps.append(Array(player.left.suffix(4_800)).largestStep)
      #expect(turning < 1.5 * max(steps[steps.count - 2], steps[steps.count - 1]), "\(depth) dB")
    }
    let rate = player.engine.groups[0].block.driveRate.pointee
    #expect(rate.high.isOn == (depths.last ?? 0 > 4))
  }

  /// A driven sound that has ended leaves its group nothing of its rate: turned up under the next sound, which was not
  /// driven, the drive begins with a fade.
  @Test("Drive turned up under the next sound of a voice group fades in without a click") func reusedGroup() {
    var scene = Scene.with([
      ("/osc/1/wave", 0), ("/osc/1/level", 0.1), ("/filter/cutoff", 20_000), ("/amp/velocity", 0),
      ("/amp/sustain", 1), ("/amp/release", 0.01), ("/filter/drive", 12),
    ])
    let player = Player(scene, running: true)
    player.press(57)
    player.play(9_600)
    player.release(57)
    player.play(48_000)
    #expect(player.voices == 0)
    scene.turn([("/filter/drive", 0)])
    player.link.scene.publish(scene)
    player.play(9_600)
    player.press(57)
    // A quarter of a period beyond whole periods: at a peak, where what is late differs most.
    player.play(9_655)
    let before = Array(player.left.suffix(4_800)).largestStep
    scene.turn([("/filter/drive", 12)])
    player.link.scene.publish(scene)
    player.left = Array(player.left.suffix(1))
    player.play(14_400)
    let after = Array(player.left.suffix(4_800)).largestStep
    #expect(Array(player.left.prefix(4_800)).largestStep < 1.5 * max(before, after))
  }

  @Test("Driven sounds have the same bits in blocks of any length") func anyBlocks() {
    func render(_ block: Int) -> [UInt32] {
      let player = Player(.with([("/filter/drive", 9), ("/osc/1/unison", 3), ("/osc/1/spread", 1)]))
      player.press(57, at: 100)
      player.press(64, at: 777)
      player.release(57, at: 1_234)
      player.play(9_600, block: block)
      return player.left.bits + player.right.bits
    }
    let whole = render(64)
    for block in [1, 7, 48] {
      let isTheSame = render(block) == whole
      #expect(isTheSame, "blocks of \(block)")
    }
  }
}
