// Dry and wet gain of an effect. An effect that replaces the sound is cross-faded. At a mix of a half both gains are 1 for
// an effect that adds to the sound. The phaser and the flanger are cross-faded at equal power, which keeps the loudness
// where dry and wet sound meet at all phases.

/// The gains of an effect that replaces a share of the sound.
@_noLocks
func replaced(_ share: Float) -> SIMD2<Float> { SIMD2(1 - share, share) }

/// The gains of an effect that adds to the sound, by its switch and its mix.
@_noLocks
func added(_ on: Float, _ mix: Float) -> SIMD2<Float> {
  SIMD2(1 - on * max(0, 2 * mix - 1), on * min(1, 2 * mix))
}

/// The gains of a share that is cross-faded at equal power.
@_noLocks
func equalPower(_ share: Float) -> SIMD2<Float> {
  // The sine of a quarter turn, 1 at 1; the powers add up to 1 within 0.0004.
  let x = SIMD2(1 - share, share)
  let square = x * x
  return x * (1.5707963 - square * (0.6435889 - square * 0.0727926))
}
