import Synth

/// State that messages on a channel of a source leave for later ones.
struct ChannelMemory {
  /// Halves of controllers.
  var halves = ControllerHalves()
  /// The parameter that data entry is for.
  var choice = ParameterChoice()
  /// The values of the registered parameters.
  var parameters = ParameterNumbers()
  /// Controllers 0 and 32: the bank of the next program, 0…127 each.
  var (bankHigh, bankLow): (UInt8, UInt8) = (0, 0)
  /// Whether the bank has only drums.
  var choosesDrums: Bool {
    @_noLocks get { Int(bankHigh) == Limits.rhythmBank || Int(bankHigh) == Limits.olderRhythmBank }
  }
  /// Controller 88: seven more bits for the velocity of the next note.
  private var prefix: UInt8?

  @_noLocks init() {}

  /// Reads a controller received at a time in nanoseconds. Returns the message that it completes.
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

  /// The next note is as hard as its velocity and these seven bits below it.
  @_noLocks
  mutating func refineNext(_ low: UInt8) { prefix = low }

  /// The velocity of a note, with what has come for it.
  @_noLocks
  mutating func velocity(_ value: MIDIValue) -> MIDIValue {
    guard let low = prefix else { return value }
    prefix = nil
    return MIDIValue(UInt32(value.sevenBits) << 7 | UInt32(low), bits: 14)
  }

  /// Controller 121: no parameter is chosen, and wheels and pedals have no halves.
  @_noLocks
  mutating func reset() {
    choice.chooseNothing()
    halves.reset()
  }
}
