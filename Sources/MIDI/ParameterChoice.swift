/// Data entry for the selected parameter: one of its registered ones (RPN), or one of the maker's (NRPN).
struct ParameterEntry: Equatable, Sendable {
  /// How data entry changes the value of the parameter.
  enum Change: Equatable, Sendable {
    /// Controller 6: its upper seven bits. `lower` has come since the choice, or is 0: some devices send it first.
    case upper(UInt8, lower: UInt8)
    /// Controller 38: its lower seven bits. `upper` is the last upper half of this parameter, or 0.
    case lower(UInt8, upper: UInt8)
    /// Controllers 96 and 97: a step up or down.
    case step(isUp: Bool)
  }

  /// The parameter, 0…16,382.
  let number: UInt16
  let isRegistered: Bool
  let change: Change
}

/// The parameter that the controllers of one channel choose by number, and the halves of the value that came for it.
struct ParameterChoice {
  // The upper and the lower seven bits of both numbers; 127 twice is no parameter.
  private var registered: (high: UInt8, low: UInt8) = (127, 127)
  private var makers: (high: UInt8, low: UInt8) = (127, 127)
  /// True if a registered parameter was selected last.
  private var isRegistered = false
  /// The lower half of the value, where it has come since the choice.
  private var lower: UInt8 = 0
  /// The upper half of the value that came last, and the number of the maker's parameter that it came for.
  private var (upper, upperNumber): (UInt8, UInt16) = (0, none)

  private static var none: UInt16 { @_noLocks get { 0x3FFF } }

  /// Nothing chosen.
  @_noLocks init() {}

  /// Controllers 98 to 101 choose, 99 and 101 the upper half. 127 twice is nothing.
  @_noLocks
  mutating func choose(_ controller: UInt8, _ half: UInt8) {
    isRegistered = controller >= 100
    lower = 0
    switch controller {
    case 98: makers.low = half
    case 99: makers.high = half
    case 100: registered.low = half
    default: registered.high = half
    }
  }

  /// Nothing is chosen any more.
  @_noLocks
  mutating func chooseNothing() { self = ParameterChoice() }

  /// Data entry by controller 6, 38, 96 or 97; nil where no parameter is chosen.
  @_noLocks
  mutating func enter(_ controller: UInt8, _ half: UInt8) -> ParameterEntry? {
    let chosen = isRegistered ? registered : makers
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
