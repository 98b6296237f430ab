import System

/// The values of a channel's registered parameters (RPN 0, 1, 2, 5, 6 and 7), as MIDI 1.0, RP-018, M1-100 and M2-104
/// define them.
struct ParameterNumbers {
  /// A parameter that data entry has changed, in the unit of the events.
  enum Change: Equatable {
    /// Semitones.
    case bendRange(Float)
    /// The range of per-note bends, semitones.
    case keyBendRange(Float)
    /// Semitones from the keys.
    case tuning(Float)
    /// Vibrato of the full modulation wheel, semitones.
    case modulationDepth(Float)
    /// Members of the MPE zone that the channel manages, 0…15.
    case zone(UInt8)
  }

  // In 14 bits: semitones and hundredths; a semitone each way; semitones around 64 in the upper half.
  private var bendRange: UInt16 = 2 << 7
  private var fineTuning: UInt16 = 64 << 7
  private var coarseTuning: UInt16 = 64 << 7
  // Semitones and 128ths.
  private var modulationDepth: UInt16 = 64
  // Semitones that a system exclusive message adds to both tunings.
  private var keyShift: Float = 0
  // In 32 bits, seven of them whole semitones.
  private var keyBendRange: UInt32 = 48 << 25

  /// The initial values.
  @_noLocks init() {}

  /// Applies data entry to the selected parameter; nil if it is an NRPN or unknown. The upper half of a value acts at
  /// once, because many devices send no lower half.
  @_noLocks
  mutating func enter(_ entry: ParameterEntry) -> Change? {
    guard entry.isRegistered else { return nil }
    switch entry.change {
    case .upper(let high, let low): return set(entry.number, UInt16(high) << 7 | UInt16(low))
    case .lower(let low, _):
      // The upper half alone is the number of a zone's members.
      return entry.number == 6 ? nil : set(entry.number, value(entry.number) & ~127 | UInt16(low))
    case .step(let isUp): return entry.number < 3 || entry.number == 5 ? step(entry.number, isUp) : nil
    }
  }

  /// Applies an increment or decrement, in the lower half if the parameter has one.
  @_noLocks
  private mutating func step(_ number: UInt16, _ isUp: Bool) -> Change? {
    if number == 0 {
      // Hundredths of a semitone.
      let cents = Int(bendRange >> 7) * 100 + min(Int(bendRange & 127), 99) + (isUp ? 1 : -1)
      let bounded = max(0, min(cents, 127 * 100))
      return set(0, UInt16(bounded / 100) << 7 | UInt16(bounded % 100))
    }
    let step = number == 2 ? 128 : 1
    return set(number, UInt16(max(0, min(Int(value(number)) + (isUp ? step : -step), 0x3FFF))))
  }

  /// Sets a parameter to a whole value from one message.
  @_noLocks
  mutating func set(_ number: UInt16, _ value: MIDIValue) -> Change? {
    if number != 7 { return set(number, value.fourteenBits) }
    keyBendRange = value.raw
    return .keyBendRange(Float(Double(keyBendRange) / 33_554_432))
  }

  /// Changes a parameter by a relative amount, within its range.
  @_noLocks
  mutating func move(_ number: UInt16, by step: Int32) -> Change? {
    switch number {
    case 7:
      let moved = max(0, min(Int64(keyBendRange) + Int64(step), Int64(UInt32.max)))
      return set(7, MIDIValue(raw: UInt32(moved)))
    case 0...2, 5: return set(number, UInt16(max(0, min(Int(value(number)) + Int(step >> 18), 0x3FFF))))
    default: return nil
    }
  }

  /// Sets a parameter to a value of 14 bits.
  @_noLocks
  mutating func set(_ number: UInt16, _ value: UInt16) -> Change? {
    switch number {
    case 0:
      bendRange = value
      return .bendRange(bendSemitones)
    case 1: fineTuning = value
    case 2: coarseTuning = value
    case 5:
      modulationDepth = value
      return .modulationDepth(Float(value) / 128)
    case 6: return .zone(UInt8(min(value >> 7, 15)))
    case 7: return set(7, MIDIValue(raw: UInt32(value) << 18))
    default: return nil
    }
    return .tuning(tuning)
  }

