import EngineHarness
import Glibc
import Parameters
import Scratch
import Testing
@testable import Scenes
@testable import Synth

/// What a sound has of a mean (DC), and what taking it out changes.
@Suite("DC of sounds and its removal") struct DCTests {
  typealias Knobs = [(String, Float)]
  private static let plain: Knobs = [
    ("/amp/velocity", 0), ("/amp/sustain", 1), ("/amp/release", 0.02), ("/filter/release", 0.02),
    ("/filter/cutoff", 20_000), ("/lfo/1/wheel", 0),
  ]
  private static let ring: Knobs = [
    ("/osc/1/wave", 3), ("/osc/2/wave", 3), ("/osc/1/level", 0), ("/ring/level", 1),
  ]
  private static let pulse: Knobs = [("/osc/1/wave", 3), ("/osc/1/width", 0.1)]
  private static let harmonic: Knobs = [("/osc/1/octave", 1), ("/osc/1/semitone", 6), ("/osc/2/sync", 1)]

  static let sounds: [Knobs] = [
    ring, ring + [("/osc/1/wave", 0), ("/osc/2/wave", 0)],
    [("/osc/1/wave", 1), ("/osc/1/feedback", 1)], [("/osc/1/wave", 0), ("/osc/1/feedback", 1)],
    [
      ("/osc/1/level", 0), ("/osc/2/level", 1), ("/osc/2/wave", 3), ("/osc/2/semitone", 7),
      ("/osc/2/sync", 1),
    ],
    harmonic + [("/osc/2/level", 0.995), ("/osc/2/unison", 4)], pulse + [("/filter/drive", 24)],
    pulse + [("/osc/1/spread", 1), ("/osc/1/unison", 3), ("/filter/drive", 24)],
    ModulationTests.slot(1, .constant, .feedback1, 1),
    ring + [("/drive/on", 1), ("/drive/gain", 24), ("/drive/shape", 1)],
    pulse + [("/delay/on", 1), ("/delay/mix", 1), ("/delay/time", 0.05), ("/delay/saturation", 1)],
    ring + [("/eq/on", 1), ("/eq/low/gain", 18)],
  ]

  /// Held for three seconds, of which the last one counts.
  private static func means(_ knobs: Knobs, _ note: Int) -> (left: Double, right: Double, rms: Double) {
    let player = Player(.with(plain + [("/level", -12)] + knobs))
    player.press(note)
    player.play(144_000)
    func mean(_ x: [Float]) -> Double { x.suffix(48_000).reduce(0) { $0 + Double($1) } / 48_000 }
    let power = player.left.suffix(48_000).reduce(0) { $0 + Double($1) * Double($1) } / 48_000
    // Undo the strip's level.
    return (mean(player.left) * 3.981, mean(player.right) * 3.981, power.squareRoot() * 3.981)
  }

  @Test("A held sound has a DC offset below 0.001", arguments: sounds) func heldSound(_ knobs: Knobs) {
    for note in [60, 92] {
      let (left, right, rms) = Self.means(knobs, note)
      print("mean: \(knobs), key \(note): \(left) \(right) of \(rms)")
      #expect(max(abs(left), abs(right)) < 0.001)
    }
  }

  /// Any knobs of what makes a sound and bends it, any keys. Voices that lie a beat of a second apart move a mean so slowly that
  /// some of it is left.
  @Test("Each of 60 random sounds has a DC offset below 0.005") func randomSounds() {
    var random = SeededRandom(21)
    let rows = Table.rows.filter { row in
      let stems = ["/osc/", "/ring/", "/sub/", "/filter/", "/drive/", "/eq/", "/delay/"]
      return stems.contains { row.address.hasPrefix($0) }
    }
    var (worst, name) = (0.0, Knobs())
    for _ in 0..<60 {
      var knobs: Knobs = rows.filter { _ in Float.random(in: 0..<1, using: &random) < 0.3 }.map { row in
        (row.address, row.kind.value(fader: .random(in: 0...1, using: &random)) ?? 0)
      }
      knobs += [("/filter/amount", 0), ("/filter/cutoff", 8_000)]
      let (left, right, _) = Self.means(knobs, Int.random(in: 48...96, using: &random))
      if max(abs(left), abs(right)) > worst { (worst, name) = (max(abs(left), abs(right)), knobs) }
    }
    print("mean: the largest of random sounds: \(worst)")
    #expect(worst < 0.005, "\(name)")
  }

  @Test(
    "The DC blocker turns the phase of 20 Hz by less than half a degree, at any sample rate",
    arguments: [44_100, 48_000, 192_000] as [Double])
  func blockerPhase(_ rate: Double) {
    for (hertz, most) in [(20, 0.5), (40, 0.07), (65, 0.02)] as [(Double, Double)] {
      let share = DCBlocker.share(rate: rate)
      var (left, right) = ([Float](repeating: 0, count: 1), [Float](repeating: 0, count: 1))
      var blocker = DCBlocker()
      var (re, im) = (0.0, 0.0)
      let period = rate / hertz
      let count = Int(4 * rate)
      for i in 0..<count {
        let angle = 2 * Double.pi * Double(i) / period
        (left[0], right[0]) = (Float(sin(angle)), Float(sin(angle)))
        blocker.process(&left, &right, share: share, frames: 1)
        if i >= count / 2 {
          (re, im) = (re + Double(left[0]) * sin(angle), im + Double(left[0]) * cos(angle))
        }
      }
      let degrees = atan2(im, re) * 180 / Double.pi
      let level = 20 * log10((re * re + im * im).squareRoot() * 4 / Double(count))
      print("mean: taking it out turns \(hertz) Hz by \(degrees) degrees, \(level) dB, at \(rate) Hz")
      #expect(abs(degrees) < most && abs(level) < 0.3)
    }
  }

  @Test("The DC blocker begins under a held key and ends after the release without a click")
  func blockerClicks() {
    var scene = Scene.with(Self.plain + Self.ring + [("/ring/level", 0), ("/osc/1/level", 0.5)])
    let player = Player(scene)
    player.press(45)
    player.play(9_600)
    scene[0].patch.mixer.ring = 0.5
    player.link.scene.publish(scene)
    player.play(48_000)
    player.left = player.left.suffix(1)
    player.lift(45)
    player.play(4_800)
    #expect(player.voices == 0 && player.sounds == 1)
    #expect(player.left.suffix(2_400).map(abs).max() ?? 1 > 0.001)
    #expect(Array(player.left.suffix(2_400)).largestStep < 0.001)
    player.play(24_000)
    #expect(player.sounds == 0)
    #expect(Array(player.left.suffix(12_000)).largestStep < 2e-6)
  }

  @Test("Sounds whose DC is removed have the same bits in blocks of any length") func anyBlocks() {
    func render(_ block: Int) -> [UInt32] {
      let player = Player(.with(Self.plain + Self.ring + [("/delay/on", 1), ("/delay/saturation", 1)]))
      player.press(57, at: 100)
      player.press(64, at: 777)
      player.lift(57, at: 1_234)
      player.lift(64, at: 1_300)
      player.play(9_600, block: block)
      return player.left.bits + player.right.bits
    }
    let whole = render(64)
    for block in [1, 7, 48, 480] {
      let isTheSame = isSame(render(block), whole)
      #expect(isTheSame, "blocks of \(block)")
    }
  }
}
