import Glibc
import Parameters
import Testing
@testable import Scenes
@testable import Synth

/// What a stroke or a message in the middle of a sound adds above 2 kHz to a sine far below: a tick is heard there.
@Suite("Clicks of strokes and messages") struct StrikeTickTests {
  /// Frames between two events.
  private static let apart = 12_000

  /// The loudest sample above 2 kHz around an event, in decibels of full scale, and that of the sound at rest between
  /// two; of several events, so that they meet the sine and the LFO at other places.
  private func tick(
    _ knobs: [(String, Float)], events: Int = 6, first: (Player) -> Void = { $0.press(69, velocity: 1) },
    _ event: (Player, Int) -> Void
  ) -> (tick: Float, rest: Float) {
    let player = Player(
      .with(
        [("/osc/1/wave", 0), ("/filter/cutoff", 20_000), ("/filter/track", 0), ("/amp/sustain", 1)] + knobs))
    first(player)
    player.play(Self.apart)
    let times = (1...events).map { Self.apart * $0 + 137 * $0 }
    for (index, time) in times.enumerated() {
      player.play(time - player.left.count)
      event(player, index)
    }
    player.play(Self.apart)
    let high = zip(
      player.left.highPassed(above: 2_200), player.right.highPassed(above: 2_200)
    ).map { max($0.magnitude, $1.magnitude) }
    var (tick, rest): (Float, Float) = (0, 0)
    for time in times {
      tick = max(tick, high[(time - 600)..<(time + 3_600)].max() ?? 0)
      rest = max(rest, high[(time - 5_000)..<(time - 1_000)].max() ?? 0)
    }
    #expect(player.left.peak > 0.05)
    return (20 * log10(tick), 20 * log10(rest))
  }

  private func expectNoTick(_ figures: (tick: Float, rest: Float), _ what: String) {
    print("tick: \(what): \(figures.tick) dBFS, at rest \(figures.rest)")
    #expect(figures.tick < -80, "\(what): \(figures.tick) dBFS")
    #expect(figures.rest < -90, "\(what): \(figures.rest) dBFS")
  }

  /// The LFO begins anew with a stroke, wherever it was.
  @Test(
    "A restrike under a full tremolo does not click, with or without an LFO fade",
    arguments: [Float(0), 0.25])
  func tremoloRestrike(fade: Float) {
    expectNoTick(
      tick([("/lfo/1/level", 1), ("/lfo/1/rate", 3.3), ("/lfo/1/fade", fade), ("/play/restrike", 0)]) {
        player, _ in player.press(69, velocity: 1)
      }, "tremolo, fade \(fade)")
  }

  @Test("A change of key in mono or legato mode does not click", arguments: [Float(1), 2])
  func monoKeyChange(mode: Float) {
    expectNoTick(
      tick([("/play/mode", mode)], first: { $0.press(60, velocity: 0.8) }) { player, index in
        player.press([64, 62, 57, 60, 55, 59][index], velocity: 0.8)
      }, "mode \(mode)")
  }

  @Test(
    "Restrikes at velocity 30 and 127 in turn do not click in poly and mono mode",
    arguments: [Float(0), 1])
  func velocityJump(mode: Float) {
    expectNoTick(
      tick([("/play/mode", mode), ("/amp/velocity", 1)]) { player, index in
        player.press(69, velocity: index % 2 == 0 ? 30 / 127 : 1)
      }, "velocity, mode \(mode)")
  }

  @Test("All sound off ends a held sine without a click") func soundOffFade() {
    expectNoTick(
      tick([]) { player, _ in
        player.send(.allSoundOff)
        // Its attack is not what is measured.
        player.press(69, at: player.left.count + 4_800, velocity: 1)
      }, "all sound off")
  }

  @Test(
    "A new random value of pan or level at each restrike does not click",
    arguments: [ModulationTarget.pan, .level])
  func randomModulation(_ target: ModulationTarget) {
    expectNoTick(
      tick(ModulationTests.slot(1, .random, target, 0.5)) { player, _ in player.press(69, velocity: 1) },
      "random \(target)")
  }
}
