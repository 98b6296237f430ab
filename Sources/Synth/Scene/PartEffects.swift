/// The effects of a part as a scene holds them: only their addresses. The control thread makes them, with the memory
/// that they will need, and the image carries them to the audio thread, which uses them in place.
public struct PartEffects: @unchecked Sendable {
  // Addresses as numbers, 0 for none: Swift 6.0.3 cannot compile an optional pointer here.
  /// Address of an array of addresses, one for each effect in the order of the rack, 0 for an effect that the sound
  /// does not use. The array never changes: if the sound uses a further effect, there is a new array.
  var row: UInt = 0
  /// Address of a counter. Its lower half is the number of sounds that use the effects, which are kept until it is 0.
  /// Its upper half is the number of sounds that have ever used them.
  var users: UInt = 0

  /// No effects.
  @_noLocks public init() {}
}
