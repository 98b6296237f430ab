/// Where the knobs of a sound's effects are in a tick, and where they go.
struct EffectAim {
  /// Where the knobs are now.
  let now: UnsafePointer<EffectKnobs>
  /// Where they go.
  let chosen: UnsafePointer<EffectKnobs>
  /// Beats a second.
  let tempo: Float
  /// How much of what is left of its way a level goes in a tick.
  let share: Float
  /// True when no knob is on its way.
  let rest: Bool

  @_noLocks
  init(
    _ now: UnsafePointer<EffectKnobs>, to chosen: UnsafePointer<EffectKnobs>, tempo: Float, share: Float,
    rest: Bool
  ) {
    (self.now, self.chosen, self.tempo, self.share, self.rest) = (now, chosen, tempo, share, rest)
  }
}
