import EngineHarness
import Glibc
import Parameters
import Testing
@testable import Scenes
@testable import Synth

/// The speeds of a rotary speaker's rotors, their inertia, and that they go on turning.
@Suite("Rotors of the rotary speaker") struct RotorTests {
  private static let drum = 100.0
  private static let horn = 3_000.0

  /// Turns in a second: upward crossings of the middle level, between the first and the last one.
  private static func turns(_ levels: [Double]) -> Double {
    let middle = ((levels.max() ?? 0) + (levels.min() ?? 0)) / 2
    let crossings = (1..<levels.count).compactMap { i -> Double? in
      let (before, after) = (levels[i - 1] - middle, levels[i] - middle)
      return before < 0 && after >= 0 ? Double(i) - after / (after - before) : nil
    }
    guard let first = crossings.first, let last = crossings.last, crossings.count > 1 else { return 0 }
    return Double(crossings.count - 1) / (last - first) * 100
  }

  /// Heard in the level of a tone that only one of the rotors has.
  @Test(
    "Horn and drum reach their slow and fast speeds, times the rate knob, within 2 %",
    arguments: [
      (.slow, horn, 0.672), (.fast, horn, 7.056), (.slow, drum, 0.600), (.fast, drum, 5.955),
    ] as [(RotarySpeed, Double, Double)], [0.5, 1, 2] as [Float])
  func rotorSpeeds(_ rotor: (speed: RotarySpeed, tone: Double, hertz: Double), _ rate: Float) {
    // From the other speed on; the drum takes the longest, 4.1 s for 63 %.
    let playing = RotaryPlaying(rotor.speed == .slow ? .fast : .slow) { ($0.rate, $0.inertia) = (rate, 0.25) }
    playing.knobs.pointee.speed = Float(rotor.speed.rawValue)
    _ = playing.levels(rotor.tone, seconds: 8)
    let turns = Self.turns(playing.levels(rotor.tone, seconds: 4 / (rotor.hertz * Double(rate))))
    let expected = rotor.hertz * Double(rate)
    print("rotary: \(rotor.tone) Hz, \(rotor.speed) at \(rate): \(turns) turns a second")
    #expect(abs(turns / expected - 1) < 0.02)
  }

  @Test(
    "A rotor covers 63 % of a speed change in its time constant times the inertia, within 10 %",
    arguments: [22_050.0, 48_000, 192_000], [0.1, 1, 4] as [Float])
  func rotorInertia(_ rate: Double, _ inertia: Float) {
    let playing = RotaryPlaying(.slow, rate: rate) { $0.inertia = inertia }
    func time(_ speed: RotarySpeed, _ rotor: Int, from: Float, to: Float) -> Double {
      var (rotors, seconds) = (Rotors(), 0.0)
      playing.knobs.pointee.speed = speed == .fast ? 1 : 2
      rotors.begin(playing.knobs)
      playing.knobs.pointee.speed = Float(speed.rawValue)
      while abs(rotors.hertz[rotor] - from) < 0.6321 * abs(to - from), seconds < 30 {
        rotors.turn(playing.knobs, seconds: Float(16 / rate))
        seconds += 16 / rate
      }
      return seconds / Double(inertia)
    }
    let times = [
      (time(.fast, 0, from: 0.672, to: 7.056), 0.161), (time(.slow, 0, from: 7.056, to: 0.672), 0.321),
      (time(.fast, 1, from: 0.6, to: 5.955), 4.127), (time(.slow, 1, from: 5.955, to: 0.6), 1.371),
    ]
    print("rotary: inertia \(inertia) at \(rate) Hz: times \(times.map(\.0)) s")
    for (measured, constant) in times { #expect(abs(measured / constant - 1) < 0.1) }
  }

  @Test("Stopped rotors stand still, and the level of a tone is constant", arguments: [drum, horn])
  func stoppedRotors(_ tone: Double) {
    let playing = RotaryPlaying(.fast)
    _ = playing.levels(tone, seconds: 1)
    playing.knobs.pointee.speed = 0
    _ = playing.levels(tone, seconds: 20)
    let (horn, drum) = (playing.rotary.rotors.horn, playing.rotary.rotors.drum)
    let levels = playing.levels(tone, seconds: 2)
    #expect(playing.rotary.rotors.hertz == .zero)
    #expect(playing.rotary.rotors.horn == horn && playing.rotary.rotors.drum == drum)
    #expect((levels.max() ?? 0) / (levels.min() ?? 1) < 1.0001)
  }

  @Test("The rotors turn on through edits and recalls, and start anew after the effect was off")
  func rotorsThroughRecall() {
    var scene = Scene.with([("/rotary/on", 1), ("/rotary/speed", 2), ("/amp/release", 0.02)])
    let player = Player(scene)
    func rotors() -> Rotors? {
      let sound = player.engine.currentSounds[0]
      return player.engine.sounds[sound].rack.rotors
    }
    // 7.056 turns in a second of 65,536 steps.
    func steps(_ from: Rotors?, _ to: Rotors?) -> Int {
      guard let from, let to else { return -1 }
      return Int(UInt32(bitPattern: to.horn &- from.horn) >> 16)
    }
    player.press(57)
    player.play(9_600)
    let first = rotors()
    (scene[0].patch.effects.rotary.spread, scene[0].patch.filter.cutoff) = (0.5, 300)
    player.link.scene.publish(scene)
    player.play(480)
    let edited = rotors()
    #expect(abs(steps(first, edited) - 4_624) < 10)
    scene[0].generation += 1
    scene[0].patch.effects.rotary.speed = 1
    player.link.scene.publish(scene)
    player.press(60)
    player.play(480)
    let recalled = rotors()
    // Slower already, and on its way to the slow speed.
    #expect(abs(steps(edited, recalled) - 4_560) < 80, "\(steps(edited, recalled))")
    #expect((recalled?.hertz.x ?? 0) > 6 && (recalled?.hertz.x ?? 9) < 7.05)
    player.lift(57)
    player.lift(60)
    player.play(48_000)
    let resting = rotors()
    player.play(48_000)
    #expect(resting?.horn == rotors()?.horn)
    player.press(57)
    scene[0].patch.effects.rotary.on = 0
    player.link.scene.publish(scene)
    player.play(9_600)
    scene[0].patch.effects.rotary.on = 1
    player.link.scene.publish(scene)
    player.play(480)
    // At the slow speed.
    #expect(abs(steps(Rotors(), rotors()) - 440) < 10, "\(steps(Rotors(), rotors()))")
  }
}
