import EngineHarness
import Parameters
import Testing

/// Every knob of every effect, jumped and swept under a tone, and jumped where nothing comes in: no sample above what the sound
/// has at rest on either side of it and between, and no larger step from one to the next.
@Suite("Jumps and sweeps of effect knobs") struct EffectKnobTests {
  private static let times = KnobExcess.Times(
    rate: 22_050, settling: 9_600, moment: 320, hold: 1_280, places: 5)

  /// What a knob may add, and why; `benchmarks knobs` measures the same at 48 kHz, and all curves and modes.
  private static func allowed(_ address: String) -> (peak: Float, step: Float) {
    switch address {
    // Until its steady part is taken off, a curve that is not symmetric reaches further to one side, as where a note begins.
    // Measured 1.10.
    case "/drive/gain": (1.15, 1.02)
    // The level that it keeps is that of what it hears first, less than a period. Measured 1.05.
    case "/drive/on": (1.08, 1.06)
    // By 36 dB in 10 ms: that is steeper than the tone. Measured 1.12.
    case "/eq/low/gain": (1.02, 1.15)
    // A tape that gets faster. An octave up would be 1.5 here, where the echo is half of the sound. Measured 1.12.
    case "/delay/time": (1.02, 1.52)
    // Phases go on their way when a low-pass opens, or a bell gets narrow. Measured 1.07.
    case "/drive/tone", "/drive/tilt", "/eq/1/q": (1.06, 1.09)
    // A sweep passes levels between those that were measured at rest. Measured 1.08.
    case _ where address.hasPrefix("/phaser/"): (1.1, 1.06)
    // A sweep that gets faster. Measured 1.05.
    case "/flanger/rate": (1.04, 1.06)
    // What is kept in the room meets what comes past it, wherever in a period it was kept. Measured 1.20, where both are as loud.
    case "/reverb/freeze": (1.25, 1.25)
    // What sounds in the room meets what comes in at other phases than at rest. Measured 1.05.
    case _ where address.hasPrefix("/reverb/"): (1.08, 1.08)
    // Measured 1.03.
    default: (1.04, 1.04)
    }
  }

  @Test(
    "Moving an effect knob adds no larger peak or step than allowed, and no sound to silence",
    arguments: EffectKnob.all)
  func jumpAndSweep(_ knob: EffectKnob) {
    let excess = KnobExcess(knob, Self.times)
    let (peak, step) = Self.allowed(knob.address)
    #expect(excess.peak < peak && excess.step < step, "\(excess)")
    // -160 dB, from a bias that moves in front of a curve.
    #expect(excess.silence < 1e-8, "\(excess.silence)")
  }

  @Test("The jumps and sweeps cover every knob of the effects section") func noKnobIsForgotten() throws {
    let effects = try #require(SoundSection.named("effects")).knobs.map { Table.rows[$0.row].address }
    #expect(EffectKnob.all.map(\.address) == effects)
  }
}
