import EngineHarness
import Testing
@testable import Scenes
@testable import Synth

/// An LFO that runs for one period from the start of a note and then stays where it is.
@Suite("One-shot LFO") struct LFOOnceTests {
  private static let rate: Float = 4

  /// The LFO of the voice in lane 0, for each control tick of a note.
  private static func values(
    _ knobs: [(String, Float)], mode: Float = 3, ticks: Int = 3_000
  ) -> [Float] {
    let player = Player(.with([("/lfo/1/rate", rate), ("/lfo/1/mode", mode)] + knobs))
    player.press(60)
    return (0..<ticks).map { _ in
      player.play(Limits.controlFrames)
      return value(player)
    }
  }

  private static func value(_ player: Player) -> Float {
    player.engine.source(.lfo, of: 0)
  }

  @Test(
    "A one-shot LFO matches the per-voice LFO for its period of 750 control ticks, then holds",
    arguments: LFOWave.allCases, [Float(0), 0.2, 0.5, 0.8])
  func onePeriod(_ wave: LFOWave, _ phase: Float) throws {
    let number = Float(try #require(LFOWave.allCases.firstIndex(of: wave)))
    let knobs: [(String, Float)] = [("/lfo/1/wave", number), ("/lfo/1/phase", phase)]
    let once = Self.values(knobs)
    let always = Self.values(knobs, mode: 0)
    #expect(isSame(Array(once.prefix(748)).bits, Array(always.prefix(748)).bits))
    #expect(Set(once[752...]).count == 1)
    // Before a jump at the end: a saw from its lowest value on stays at its highest.
    let last = always[747]
    // A tick is 1/750 of a period. Measured: 0.016, the slope of a sine in 3 ticks.
    // Noise moves from one to another of sixteen numbers, by up to 2 in 47 ticks.
    #expect((once[2_999] - last).magnitude < (wave == .noise ? 0.13 : 0.02), "\(once[2_999]), \(last)")
  }

  @Test("A one-shot saw that starts at its lowest value ends and stays at its highest") func sawFromLowest() {
    let values = Self.values([("/lfo/1/wave", 2), ("/lfo/1/phase", 0.5)])
    #expect(values[0] < -0.99 && (values[2_999] - 1).magnitude < 1e-5)
  }

  @Test("A one-shot LFO starts its period after the delay of 0.5 s") func periodAfterDelay() {
    let values = Self.values([("/lfo/1/wave", 2), ("/lfo/1/phase", 0.5), ("/lfo/1/delay", 0.5)])
    // The delay is 1,500 ticks, and the depth is 1 some 25 ms, 75 ticks, after it.
    #expect(values[..<1_499].allSatisfy { $0 == 0 })
    #expect((values[1_500 + 375] - 0).magnitude < 0.01)
    #expect((values[2_999] - 1).magnitude < 1e-5)
  }

  @Test("After its delay an LFO fades in over 25 ms at the fastest, so that it does not click")
  func fastestRise() {
    // A square, which is 1 from its beginning on.
    let values = Self.values([("/lfo/1/wave", 3), ("/lfo/1/delay", 0.5)])
    #expect((values[1_537] - 0.5).magnitude < 0.05 && values[1_580] == 1)
    let steepest = zip(values[1_490..<1_580], values[1_491...]).map { $1 - $0 }.max() ?? 0
    #expect(steepest < 1.01 / 75, "\(steepest)")
  }

  @Test("Every note, also of a repeated key, runs the one-shot LFO for a period of its own")
  func periodPerNote() {
    let player = Player(
      .with([("/lfo/1/wave", 2), ("/lfo/1/phase", 0.5), ("/lfo/1/rate", 4), ("/lfo/1/mode", 3)]))
    player.press(60)
    player.play(24_000)
    #expect((Self.value(player) - 1).magnitude < 1e-5)
    player.press(60)
    player.play(6_000)
    // Half the period of 12,000 frames.
    #expect(Self.value(player).magnitude < 0.01)
    player.play(24_000)
    #expect((Self.value(player) - 1).magnitude < 1e-5)
  }

  @Test("A one-shot sample-and-hold LFO keeps one random value per note, different for 8 notes")
  func sampleAndHold() {
    let player = Player(.with([("/lfo/1/wave", 5), ("/lfo/1/rate", 40), ("/lfo/1/mode", 3)]))
    for note in 60..<68 { player.press(note) }
    player.play(1_600)
    func values() -> [Float] {
      let sources = player.engine.groups[0].block.sources
      return (0..<8).map { sources[ModulationSource.lfo.index][$0] }
    }
    let first = values()
    #expect(Set(first).count == 8)
    player.play(48_000)
    #expect(values() == first)
  }

  /// A mode that is changed while a note sounds goes on from the phase that the LFO has: after the first period, it stays at
  /// the end at once; and an LFO that runs on again is where it would be if it had never stayed.
  @Test("Switching the one-shot mode during a note keeps the phase of the LFO") func modeSwitch() {
    func scene(_ mode: Float) -> Scene {
      .with([("/lfo/1/wave", 2), ("/lfo/1/phase", 0.5), ("/lfo/1/rate", 4), ("/lfo/1/mode", mode)])
    }
    let (player, always) = (Player(scene(0)), Player(scene(0)))
    for player in [player, always] {
      player.press(60)
      player.play(16_000)
    }
    player.link.scene.publish(scene(3))
    for player in [player, always] { player.play(4_800) }
    #expect((Self.value(player) - 1).magnitude < 1e-5)
    player.link.scene.publish(scene(0))
    for player in [player, always] { player.play(4_800) }
    #expect(Self.value(player) == Self.value(always))
  }
}
