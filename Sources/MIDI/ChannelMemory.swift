import Scenes

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

/// The halves of the 14-bit controllers of one channel: controllers 1 to 31 carry the upper seven bits, those 32
/// higher the lower seven. On a member channel of MPE, controller 106 carries the lower seven bits of 74.
struct ControllerHalves {
  /// The upper halves, 0…127; above 127 if none was received. Controller 74 has index 0.
  private var upper = SIMD32<UInt8>(repeating: .max)
  /// The times when they were received: the lower 32 bits of microseconds.
  private var times = SIMD32<UInt32>(repeating: 0)
  /// The number of times that the lower half has immediately followed the upper half, 0…2.
  private var pairs = SIMD32<UInt8>(repeating: 0)

  /// Microseconds within which a lower half must follow its upper half to form a pair.
  private static var together: UInt32 { @_noLocks get { 10_000 } }
  /// The number of pairs from which two controllers count as the halves of one.
  private static var enough: UInt8 { @_noLocks get { 2 } }

  /// No half was received.
  @_noLocks init() {}

  /// Stores the upper half of a controller, received at a time in nanoseconds. Returns its place in the value.
  @_noLocks
  mutating func keep(_ controller: UInt8, upper half: UInt8, at now: Int64) -> SourceMessage.Context {
    let index = Self.index(controller)
    upper[index] = half & 127
    times[index] = Self.microseconds(now)
    return .upper(isPaired: pairs[index] >= Self.enough)
  }

  /// Joins a lower half, received at a time in nanoseconds, to the upper half of its controller; `.none` if no upper
  /// half was received.
  @_noLocks
  mutating func join(_ controller: UInt8, lower half: UInt8, at now: Int64) -> SourceMessage.Context {
    let index = Self.index(controller)
    let high = upper[index]
    if high > 127 { return .none }
    let isPaired =
      pairs[index] >= Self.enough || Self.microseconds(now) &- times[index] <= Self.together
    if isPaired, pairs[index] < Self.enough { pairs[index] &+= 1 }
    return .lower(whole: MIDIValue(UInt32(high) << 7 | UInt32(half & 127), bits: 14), isPaired: isPaired)
  }

  /// Controller 121: forgets the upper halves of all controllers that it resets.
  @_noLocks
  mutating func reset() { (upper[1], upper[2], upper[4], upper[11]) = (.max, .max, .max, .max) }

  @_noLocks
  private static func index(_ controller: UInt8) -> Int { controller == 74 ? 0 : Int(controller & 31) }

  @_noLocks
  private static func microseconds(_ nanoseconds: Int64) -> UInt32 {
    UInt32(truncatingIfNeeded: nanoseconds / 1000)
  }
}
