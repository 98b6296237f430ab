/// The glides of a group's lanes.
struct GlideLanes {
  /// Goal of the glide, in octaves from concert pitch, and in octaves from middle C.
  var pitch = Lanes.zero
  var key = Lanes.zero
  /// Octaves left to glide: separate from the pitch, in which small steps would be lost to rounding.
  var distance = Lanes.zero
  /// Speed of the glide, a factor on `rate`.
  var speed = Lanes(repeating: 1)
  /// Halvings of the remaining interval in a second; 0 for the rate of the sound.
  var rate = Lanes.zero
  /// Octaves of a linear glide for each halving that an exponential one would have; 0 for an exponential glide.
  var slope = Lanes.zero

  /// Halvings in the time of a glide, after which an exponential one is 99 % done: log2(100).
  static var halvings: Float { @_noLocks get { 6.64385619 } }
}
