import Glibc
import Testing
@testable import Scenes
@testable import Synth

/// Voices with a unison are updated every other tick only: still nothing goes in steps that are heard.
@Suite("Updates of unison voices") struct UnisonUpdateTests {
  private static let unison: [(String, Float)] = [("/osc/1/unison", 2), ("/osc/1/detune", 0)]

  /// As `KnobSmoothnessTests` has it of other voices. Measured: -65 or less where it jumps, -83 or less where it is swept.
  @Test(
    "Side products of a moving knob stay below -60 dB in a jump and -80 dB in a sweep",
    arguments: KnobMove.all)
  func knobMotion(_ move: KnobMove) {
    let move = KnobMove(
      move.address, move.from, move.to, move.others + Self.unison, movesMean: move.movesMean)
    let (jump, sweep) = (SideProducts.jumped(move), SideProducts.swept(move))
    #expect(jump < -60 && sweep < -80, "\(jump) dB, \(sweep) dB")
  }

  /// A vibrato of a semitone up and down, 6 Hz, of a sine of 1,047 Hz: what lies further than 400 Hz from it. Measured -75 with
  /// a unison, -87 without.
  @Test(
    "Side products of a vibrato of a semitone stay below -70 dB with 1 or 2 unison voices",
    arguments: [1, 2] as [Float])
  func vibratoProducts(voices: Float) {
    let player = Player(
      .with([
        ("/osc/1/wave", 0), ("/osc/1/unison", voices), ("/osc/1/detune", 0), ("/osc/2/level", 0),
        ("/filter/cutoff", 20_000), ("/filter/track", 0), ("/lfo/1/rate", 6), ("/lfo/1/pitch", 100),
      ]))
    player.press(84)
    player.play(4_800 + Spectrum.size)
    let spectrum = Spectrum(player.left.suffix(Spectrum.size))
    let tone = spectrum.power(from: 647, to: 1_447)
    let rest = spectrum.power(from: 40, to: 646) + spectrum.power(from: 1_448, to: 20_000)
    let decibels = 10 * log10(rest / tone)
    #expect(decibels < -70)
  }

  @Test("A turned knob reaches its goal whether its ramp ends at an update or between two", arguments: 0..<4)
  func knobGoal(tick: Int) {
    let knobs = Self.unison + [("/osc/1/level", 0.3), ("/noise/level", 0.1), ("/filter/cutoff", 700)]
    let player = Player(.with(knobs), running: true)
    player.press(60)
    player.play(640 + tick * Limits.controlFrames, block: 16)
    let goal = Scene.with(
      Self.unison + [("/osc/1/level", 0.8), ("/noise/level", 0.4), ("/filter/cutoff", 3_000)])
    player.link.scene.publish(goal)
    player.play(48_000, block: 16)
    let place = player.engine.currentSounds[0]
    let sound = player.engine.sounds[place]
    #expect(!sound.isMoving && sound.control.oscillators.0.level == 0.8 && sound.control.noise == 0.4)
    #expect(!sound.control.levelsMove)
  }

  @Test("Unison voices with moving knobs give the same bits at any block size") func blockSizes() {
    let knobs: [(String, Float)] = [
      ("/osc/1/wave", 2), ("/osc/1/unison", 7), ("/osc/2/wave", 2), ("/osc/2/unison", 5), ("/osc/2/sync", 1),
      ("/noise/level", 0.2),
    ]
    func render(_ block: Int) -> [Float] {
      let player = Player(.with(knobs), running: true)
      for note in [36, 60, 77] { player.press(note) }
      player.play(1_280, block: block)
      let others: [(String, Float)] = [
        ("/osc/1/detune", 40), ("/osc/1/level", 0.3), ("/filter/cutoff", 900), ("/noise/color", -0.4),
      ]
      player.link.scene.publish(.with(knobs + others))
      player.play(12_800, block: block)
      return player.left
    }
    let whole = render(1_280)
    #expect(whole.peak > 0.05)
    for block in [1, 5, 16, 80, 256] {
      #expect(isSame(render(block).bits, whole.bits), "block \(block)")
    }
  }
}
