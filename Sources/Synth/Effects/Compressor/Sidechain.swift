/// The sidechain input of a compressor.
enum Sidechain {
  /// The sound itself.
  case sound
  /// Another part, with its magnitude.
  case level(Float)
  /// The beat.
  case beat(BeatDuck)
}
