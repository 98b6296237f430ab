import EngineHarness
import Glibc
import Parameters
import Testing
@testable import Scenes
@testable import Synth

/// What the matrix moves stops at the ends of the knobs' ways, and numbers beyond those of MIDI are brought inside.
@Suite("Ends of the knob ranges") struct KnobEndTests {
  typealias Knobs = [(String, Float)]
  private static let tone: Knobs = [
    ("/osc/1/wave", 0), ("/filter/cutoff", 20_000), ("/amp/attack", 0.001), ("/amp/velocity", 0),
  ]

  private static func slots(_ target: ModulationTarget, _ amounts: [Float]) -> Knobs {
    amounts.enumerated().flatMap { ModulationTests.slot($0 + 1, .constant, target, $1) }
  }

  @Test(
    "A level or sustain that the matrix moves past an end of its range stays at that end",
    arguments: [
      (ModulationTarget.level1, "/osc/1/level", 0, 1), (.level2, "/osc/2/level", 0, 1),
      (.subLevel, "/sub/level", 0, 1), (.ampSustain, "/amp/sustain", 0, 1),
    ] as [(ModulationTarget, String, Float, Float)])
  func stopsAtEnd(_ target: ModulationTarget, _ address: String, _ low: Float, _ high: Float) {
    let base = Self.tone + [("/osc/2/wave", 0), ("/osc/2/semitone", 7), ("/amp/decay", 0.05)]
    for (from, to, amounts) in [(0.8, high, [1, 1]), (0.4, low, [-1, -1])] as [(Float, Float, [Float])] {
      let moved = ModulationTests.play(base + [(address, from)] + Self.slots(target, amounts))
      let knob = ModulationTests.play(base + [(address, to)])
      for (a, b) in zip(moved.left.suffix(2_400), knob.left.suffix(2_400)) {
        #expect(abs(a - b) < 2e-3)
        if abs(a - b) >= 2e-3 { break }
      }
    }
  }

  @Test("A voice level modulated below zero gives silence, not an inverted signal") func negativeLevel() {
    let player = ModulationTests.play(Self.tone + Self.slots(.level, [-1, -1]))
    #expect(player.left.peak == 0)
  }

  @Test(
    "Modulation scales the depth of an LFO by a factor from 0 to at most 2",
    arguments: [([1, 1], 2), ([0.5], 1.5), ([-0.25], 0.75), ([-1, -1], 0)] as [([Float], Float)])
  func lfoDepthRange(_ move: (amounts: [Float], factor: Float)) {
    for (target, source, stem) in [
      (ModulationTarget.lfoDepth, ModulationSource.lfo, "/lfo/1"), (.lfo2Depth, .lfo2, "/lfo/2"),
      (.lfo3Depth, .lfo3, "/lfo/3"),
    ] {
      let knobs: Knobs = Self.tone + [(stem + "/wave", 3), (stem + "/rate", 0.1)]
      let reader = ModulationTests.slot(8, source, .cutoff, 0.01)
      let player = ModulationTests.play(knobs + reader + Self.slots(target, move.amounts), frames: 960)
      #expect(abs(player.engine.source(source, of: 0) - move.factor) < 1e-5)
    }
  }

  @Test(
    "A pulse modulated to its narrowest or widest width stays within 12 dB of the unmodulated pulse",
    arguments: [-1, 1] as [Float])
  func extremePulseWidths(_ amount: Float) {
    let knobs: Knobs = Self.tone + [("/osc/1/wave", 3)]
    let moved = ModulationTests.play(knobs + Self.slots(.width1, [amount]))
    #expect(Array(moved.left.suffix(2_400)).peak > 0.02)
    let still = ModulationTests.play(knobs)
    let change = 20 * log10(Array(moved.left.suffix(2_400)).peak / Array(still.left.suffix(2_400)).peak)
    #expect(abs(change) < 12, "\(change)")
  }

  @Test("The sub oscillator is equally loud left and right when the sound is stereo") func stereoSub() {
    let sub: Knobs = Self.tone + [("/osc/1/level", 0), ("/sub/level", 1)]
    let wide: Knobs = [("/osc/1/unison", 3), ("/osc/1/spread", 1)]
    for knobs in [Self.slots(.pan, [1e-3]), wide] {
      let player = ModulationTests.play(sub + knobs)
      let ratio = player.right.peak / player.left.peak
      #expect(player.left.peak > 0.05 && abs(ratio - 1) < 0.02, "\(ratio)")
    }
  }

  @Test(
    "The level follows the square of the velocity, by the amount of the velocity knob",
    arguments: [0, 0.5, 1] as [Float])
  func velocitySquare(_ knob: Float) {
    func peak(_ velocity: Float) -> Float {
      let player = Player(.with(Self.tone + [("/amp/velocity", knob)]))
      player.press(81, velocity: velocity)
      player.play(4_800)
      return player.left.peak
    }
    let hardest = peak(1)
    for velocity: Float in [0.25, 0.5, 0.75] {
      #expect(abs(peak(velocity) / hardest - (1 - knob + knob * velocity * velocity)) < 1e-3)
    }
    // Harder than hardest there is nothing.
    #expect(peak(2) == hardest)
  }

  @Test("Release velocity as a modulation source is limited to the range from 0 to 1")
  func releaseVelocityRange() {
    let player = Player(.with(Self.tone + [("/amp/release", 5)]))
    for (note, value, expected) in [(60, 7, 1), (62, -3, 0), (64, 0.4, 0.4)] as [(Int, Float, Float)] {
      player.press(note)
      player.play(480)
      player.send(.noteOff, note: note, value: value)
      player.play(480)
      let voice = player.voiceNumbers.first { Int(player.engine.note($0).key) == note } ?? 0
      let block = player.engine.group(of: voice).block
      #expect(block.sources[ModulationSource.release.index][voice % 8] == expected)
    }
  }

  @Test(
    "The soft pedal takes up to a quarter off the velocity, after the velocity curve",
    arguments: [-1, 0, 1] as [Float], [0.5, 1] as [Float])
  func softPedalAfterCurve(_ curve: Float, _ pedal: Float) {
    let player = Player(.with(Self.tone + [("/play/curve", curve)]))
    player.send(.soft, value: pedal)
    player.press(60, velocity: 0.5)
    player.play(64)
    let note = player.engine.note(player.voiceNumbers[0])
    let expected = powf(0.5, exp2f(-1.5 * curve)) * (1 - 0.25 * pedal)
    #expect(abs(note.velocity - expected) < 1e-5 && abs(note.loudness - (1 - 0.2 * pedal)) < 1e-6)
  }

  @Test("A tied note restarts the envelope only where its retrigger knob is on") func tiedRestart() {
    let curves = UnsafeMutablePointer<EnvelopeCurves>.allocate(capacity: 1)
    defer { curves.deallocate() }
    for retrigger: Float in [0, 1] {
      var knobs = EnvelopeKnobs()
      (knobs.attack, knobs.decay, knobs.sustain, knobs.release) = (0.01, 0.1, 0.5, 0.1)
      knobs.retrigger = retrigger
      curves.initialize(to: EnvelopeCurves(knobs, seconds: 1 / 3_000))
      for isTied in [false, true] {
        var lanes = EnvelopeLanes()
        lanes.start(2, curves)
        lanes.enter(2, EnvelopeStage.decay, curves)
        lanes.restrike(2, curves, isTied: isTied)
        #expect((lanes.stage[2] == UInt32(EnvelopeStage.attack)) == (!isTied || retrigger > 0))
      }
    }
  }
}
