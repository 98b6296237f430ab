/// Where the lanes of a group glide to.
struct GlideLanes {
  /// Octaves from concert pitch, and from middle C.
  var pitch = Lanes.zero
  var key = Lanes.zero
  /// Octaves that are left: in numbers of their own, since small steps of a pitch would be lost.
  var way = Lanes.zero
  /// How much faster than by `rate`.
  var speed = Lanes(repeating: 1)
  /// How many times a lane halves its way in a second; 0 for as often as its sound has it.
  var rate = Lanes.zero
}
