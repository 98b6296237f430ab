/// The effects of a sound, one after the other. There are none yet: a rack of nothing costs nothing.
struct Rack {
  /// True while an effect rings on: its sound is not over, though its last voice is.
  var rings: Bool { @_noLocks get { false } }

  /// No effect.
  @_noLocks init() {}

  /// True when an effect is on or rings, so that the sound has to go through here.
  @_noLocks
  func isOn(_ knobs: UnsafePointer<Patch>) -> Bool { false }

  /// Lets the effects work on a run of frames of the sound, in place; `knobs` are where they are now.
  @_noLocks
  mutating func process(
    _ left: UnsafeMutablePointer<Float>, _ right: UnsafeMutablePointer<Float>, frames: Int,
    _ knobs: UnsafePointer<Patch>
  ) {}
}
