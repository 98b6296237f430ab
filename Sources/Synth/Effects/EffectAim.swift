/// Current values and targets of the knobs of a sound's effects in a tick.
struct EffectAim {
  /// Smoothed values of the knobs.
  let now: UnsafePointer<EffectKnobs>
  /// Target values of the knobs.
  let chosen: UnsafePointer<EffectKnobs>
  /// Beats per second.
  let tempo: Float
  /// Smoothing coefficient of levels per tick: the share of the remaining distance.
  let share: Float
  /// True when no knob is moving.
  let isSettled: Bool

  @_noLocks
  init(
    _ now: UnsafePointer<EffectKnobs>, to chosen: UnsafePointer<EffectKnobs>, tempo: Float, share: Float,
    isSettled: Bool
  ) {
    (self.now, self.chosen, self.tempo, self.share, self.isSettled) = (now, chosen, tempo, share, isSettled)
  }
}
