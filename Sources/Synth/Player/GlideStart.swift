/// The pitch at which the glide of a note begins, and its duration.
struct GlideStart {
  /// Octaves from concert pitch.
  let pitch: Float
  /// Seconds until 99 % of the glide is done, or of each octave of it.
  let seconds: Float

  @_noLocks init(pitch: Float, seconds: Float) { (self.pitch, self.seconds) = (pitch, seconds) }
}