  /// The tuning of the channel in semitones.
  private var tuning: Float {
    @_noLocks get { Float(Int(coarseTuning >> 7) - 64) + (Float(fineTuning) - 8192) / 8192 + keyShift }
  }

  /// Sets the key shift of the channel in semitones. Returns the tuning with it.
  @_noLocks
  mutating func shift(by semitones: Float) -> Float {
    keyShift = semitones
    return tuning
  }

  /// The range of the pitch bend in semitones.
  var bendSemitones: Float {
    @_noLocks get { Float(bendRange >> 7) + Float(min(bendRange & 127, 100)) / 100 }
  }

  /// Sets the range of the pitch bend without a message, to whole semitones 0…127.
  @_noLocks
  mutating func setBendRange(_ semitones: Float) {
    bendRange = UInt16(max(0, min(Int(clamping: semitones), 127))) << 7
  }

  /// Copies the range of the pitch bend from another channel.
  @_noLocks
  mutating func copyBendRange(of other: ParameterNumbers) { bendRange = other.bendRange }

  @_noLocks
  private func value(_ number: UInt16) -> UInt16 {
    switch number {
    case 0: bendRange
    case 1: fineTuning
    case 2: coarseTuning
    case 5: modulationDepth
    default: UInt16(truncatingIfNeeded: keyBendRange >> 18)
    }
  }
}

/// Data entry for the selected parameter: a registered one (RPN), or one of the manufacturer (NRPN).
struct ParameterEntry: Equatable, Sendable {
  /// How data entry changes the value of the parameter.
  enum Change: Equatable, Sendable {
    /// Controller 6: the upper seven bits. `lower` was received since the selection, because some devices send it
    /// first, or is 0.
    case upper(UInt8, lower: UInt8)
    /// Controller 38: the lower seven bits. `upper` is the last upper half of this parameter, or 0.
    case lower(UInt8, upper: UInt8)
    /// Controllers 96 and 97: a step up or down.
    case step(isUp: Bool)
  }

  /// The parameter, 0…16,382.
  let number: UInt16
  let isRegistered: Bool
  let change: Change
}

/// The parameter that the controllers of one channel have selected, and the received halves of its value.
struct ParameterChoice {
  // The upper and the lower seven bits of the RPN and of the NRPN; 127 twice is no parameter.
  private var registered: (high: UInt8, low: UInt8) = (127, 127)
  private var nonRegistered: (high: UInt8, low: UInt8) = (127, 127)
  /// True if a registered parameter was selected last.
  private var isRegistered = false
  /// The lower half of the value, if it was received since the selection; otherwise 0.
  private var lower: UInt8 = 0
  /// The upper half of a value that was received last for an NRPN, and the number of this NRPN.
  private var (upper, upperNumber): (UInt8, UInt16) = (0, none)

  private static var none: UInt16 { @_noLocks get { 0x3FFF } }

  /// No parameter is selected.
  @_noLocks init() {}

  /// Selects a parameter by the controllers 98 to 101; 99 and 101 carry the upper half of its number. 127 twice
  /// selects none.
  @_noLocks
  mutating func choose(_ controller: UInt8, _ half: UInt8) {
    isRegistered = controller >= 100
    lower = 0
    switch controller {
    case 98: nonRegistered.low = half
    case 99: nonRegistered.high = half
    case 100: registered.low = half
    default: registered.high = half
    }
  }

  /// Deselects the parameter.
  @_noLocks
  mutating func chooseNothing() { self = ParameterChoice() }

  /// Data entry by controller 6, 38, 96 or 97; nil if no parameter is selected.
  @_noLocks
  mutating func enter(_ controller: UInt8, _ half: UInt8) -> ParameterEntry? {
    let chosen = isRegistered ? registered : nonRegistered
    let number = UInt16(chosen.high) << 7 | UInt16(chosen.low)
    if number == Self.none { return nil }
    let change: ParameterEntry.Change
    switch controller {
    case 6:
      change = .upper(half, lower: lower)
      if !isRegistered { (upper, upperNumber) = (half, number) }
    case 38:
      lower = half
      change = .lower(half, upper: !isRegistered && upperNumber == number ? upper : 0)
    default: change = .step(isUp: controller == 96)
    }
    return ParameterEntry(number: number, isRegistered: isRegistered, change: change)
  }
}
