/// The effects of a part as a scene has them: nothing but where they lie. They are made on the control thread, with the
/// memory of all that they will hear, and travel with the image; audio uses them in place.
public struct PartEffects: @unchecked Sendable {
  // Nil for what the sound does not use.
  var drive: UnsafeMutablePointer<EffectDrive>?
  var equalizer: UnsafeMutablePointer<FiveBandEqualizer>?
  var chorus: UnsafeMutablePointer<Chorus>?
  var delay: UnsafeMutablePointer<Delay>?
  var reverb: UnsafeMutablePointer<Reverb>?
  /// How many sounds use them, in the lower half: whoever made them keeps them until that is none. In the upper half, how
  /// many have used them.
  // An address, 0 for none: of an optional pointer to such a number the compiler of Swift 6.0.3 makes nothing.
  var users: UInt = 0

  /// None.
  @_noLocks public init() {}
}
