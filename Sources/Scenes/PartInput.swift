/// The input settings of a part: key range, velocity range, transposition, velocity curve, dynamics, and the
/// controllers that it receives. They belong to the part and not to its sound. A restriction to one keyboard would be
/// one more condition in `key(for:)`.
public struct PartInput: Sendable {
  /// The lowest key that the part plays, 0…127, before transposition.
  public var lowKey: Float = 0
  /// The highest key that the part plays, 0…127, before transposition.
  public var highKey: Float = 0
  /// Transposition in semitones.
  public var transpose: Float = 0
  /// The softest stroke that the part plays, a MIDI velocity of 1…127.
  public var lowVelocity: Float = 0
  /// The hardest stroke that the part plays, a MIDI velocity of 1…127.
  public var highVelocity: Float = 0
  /// The velocity curve, -1…1: below 0 soft strokes sound softer, above 0 harder. It is added to the curve of the
  /// sound.
  public var curve: Float = 0
  /// The dynamics, -1…1: from soft to hard strokes the level rises by 1 + `dynamics` times the decibels of the sound.
  public var dynamics: Float = 0
  /// The controllers that the part receives.
  public var received = ReceivedControllers()

  /// All knobs at zero.
  public init() {}

  /// The key that sounds for a struck note; without transposition it is `sound`. Nil when the note is outside the
  /// part's ranges, or when it is transposed out of the 128 keys.
  @_noLocks @inlinable
  public func key(for event: Event, sound: UInt8) -> UInt8? {
    let (key, velocity) = (Float(event.note), max(1, min(event.value, 1) * 127))
    if key < lowKey || key > highKey { return nil }
    // A velocity with more than seven bits is rounded to the nearest MIDI velocity, so that no stroke falls between two
    // parts.
    if velocity < lowVelocity - 0.5 || velocity >= highVelocity + 0.5 { return nil }
    let moved = Int(sound) &+ semitones
    return moved < 0 || moved > 127 ? nil : UInt8(moved)
  }

  /// Transposition in octaves.
  public var octaves: Float { @_noLocks @inlinable get { Float(semitones) / 12 } }

  /// Transposition in whole semitones, -127…127.
  public var semitones: Int { @_noLocks @inlinable get { Int(max(-127, min(transpose, 127))) } }
}

/// The controllers that a part receives; 1 when it does.
public struct ReceivedControllers: Sendable {
  /// The pitch wheel.
  public var bend: Float = 0
  /// The modulation wheel.
  public var wheel: Float = 0
  /// The pedals: sustain, sostenuto, soft, legato.
  public var pedal: Float = 0
  /// Channel pressure and key pressure.
  public var pressure: Float = 0
  /// Program changes.
  public var program: Float = 0

  /// The bits of the controllers that the sound receives.
  public static var bendBit: UInt8 { @_noLocks @inlinable get { 1 } }
  public static var wheelBit: UInt8 { @_noLocks @inlinable get { 2 } }
  public static var pedalBit: UInt8 { @_noLocks @inlinable get { 4 } }
  public static var pressureBit: UInt8 { @_noLocks @inlinable get { 8 } }

  /// The controllers that the sound receives, one bit each.
  public var bits: UInt8 {
    @_noLocks @inlinable get {
      (bend >= 0.5 ? Self.bendBit : 0) | (wheel >= 0.5 ? Self.wheelBit : 0)
        | (pedal >= 0.5 ? Self.pedalBit : 0) | (pressure >= 0.5 ? Self.pressureBit : 0)
    }
  }
}
