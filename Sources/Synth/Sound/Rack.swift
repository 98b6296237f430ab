/// The effects of a sound, one after the other. There are none yet: a rack of nothing costs nothing.
struct Rack {
  /// True while an effect is on or rings.
  var isSounding: Bool { @_noLocks get { false } }

  /// No effect.
  @_noLocks init() {}

  /// Lets the effects work on a run of frames of the sound, in place.
  @_noLocks
  mutating func process(
    _ left: UnsafeMutablePointer<Float>, _ right: UnsafeMutablePointer<Float>, frames: Int
  ) {}
}
