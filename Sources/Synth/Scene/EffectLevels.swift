// Dry and wet gain of an effect. An effect that replaces the sound is cross-faded. An effect that adds to the sound
// has both gains at 1 at a mix of a half. The phaser and the flanger are cross-faded at equal power, which keeps the
// loudness where the phase between dry and wet sound varies.

/// The gains of an effect that replaces a share of the sound.
@_noLocks
func crossFadeGains(_ share: Float) -> SIMD2<Float> { SIMD2(1 - share, share) }

/// The gains of an effect that adds to the sound, by its switch and its mix.
@_noLocks
func additiveGains(_ on: Float, _ mix: Float) -> SIMD2<Float> {
  SIMD2(1 - on * max(0, 2 * mix - 1), on * min(1, 2 * mix))
}

/// The gains of an equal-power cross-fade; `share` is the share of the wet sound, 0…1.
@_noLocks
func equalPowerGains(_ share: Float) -> SIMD2<Float> {
  // The sine of a quarter turn, 1 at 1; the powers add up to 1 within 0.0004.
  let x = SIMD2(1 - share, share)
  let square = x * x
  return x * (1.5707963 - square * (0.6435889 - square * 0.0727926))
}
