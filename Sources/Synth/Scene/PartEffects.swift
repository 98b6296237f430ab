/// The effects of a part as a scene has them: nothing but where they lie. They are made on the control thread, with the
/// memory of all that they will hear, and travel with the image; audio uses them in place.
public struct PartEffects: @unchecked Sendable {
  // Addresses, 0 for none: of an optional pointer to such a number the compiler of Swift 6.0.3 makes nothing.
  /// A row of addresses, one for each effect in the order that a sound goes through them, 0 for what the sound does not use.
  /// It never changes: where one more is used there is another row.
  var row: UInt = 0
  /// How many sounds use them, in the lower half: whoever made them keeps them until that is none. In the upper half, how
  /// many have used them.
  var users: UInt = 0

  /// None.
  @_noLocks public init() {}
}
