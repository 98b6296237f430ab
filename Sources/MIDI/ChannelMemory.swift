import Synth

/// State of a channel of a source that later messages depend on.
struct ChannelMemory {
  /// The received halves of 14-bit controllers.
  var halves = ControllerHalves()
  /// The parameter that data entry changes.
  var choice = ParameterChoice()
  /// The values of the registered parameters (RPN).
  var parameters = ParameterNumbers()
  /// Controllers 0 and 32: the bank of the next program, 0…127 each.
  var (bankHigh, bankLow): (UInt8, UInt8) = (0, 0)
  /// Whether the bank has only drums.
  var choosesDrums: Bool {
    @_noLocks get { Int(bankHigh) == Limits.rhythmBank || Int(bankHigh) == Limits.olderRhythmBank }
  }
  /// Controller 88, the high resolution velocity prefix: the low seven bits of the next note's velocity.
  private var prefix: UInt8?

  @_noLocks init() {}

  /// Reads a controller received at a time in nanoseconds. Returns its place in a value that consists of several
  /// messages.
  @_noLocks
  mutating func read(_ number: UInt8, _ value: MIDIValue, at now: Int64) -> SourceMessage.Context {
    switch number {
    case 6, 38, 96, 97: return choice.enter(number, value.sevenBits).map { .entry($0) } ?? .none
    case 98...101: choice.choose(number, value.sevenBits)
    case 1...31, 74: return halves.keep(number, upper: value.sevenBits, at: now)
    case 33...63, 106: return halves.join(number - 32, lower: value.sevenBits, at: now)
    default: break
    }
    return .none
  }

  /// Stores the low seven bits of the next note's velocity.
  @_noLocks
  mutating func setVelocityPrefix(_ low: UInt8) { prefix = low }

  /// The velocity of a note, with its low seven bits if they were received before it.
  @_noLocks
  mutating func velocity(_ value: MIDIValue) -> MIDIValue {
    guard let low = prefix else { return value }
    prefix = nil
    return MIDIValue(UInt32(value.sevenBits) << 7 | UInt32(low), bits: 14)
  }

  /// Controller 121: deselects the parameter, and forgets the halves of the controllers that it resets.
  @_noLocks
  mutating func reset() {
    choice.chooseNothing()
    halves.reset()
  }
}
