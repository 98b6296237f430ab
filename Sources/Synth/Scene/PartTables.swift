/// The wavetables of a part as a scene holds them: only their addresses, 0 for an oscillator without one. The control thread
/// prepares them, and the image carries them to the audio thread, which counts itself as a user of those that it reads.
public struct PartTables: Sendable {
  /// Addresses of a `Wavetable`, as numbers for the same reason as in `PartEffects`.
  var first: UInt = 0
  var second: UInt = 0
  var third: UInt = 0

  /// No tables.
  @_noLocks public init() {}
}
