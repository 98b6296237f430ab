import EngineHarness
import Glibc
import Parameters
import Testing
@testable import Scenes
@testable import Synth

/// Levels, tremolo, sub oscillator, unison and mean of a sound, at the ends of their knobs.
@Suite("Ends of level, tremolo, sub oscillator and unison") struct SoundEndsTests {
  private static let tone: [(String, Float)] = [
    ("/osc/1/wave", 0), ("/filter/cutoff", 20_000), ("/amp/attack", 0.001), ("/amp/velocity", 0),
  ]

  @Test("A level knob at -60 dB gives silence, and above that its gain in decibels") func lowestLevel() {
    #expect(amplitude(decibels: -60) == 0 && amplitude(decibels: -100) == 0)
    for decibels: Float in [-59.9, -20, -6, 0, 6, 12] {
      #expect(abs(20 * log10f(amplitude(decibels: decibels)) - decibels) < 1e-3)
    }
    for address in ["/amp/level", "/level", "/master/level"] {
      let player = Player(.with(Self.tone + [(address, -60)]))
      player.press(69)
      player.play(4_800)
      #expect(player.left.allSatisfy { $0 == 0 } && player.right.allSatisfy { $0 == 0 }, "\(address)")
    }
  }

  @Test(
    "A tremolo swings between the full level and the level reduced by its depth",
    arguments: [0.3, 1] as [Float])
  func tremoloDepth(_ depth: Float) {
    func peaks(_ depth: Float) -> (Float, Float) {
      let player = Player(
        .with(Self.tone + [("/lfo/1/wave", 3), ("/lfo/1/rate", 5), ("/lfo/1/level", depth)]))
      player.press(81)
      player.play(9_600)
      return (Array(player.left[2_400..<4_400]).peak, Array(player.left[6_000..<9_000]).peak)
    }
    let (plain, moved) = (peaks(0), peaks(depth))
    #expect(abs(moved.0 / plain.0 - 1) < 0.002 && abs(moved.1 / plain.1 - (1 - depth)) < 0.002)
  }

  @Test(
    "The sub oscillator has the harmonics of a sine, a square and a pulse of 25 %",
    arguments: [(0, 0, 0, 0), (1, 0, 1.0 / 3, 0), (2, 0.70711, 1.0 / 3, 0)]
      as [(Float, Double, Double, Double)])
  func subWaveforms(_ wave: (choice: Float, second: Double, third: Double, fourth: Double)) {
    let sub: [(String, Float)] = [
      ("/osc/1/level", 0), ("/sub/level", 1), ("/sub/wave", wave.choice), ("/sub/octave", 1),
    ]
    let player = Player(.with(Self.tone + sub))
    player.press(69)
    player.play(40_000)
    let spectrum = Spectrum(player.left[4_800...], size: 32_768)
    func level(_ harmonic: Double) -> Double {
      spectrum.power(from: 220 * harmonic - 15, to: 220 * harmonic + 15).squareRoot()
    }
    for (harmonic, expected) in [(2.0, wave.second), (3, wave.third), (4, wave.fourth)] {
      #expect(abs(level(harmonic) / level(1) - expected) < 0.02, "harmonic \(harmonic)")
    }
  }

  @Test(
    "A change of octave or semitone moves the pitch at once, without a slide",
    arguments: [("/osc/1/semitone", 12, 880.0), ("/osc/1/octave", -1, 220)] as [(String, Float, Double)])
  func pitchSteps(_ knob: (address: String, value: Float, hertz: Double)) {
    let player = Player(.with(Self.tone))
    player.press(69)
    player.play(4_800)
    player.link.scene.publish(.with(Self.tone + [(knob.address, knob.value)]))
    player.left = []
    player.play(960)
    #expect(abs(Array(player.left[96...]).pitch(rate: 48_000) - knob.hertz) < 1)
  }

  @Test(
    "Unison voices alternate left and right by pitch, with one in the middle if they are odd",
    arguments: 2...7)
  func unisonPanning(_ count: Int) {
    let unison = Unison(Float(count))
    #expect(unison.middle == (count % 2 == 1 ? 1 : 0))
    let first = count % 2 == 1 ? 1 : 0
    let voices = (first..<count).sorted { unison.offsets[$0] < unison.offsets[$1] }
    let isLeft = voices.map { $0 == 0 ? unison.isFirstLeft : Unison.left >> UInt8($0) & 1 != 0 }
    for (one, next) in zip(isLeft, isLeft.dropFirst()) { #expect(one != next, "\(isLeft)") }
    #expect((0..<count).allSatisfy { $0 == 0 || unison.weights[$0] == 1 })
    #expect((count..<8).allSatisfy { unison.weights[$0] == 0 && (count == 7 || unison.offsets[$0] == 0) })
  }

  /// The detuning of the voices, from the lowest on, as parts of the knob.
  @Test("Unisons of 1 to 7 voices have the measured detuning offsets") func unisonDetuning() {
    let expected: [[Float]] = [
      [0], [-1.024, 1], [-1.024, 0, 1], [-1.024, -0.34, 0.31, 1], [-1.024, -0.44, 0, 0.42, 1],
      [-1.024, -0.585, -0.2, 0.19, 0.579, 1], [-1.024, -0.585, -0.182, 0, 0.185, 0.579, 1],
    ]
    for count in 1...7 {
      let unison = Unison(Float(count))
      #expect((0..<count).map { unison.offsets[$0] }.sorted() == expected[count - 1])
      // Half way to the next number the last voice is half there.
      if count < 7 { #expect(Unison(Float(count) + 0.5).weights[count] == 0.5) }
    }
  }

  @Test("DC removal stays on until the sound ends, although an edit removes the cause of the DC")
  func dcRemoval() {
    let (plain, driven) = (
      UnsafeMutablePointer<Patch>.allocate(capacity: 1), UnsafeMutablePointer<Patch>.allocate(capacity: 1)
    )
    defer {
      plain.deallocate()
      driven.deallocate()
    }
    plain.initialize(to: .initial)
    driven.initialize(to: .initial)
    driven.pointee.filter.drive = 12
    var dc = SoundDC()
    dc.follow(plain, isSounding: false)
    #expect(!dc.isOn)
    dc.follow(driven, isSounding: true)
    #expect(dc.isOn)
    dc.follow(plain, isSounding: true)
    #expect(dc.isOn)
    dc.follow(plain, isSounding: false)
    #expect(!dc.isOn)
  }

  @Test(
    "DC falls to a thousandth in half a second on both sides, and not much sooner",
    arguments: [44_100, 48_000, 192_000] as [Double])
  func dcDecay(_ rate: Double) {
    var blocker = DCBlocker()
    let count = Int(rate / 2)
    var (l, r) = ([Float](repeating: 0.5, count: count), [Float](repeating: -0.3, count: count))
    blocker.process(&l, &r, share: DCBlocker.share(rate: rate), frames: count)
    #expect(abs(l[count - 1]) < 0.5e-3 && abs(r[count - 1]) < 0.3e-3)
    #expect(l[count / 10] > 0.35 && r[count / 10] < -0.2 && blocker.isLoud)
  }
}
