import EngineHarness

/// What each knob of a sound adds to a tone of 1 kHz while it jumps, and while it is swept there and back in 1.4 s.
func benchmarkKnobs() {
  for move in KnobMove.all + KnobMove.effects {
    let (jump, sweep) = (SideProducts.jumped(move), SideProducts.swept(move))
    print("knobs: \(move): jumped \(decimals(jump, 1)) dB, swept \(decimals(sweep, 1)) dB")
  }
  for (reason, addresses) in KnobMove.without + KnobMove.effectsWithout {
    print("knobs: not measured, \(reason): \(addresses.joined(separator: " "))")
  }
}
