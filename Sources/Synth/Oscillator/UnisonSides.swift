/// Gains of a unison's voices in each lane while a route moves them, in the meaning of `OscillatorControl.sides`.
struct UnisonSides {
  var middle = Ramp()
  var own = Ramp()
  var other = Ramp()

  /// Rests at gains that are equal in all lanes.
  @_noLocks
  mutating func rest(at sides: SIMD8<Float>) {
    middle.rest(at: Lanes(repeating: sides[0]))
    own.rest(at: Lanes(repeating: sides[1]))
    other.rest(at: Lanes(repeating: sides[2]))
  }

  @_noLocks
  mutating func pass(frames: Int) {
    middle.pass(frames: frames)
    own.pass(frames: frames)
    other.pass(frames: frames)
  }
}
