import Glibc
import Parameters
import Testing
@testable import Scenes
@testable import Synth

@Suite("Master section") struct MasterTests {
  @Test("The limiter turns a signal 40 times over full scale down to at most 0.931") func limiterCeiling() {
    var limiter = Limiter(rate: 48_000)
    var (l, r) = ([Float](), [Float]())
    for i in 0..<9_600 {
      let loud: Float = i > 3_000 && i < 4_000 ? 40 : 0.5
      l.append(loud * sinf(Float(i) * 0.05))
      r.append(loud * sinf(Float(i) * 0.031))
    }
    let input = l
    limiter.process(&l, &r, frames: l.count)
    #expect(l.peak <= 0.931 && r.peak <= 0.931)
    // Measured 0.899: the sound is over before the slow stage has found its gain.
    #expect(l.peak > 0.88)
    // Before the peak comes, the sound passes bit for bit, a millisecond late.
    let passed = l[Limits.lookAhead..<2_900]
    #expect(isSame(Array(passed).bits, Array(input[..<(2_900 - Limits.lookAhead)]).bits))
  }

  @Test("128 loud voices at once stay at or below the limiter's ceiling of 0.931") func fullPolyphony() {
    let player = Player(
      .with([("/osc/1/wave", 3), ("/osc/1/level", 1), ("/amp/level", 12), ("/filter/cutoff", 20_000)]))
    for index in 0..<Limits.voices { player.press(40 + index % 12, source: index / 12) }
    player.play(2_400)
    #expect(player.left.peak <= 0.931)
    #expect(player.left.peak > 0.5)
  }

  @Test(
    "The impulse response of the master equalizer is that of the Audio EQ Cookbook biquad",
    arguments: [(1_000.0, 1.0, 12.0), (20, 0.1, -50), (12_000, 25, 30), (20_000, 0.7, -12), (440, 5, 50)])
  func equalizerBiquad(_ knobs: (hertz: Double, q: Double, gain: Double)) {
    var equalizer = Equalizer(rate: 48_000)
    var set = EqualizerKnobs()
    set.bypass = 0
    (set.frequency, set.q, set.gain) = (Float(knobs.hertz), Float(knobs.q), Float(knobs.gain))
    var l = [Float](repeating: 0, count: 512)
    l[0] = 1
    var r = l
    equalizer.aim(set, frames: 16)
    equalizer.process(&l, &r, frames: l.count)
    let a = pow(10, Double(set.gain) / 40)
    let w = 2 * Double.pi * Double(set.frequency) / 48_000
    let alpha = sin(w) / (2 * Double(set.q))
    let (b0, b1, b2) = (1 + alpha * a, -2 * cos(w), 1 - alpha * a)
    let (a0, a1, a2) = (1 + alpha / a, -2 * cos(w), 1 - alpha / a)
    var (x1, x2, y1, y2) = (0.0, 0.0, 0.0, 0.0)
    for i in 0..<512 {
      let x = i == 0 ? 1.0 : 0
      let y = (b0 * x + b1 * x1 + b2 * x2 - a1 * y1 - a2 * y2) / a0
      (x2, x1, y2, y1) = (x1, x, y1, y)
      // Measured 2e-6 of the largest response; Float's rounding of the output is most of it.
      #expect(abs(Double(l[i]) - y) < 2e-5 * max(1, abs(b0 / a0)), "sample \(i)")
    }
    #expect(isSame(l.bits, r.bits))
  }

  @Test("Sweeping the master equalizer from 100 Hz to 9 kHz under a note makes no click")
  func equalizerSweep() {
    let scene = Scene.with([("/osc/1/wave", 0), ("/filter/cutoff", 20_000), ("/master/eq/bypass", 0)])
    let player = Player(scene)
    player.press(57)
    player.play(2_400)
    let before = Array(player.left.suffix(1_000)).largestStep
    var swept = scene
    for step in 0..<60 {
      swept.master.equalizer.frequency = 100 * powf(100, Float(step) / 60)
      swept.master.equalizer.q = 0.5
      swept.master.equalizer.gain = -20
      player.link.scene.publish(swept)
      player.play(64)
    }
    #expect(player.left.largestStep <= before * 1.05)
  }

  /// A sine into a bell of 20 dB at its own pitch, and out of it again.
  @Test(
    "Switching the bypass of the master equalizer on or off makes no click",
    arguments: [1, 0] as [Float])
  func bypassSwitch(_ bypass: Float) {
    var scene = Scene.with([
      ("/osc/1/wave", 0), ("/filter/cutoff", 20_000), ("/level", -30), ("/master/eq/frequency", 220),
      ("/master/eq/gain", 20), ("/master/eq/bypass", bypass),
    ])
    let player = Player(scene, running: true)
    player.press(57)
    player.play(24_030)
    scene.master.equalizer.bypass = 1 - bypass
    player.link.scene.publish(scene)
    player.play(24_000)
    func roughness(_ x: ArraySlice<Float>) -> Float {
      let x = Array(x)
      let curves = (2..<x.count).map { i -> Float in
        let (step, before): (Float, Float) = (x[i] - x[i - 1], x[i - 1] - x[i - 2])
        return abs(step - before)
      }
      return curves.max() ?? 0
    }
    let (before, after) = (roughness(player.left[12_000..<24_000]), roughness(player.left[36_000...]))
    let between = roughness(player.left[24_000..<36_000])
    // Measured 2.6 times, where the fade begins.
    #expect(between < 4 * max(before, after), "\(before), \(between), \(after)")
  }

  @Test("A bypassed master equalizer gives the same bits whatever its frequency") func bypassedEqualizer() {
    let scene = Scene.with([("/master/eq/gain", 20)])
    func render(_ scene: Scene) -> [UInt32] {
      let player = Player(scene)
      player.press(60)
      player.play(500)
      return player.left.bits
    }
    var other = scene
    other.master.equalizer.frequency = 100
    #expect(isSame(render(scene), render(other)))
  }
}
