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
