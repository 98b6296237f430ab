/// The parameters that a channel's controllers choose by number and then move: those that are registered (RPN 0, 1, 2,
/// 6 and 7) as MIDI 1.0, RP-018, M1-100 and M2-104 have them. Those of makers (NRPN) are chosen too, so that what is meant for them moves nothing
/// else.
struct ParameterNumbers {
  /// What a channel's parameters say, in the unit of the events.
  enum Change: Equatable {
    /// Semitones.
    case bendRange(Float)
    /// How far the bend of one key's notes reaches, semitones.
    case keyBendRange(Float)
    /// Semitones from the keys.
    case tuning(Float)
    /// Members of the MPE zone that the channel manages, 0…15.
    case zone(UInt8)
  }

  // What is chosen, the upper and the lower seven bits; nothing at first.
  private var (high, low): (UInt8, UInt8) = (127, 127)
  private var isRegistered = false
  /// The lower half of the value, where it has come since the choice: some send it first.
  private var fine: UInt8 = 0
  // In 14 bits: semitones and hundredths; a semitone each way; semitones around 64 in the upper half.
  private var bendRange: UInt16 = 2 << 7
  private var fineTuning: UInt16 = 64 << 7
  private var coarseTuning: UInt16 = 64 << 7
  // In 32 bits, seven of them whole semitones.
  private var keyBendRange: UInt32 = 48 << 25

  /// Nothing chosen, nothing changed.
  @_noLocks init() {}

  /// Controllers 98 to 101 choose, 99 and 101 the upper half. 127 twice is nothing.
  @_noLocks
  mutating func choose(_ controller: UInt8, _ half: UInt8) {
    isRegistered = controller >= 100
    fine = 0
    if isRegistered { if controller == 101 { high = half } else { low = half } }
  }

  /// Nothing is chosen any more.
  @_noLocks
  mutating func chooseNothing() { (high, low, isRegistered, fine) = (127, 127, false, 0) }

  /// Controller 6: the upper half of the value, which acts at once; many send no other.
  @_noLocks
  mutating func enter(high half: UInt8) -> Change? {
    guard let number = chosen else { return nil }
    return set(number, UInt16(half) << 7 | UInt16(fine))
  }

  /// Controller 38: the lower half.
  @_noLocks
  mutating func enter(low half: UInt8) -> Change? {
    guard let number = chosen else { return nil }
    // How many members a zone has is said by the upper half alone.
    if number == 6 { return nil }
    fine = half
    return set(number, value(number) & ~127 | UInt16(half))
  }

  /// Controllers 96 and 97: a step up or down, of the lower half where a parameter has one.
  @_noLocks
  mutating func step(_ up: Bool) -> Change? {
    guard let number = chosen, number < 3 else { return nil }
    if number == 0 {
      // Hundredths of a semitone.
      let cents = Int(bendRange >> 7) * 100 + min(Int(bendRange & 127), 99) + (up ? 1 : -1)
      let bounded = max(0, min(cents, 127 * 100))
      return set(0, UInt16(bounded / 100) << 7 | UInt16(bounded % 100))
    }
    let step = number == 2 ? 128 : 1
    return set(number, UInt16(max(0, min(Int(value(number)) + (up ? step : -step), 0x3FFF))))
  }

  /// A parameter that a message names with all of its value.
  @_noLocks
  mutating func set(_ number: UInt16, _ value: MIDIValue) -> Change? {
    if number != 7 { return set(number, value.fourteenBits) }
    keyBendRange = value.raw
    return .keyBendRange(Float(Double(keyBendRange) / 33_554_432))
  }

  /// A parameter that a message moves from where it is; it stops at its ends.
  @_noLocks
  mutating func move(_ number: UInt16, by step: Int32) -> Change? {
    switch number {
    case 7:
      let moved = max(0, min(Int64(keyBendRange) + Int64(step), Int64(UInt32.max)))
      return set(7, MIDIValue(raw: UInt32(moved)))
    case 0...2: return set(number, UInt16(max(0, min(Int(value(number)) + Int(step >> 18), 0x3FFF))))
    default: return nil
    }
  }

  /// A parameter with all of its value, 14 bits.
  @_noLocks
  mutating func set(_ number: UInt16, _ value: UInt16) -> Change? {
    switch number {
    case 0:
      bendRange = value
      return .bendRange(bendSemitones)
    case 1: fineTuning = value
    case 2: coarseTuning = value
    case 6: return .zone(UInt8(min(value >> 7, 15)))
    case 7: return set(7, MIDIValue(raw: UInt32(value) << 18))
    default: return nil
    }
    return .tuning(Float(Int(coarseTuning >> 7) - 64) + (Float(fineTuning) - 8192) / 8192)
  }

  /// The range of the bend.
  var bendSemitones: Float {
    @_noLocks get { Float(bendRange >> 7) + Float(min(bendRange & 127, 100)) / 100 }
  }

  /// The range of the bend, whole semitones of 0…127, without a message about it.
  @_noLocks
  mutating func setBendRange(_ semitones: Float) { bendRange = UInt16(semitones) << 7 }

  /// The same as another channel's.
  @_noLocks
  mutating func takeBendRange(of other: ParameterNumbers) { bendRange = other.bendRange }

  @_noLocks
  private func value(_ number: UInt16) -> UInt16 {
    switch number {
    case 0: bendRange
    case 1: fineTuning
    case 2: coarseTuning
    default: UInt16(truncatingIfNeeded: keyBendRange >> 18)
    }
  }

  /// The registered parameter that is chosen, of those that are known.
  private var chosen: UInt16? {
    @_noLocks get {
      isRegistered && high == 0 && (low < 3 || low == 6 || low == 7) ? UInt16(low) : nil
    }
  }
}
