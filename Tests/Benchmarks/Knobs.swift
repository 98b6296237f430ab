import EngineHarness

/// What each knob of a sound adds to a tone of 1 kHz while it jumps, and while it is swept there and back in 1.4 s;
/// and how far the sound gets beyond what it has at rest while a knob of an effect moves.
func benchmarkKnobs() {
  for move in KnobMove.all + KnobMove.effects {
    let (jump, sweep) = (SideProducts.jumped(move), SideProducts.swept(move))
    print("knobs: \(move): jumped \(decimals(jump, 1)) dB, swept \(decimals(sweep, 1)) dB")
  }
  let times = KnobExcess.Times(rate: 48_000, settling: 48_000, moment: 4_800, hold: 9_600, places: 33)
  for knob in EffectKnob.allWays {
    let excess = KnobExcess(knob, times)
    let (peak, step) = (decimals(Double(excess.peak), 3), decimals(Double(excess.step), 3))
    print("knobs: \(knob): peak \(peak), step \(step) of those at rest, in silence \(excess.silence)")
  }
  for (reason, addresses) in KnobMove.without + KnobMove.effectsWithout {
    print("knobs: not measured, \(reason): \(addresses.joined(separator: " "))")
  }
}
