/// Where the voices of a unison lie in each lane, and how loud, while a route moves that: what `OscillatorControl.sides`
/// is for all lanes.
struct UnisonSides {
  var middle = Ramp()
  var own = Ramp()
  var other = Ramp()

  /// Stays where all lanes are.
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
