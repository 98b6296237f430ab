import EngineHarness
import Parameters
import Testing
@testable import Scenes
@testable import Synth

/// LFOs that all voices share, and how one begins.
@Suite("Shared LFOs and LFO delay") struct SharedLFOTests {
  private static func control(_ set: (inout LFOShapeKnobs) -> Void) -> LFOControl {
    var (knobs, control) = (LFOShapeKnobs(), LFOControl())
    knobs.mode = 2
    set(&knobs)
    control.follow(knobs, knobs)
    return control
  }

  @Test(
    "A shared LFO runs from its start phase, and is the same after a million periods",
    arguments: [(0, 0.1, 0.2), (0.25, 0.1, 0.7), (0.75, 0, -0.5), (0.75, 0.3, 0.1), (0.5, 0, -1)]
      as [(Float, Double, Float)])
  func startPhase(_ at: (phase: Float, periods: Double, value: Float)) {
    for whole in [0.0, 3, 1e6] {
      var control = Self.control { ($0.wave, $0.phase) = (2, at.phase) }
      control.go(to: whole + at.periods)
      #expect(abs(control.shared - at.value) < 1e-4, "\(whole)")
    }
  }

  @Test("A shared LFO of waveform hold keeps each random number for exactly one period") func heldNumbers() {
    var control = Self.control { $0.wave = 5 }
    var numbers: [Float] = []
    for period in 0..<20 {
      let held = [0.001, 0.3, 0.499, 0.501, 0.7, 0.999].map { part -> Float in
        control.go(to: Double(period) + part)
        return control.shared
      }
      #expect(Set(held).count == 1, "period \(period): \(held)")
      numbers.append(held[0])
    }
    #expect(Set(numbers).count == 20)
  }

  /// What is too fast for the slow updates of a unison: over 20 Hz, and from a triplet of sixteenths on.
  @Test("LFOs above 20 Hz, or synced to 1/32d or 1/16t, count as fast") func fastLFO() {
    for (rate, isFast) in [(0.1, false), (20, false), (20.1, true), (50, true)] as [(Float, Bool)] {
      #expect(Self.control { $0.rate = rate }.isFast == isFast)
    }
    for (name, isFast) in [("8/1", false), ("1/16", false), ("1/32d", true), ("1/16t", true)] {
      let sync = Float(NoteLength.names.firstIndex(of: name) ?? 0)
      #expect(Self.control { ($0.sync, $0.rate) = (sync, 0.1) }.isFast == isFast, "\(name)")
    }
  }

  @Test(
    "An LFO is 0 during its delay and fades in; with neither delay nor fade it starts at once",
    arguments: [(0, 0), (0.1, 0), (0, 0.2), (0.1, 0.2)] as [(Float, Float)])
  func delayAndFade(_ knobs: (delay: Float, fade: Float)) {
    let player = Player(
      .with([
        ("/lfo/1/wave", 3), ("/lfo/1/rate", 0.02), ("/lfo/1/delay", knobs.delay), ("/lfo/1/fade", knobs.fade),
      ]))
    player.press(60)
    func value(at seconds: Float) -> Float {
      player.play(Int(seconds * 48_000) - player.left.count)
      return player.engine.source(.lfo, of: 0)
    }
    let isPlain = knobs.delay == 0 && knobs.fade == 0
    #expect(value(at: 0.0005) < 0.01 || isPlain)
    #expect((value(at: 0.09) == 0) == (knobs.delay > 0))
    // The shortest fade takes 25 ms, or it would click.
    let soon = value(at: knobs.delay > 0 ? 0.11 : 0.095)
    #expect(soon < (isPlain ? 1.1 : 0.6))
    #expect(abs(value(at: 0.4) - 1) < 1e-5)
  }
}
