// An effect is audible when it is on and its mix is above 0. `levels` are the dry and the wet gain. At a mix of a half
// both are 1 for an effect that adds to the sound; an effect that replaces the sound is cross-faded, and the phaser and
// the flanger are cross-faded at equal power, which keeps the loudness where dry and wet sound meet at all phases.
extension DriveKnobs {
  // True also at a mix of 0: the dry signal is delayed by as much as the wet one, and the drive mixes them itself.
  var isOn: Bool { @_noLocks get { on > 0 } }
  var levels: SIMD2<Float> { @_noLocks get { replaced(on) } }
}
extension FiveBandKnobs {
  var isOn: Bool { @_noLocks get { on > 0 && mix > 0 } }
  var levels: SIMD2<Float> { @_noLocks get { replaced(on * mix) } }
}
extension ChorusKnobs {
  var isOn: Bool { @_noLocks get { on > 0 && mix > 0 } }
  var levels: SIMD2<Float> { @_noLocks get { added(on, mix) } }
}
extension DelayKnobs {
  var isOn: Bool { @_noLocks get { on > 0 && mix > 0 } }
  var levels: SIMD2<Float> { @_noLocks get { added(on, mix) } }
}
extension ReverbKnobs {
  var isOn: Bool { @_noLocks get { on > 0 && mix > 0 } }
  var levels: SIMD2<Float> { @_noLocks get { added(on, mix) } }
}
extension PhaserKnobs {
  var isOn: Bool { @_noLocks get { on > 0 && mix > 0 } }
  var levels: SIMD2<Float> { @_noLocks get { equalPower(on * mix) } }
}
extension CompressorKnobs {
  var isOn: Bool { @_noLocks get { on > 0 && mix > 0 } }
  var levels: SIMD2<Float> { @_noLocks get { replaced(on * mix) } }
}
extension FlangerKnobs {
  var isOn: Bool { @_noLocks get { on > 0 && mix > 0 } }
  var levels: SIMD2<Float> { @_noLocks get { equalPower(on * mix) } }
}
extension RotaryKnobs {
  var isOn: Bool { @_noLocks get { on > 0 && mix > 0 } }
  var levels: SIMD2<Float> { @_noLocks get { replaced(on * mix) } }
}

@_noLocks
private func replaced(_ share: Float) -> SIMD2<Float> { SIMD2(1 - share, share) }

@_noLocks
private func added(_ on: Float, _ mix: Float) -> SIMD2<Float> {
  SIMD2(1 - on * max(0, 2 * mix - 1), on * min(1, 2 * mix))
}

@_noLocks
private func equalPower(_ share: Float) -> SIMD2<Float> {
  // The sine of a quarter turn, 1 at 1; the powers add up to 1 within 0.0004.
  let x = SIMD2(1 - share, share)
  let square = x * x
  return x * (1.5707963 - square * (0.6435889 - square * 0.0727926))
}
