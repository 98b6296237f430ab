import Glibc
import Testing

@testable import Synth

/// What moves at control rate, each against its formula.
@Suite struct ControlRateTests {
  private static let rate: Float = 48_000
  private static let tick = Float(Limits.controlFrames) / rate

  // MARK: - Envelope

  /// Attack, decay, sustain and release of one lane, tick by tick, against the curves they are made of.
  @Test(arguments: [(0.01, 0.2, 0.5, 0.3), (0.5, 1, 0, 0.05), (0.001, 0.005, 1, 2)])
  func anEnvelopeIsItsFourCurves(_ knobs: (attack: Float, decay: Float, sustain: Float, release: Float)) {
    let curves = EnvelopeCurves(
      EnvelopeKnobs(
        attack: knobs.attack, decay: knobs.decay, sustain: knobs.sustain, release: knobs.release),
      seconds: Self.tick)
    var envelope = EnvelopeLanes()
    envelope.start(3, curves)
    var attacks = true
    func advance() -> Double {
      envelope.advance(elapsed: 1, seconds: Self.tick, isWhole: true)
      if envelope.stage[3] >= 2 { envelope.endReleases() }
      if attacks { attacks = envelope.endAttacks(curves) }
      return Double(envelope.to[3])
    }
    // The attack aims 0.3 above the top, and is there when its time has passed, to a tick.
    var ticks = 0
    while attacks {
      ticks += 1
      let seconds = Double(ticks) * Double(Self.tick)
      let expected = 1.3 * (1 - pow(0.3 / 1.3, seconds / Double(knobs.attack)))
      // Measured 5e-6: single precision, added up over 1,500 ticks.
      #expect(abs(advance() - min(expected, 1)) < 2e-5)
    }
    #expect(abs(Float(ticks) * Self.tick - knobs.attack) <= 1.01 * Self.tick)
    // The decay halves what is above the sustain, 60 dB in its time.
    for step in 1...200 {
      let fallen = pow(0.001, Double(step) * Double(Self.tick) / Double(knobs.decay))
      let expected = Double(knobs.sustain) + (1 - Double(knobs.sustain)) * fallen
      #expect(abs(advance() - expected) < 1e-5)
    }
    let level = Double(envelope.to[3])
    envelope.enter(3, EnvelopeLanes.release, curves)
    for step in 1...200 {
      let left = pow(0.001, Double(step) * Double(Self.tick) / Double(knobs.release))
      #expect(abs(advance() - max(0, -0.001 + (level + 0.001) * left)) < 1e-5)
    }
    // No other lane has moved.
    #expect(envelope.to[2] == 0 && envelope.to[4] == 0)
  }

  @Test func aStolenVoiceIsGoneAfterFourMilliseconds() {
    let curves = EnvelopeCurves(
      EnvelopeKnobs(attack: 0.001, decay: 1, sustain: 1, release: 5), seconds: Self.tick)
    var envelope = EnvelopeLanes()
    (envelope.from, envelope.to) = (Lanes(repeating: 1), Lanes(repeating: 1))
    envelope.enter(0, EnvelopeLanes.fade, curves)
    for _ in 0..<Int(0.004 / Self.tick) {
      #expect(envelope.to[0] > 0)
      envelope.advance(elapsed: 1, seconds: Self.tick, isWhole: true)
      envelope.endReleases()
    }
    #expect(envelope.to[0] < 0.01)
  }

  /// A tick that an event cuts in two leads where a whole one leads.
  @Test func aTickInPiecesLeadsToTheSameLevel() {
    let curves = EnvelopeCurves(
      EnvelopeKnobs(attack: 0.02, decay: 1, sustain: 0.5, release: 1), seconds: Self.tick)
    var (whole, pieces) = (EnvelopeLanes(), EnvelopeLanes())
    whole.start(0, curves)
    pieces.start(0, curves)
    for _ in 0..<20 { whole.advance(elapsed: 1, seconds: Self.tick, isWhole: true) }
    for _ in 0..<20 {
      pieces.advance(elapsed: 1, seconds: Self.tick / 4, isWhole: false)
      pieces.advance(elapsed: 1, seconds: Self.tick * 3 / 4, isWhole: false)
    }
    // Measured 2e-7.
    #expect(abs(whole.to[0] - pieces.to[0]) < 2e-6)
  }

  // MARK: - LFO

  @Test(arguments: LFOWave.allCases) func anLFOIsItsWaveform(_ wave: LFOWave) {
    var lfo = LFOLanes()
    let rate: Float = 7
    for step in 1...2_000 {
      let value = lfo.advance(
        wave, rate: Lanes(repeating: rate), passed: step == 1 ? 0 : Self.tick, seconds: Self.tick)[5]
      let cycles = Double(rate) * Double(Self.tick) * Double(step)
      let phase = cycles - cycles.rounded(.down)
      let s = phase < 0.5 ? 2 * phase : 2 * phase - 2
      let expected =
        switch wave {
        case .sine: sin(2 * Double.pi * phase)
        case .triangle: phase < 0.25 ? 4 * phase : phase < 0.75 ? 2 - 4 * phase : 4 * phase - 4
        case .saw: s
        case .square: phase < 0.5 ? 1.0 : -1
        }
      // Near a jump either side is right. Measured 3e-4: the phase is added up in single precision for 0.7 s.
      let nearJump = min(phase, 1 - phase, abs(phase - 0.5)) < 1e-3
      if wave == .sine || wave == .triangle || !nearJump { #expect(abs(Double(value) - expected) < 2e-3) }
    }
  }
}
