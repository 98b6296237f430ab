/// What a part takes from the keyboards: which keys, how hard struck, what it makes of them, and which controllers it
/// hears. It belongs to the part and not to its sound. What a part takes from one keyboard alone would be one more
/// condition of `key(for:)`.
public struct PartInput: Sendable {
  /// The lowest and the highest key that it plays, 0…127, as the player's fingers have them: they are moved afterwards.
  public var lowKey: Float = 0
  public var highKey: Float = 0
  /// Semitones that its keys are moved by.
  public var transpose: Float = 0
  /// The softest and the hardest stroke that it plays, as MIDI counts velocities, 1…127.
  public var lowVelocity: Float = 0
  public var highVelocity: Float = 0
  /// The velocity curve, -1…1: below 0 a soft stroke sounds softer, above it harder. It is added to that of the sound.
  public var curve: Float = 0
  /// Which controllers it hears.
  public var hears = HeardControllers()

  /// All knobs at zero.
  public init() {}

  /// The key that sounds for a note that is struck, which without transposition is `sound`; nil when the part does not play
  /// it, or when it has been moved out of the 128 keys there are.
  @_noLocks
  func key(for event: Event, sound: UInt8) -> UInt8? {
    let (key, velocity) = (Float(event.note), max(1, min(event.value, 1) * 127))
    if key < lowKey || key > highKey { return nil }
    // A velocity of more than seven bits lies nearer to one of its neighbours: no stroke falls between two parts.
    if velocity < lowVelocity - 0.5 || velocity >= highVelocity + 0.5 { return nil }
    let moved = Int(sound) &+ semitones
    return moved < 0 || moved > 127 ? nil : UInt8(moved)
  }

  /// Octaves that its keys are moved by.
  var octaves: Float { @_noLocks get { Float(semitones) / 12 } }

  private var semitones: Int { @_noLocks get { Int(max(-127, min(transpose, 127))) } }
}

/// Which of the players' controllers a part hears; 1 when it does.
public struct HeardControllers: Sendable {
  /// The pitch wheel.
  public var bend: Float = 0
  /// The modulation wheel.
  public var wheel: Float = 0
  /// The pedals that hold and soften notes: sustain, sostenuto, soft, legato.
  public var pedal: Float = 0
  /// Pressure on the keys, of the channel and of single ones.
  public var pressure: Float = 0
  /// Program changes.
  public var program: Float = 0

  /// What the sound hears, one bit each.
  static var bendBit: UInt8 { @_noLocks get { 1 } }
  static var wheelBit: UInt8 { @_noLocks get { 2 } }
  static var pedalBit: UInt8 { @_noLocks get { 4 } }
  static var pressureBit: UInt8 { @_noLocks get { 8 } }

  var bits: UInt8 {
    @_noLocks get {
      (bend >= 0.5 ? Self.bendBit : 0) | (wheel >= 0.5 ? Self.wheelBit : 0)
        | (pedal >= 0.5 ? Self.pedalBit : 0) | (pressure >= 0.5 ? Self.pressureBit : 0)
    }
  }
}
