/// Where the pitch of a note begins that glides, and how long it takes.
struct GlideStart {
  /// Octaves from concert pitch.
  let pitch: Float
  /// Until 99 % of the way are gone, or of each octave.
  let seconds: Float

  @_noLocks init(pitch: Float, seconds: Float) { (self.pitch, self.seconds) = (pitch, seconds) }
}
