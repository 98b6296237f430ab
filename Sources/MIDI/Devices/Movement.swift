/// A control of a device has been moved.
public struct Movement: Equatable, Sendable {
  /// Whose it is.
  public var source: UInt8
  /// MIDI channel 0…15.
  public var channel: UInt8
  /// Which message it came in, and with what number: the upper one of two halves.
  public var kind: Binding.Kind
  public var number: UInt16
  /// Where it is. A note that is let go is at 0, a program always at its end.
  public var value: MIDIValue
  /// The value has come in two halves.
  public var isFine = false
  /// It is the upper half of a value whose lower one will follow.
  public var isCoarse = false

  /// A movement.
  public init(
    source: UInt8, channel: UInt8 = 0, _ kind: Binding.Kind, _ number: UInt16 = 0, _ value: MIDIValue
  ) {
    (self.source, self.channel, self.kind, self.number, self.value) = (source, channel, kind, number, value)
  }
}

/// Finds movements in messages: it puts halves together and knows which parameter of the maker's is meant. Times are the
/// caller's, nanoseconds.
public struct MovementReader: Sendable {
  private struct Half {
    var value: UInt8
    var at: Int64
    /// How often the lower one has followed.
    var followed: UInt8 = 0
  }
  private struct Parameter {
    var (high, low): (UInt8, UInt8) = (127, 127)
    var isMakers = false
    var data: UInt8 = 0
  }
  private var halves: [UInt32: Half] = [:]
  private var parameters: [UInt32: Parameter] = [:]

  /// So soon the lower half follows where two controllers are one.
  private static let together: Int64 = 10_000_000

  /// Nothing has come.
  public init() {}

  /// A source has gone.
  public mutating func forget(_ source: UInt8) {
    halves = halves.filter { $0.key >> 16 != UInt32(source) }
    parameters = parameters.filter { $0.key >> 16 != UInt32(source) }
  }

  /// The movement in a message; nil for one that is none: banks, choices of parameters, modes, registered parameters.
  public mutating func read(_ message: ChannelMessage, source: UInt8, at now: Int64) -> Movement? {
    var movement = Movement(source: source, channel: message.channel, .controller, 0, MIDIValue(raw: 0))
    switch message.message {
    case .noteOn(let note, let velocity): (movement.number, movement.value) = (UInt16(note), velocity)
    case .noteOff(let note, _): movement.number = UInt16(note)
    case .notePressure(let note, let value): (movement.number, movement.value) = (UInt16(note), value)
    case .pressure(let value), .bend(let value): movement.value = value
    case .program(let number, _): (movement.number, movement.value) = (UInt16(number), MIDIValue(raw: .max))
    case .pair(let number, let value):
      guard (1..<32).contains(number) else { return nil }
      (movement.number, movement.value, movement.isFine) = (UInt16(number), value, true)
    case .parameter(let number, let isRegistered, let value):
      if isRegistered { return nil }
      (movement.kind, movement.number, movement.value, movement.isFine) = (.parameter, number, value, true)
    case .controller(let number, let value): return turn(number, value, movement, now)
    case .parameterStep, .strokePitch, .noteBend, .noteController, .noteManagement, .reset: return nil
    }
    switch message.message {
    case .noteOn, .noteOff: movement.kind = .note
    case .notePressure: movement.kind = .keyPressure
    case .pressure: movement.kind = .pressure
    case .bend: movement.kind = .bend
    case .program: movement.kind = .program
    default: break
    }
    return movement
  }

  private mutating func turn(_ number: UInt8, _ value: MIDIValue, _ given: Movement, _ now: Int64)
    -> Movement?
  {
    var movement = given
    let channel = UInt32(given.source) << 16 | UInt32(given.channel) << 8
    (movement.number, movement.value) = (UInt16(number), value)
    switch number {
    case 0, 32, 96, 97, 120...127: return nil
    case 98...101:
      var parameter = parameters[channel] ?? Parameter()
      parameter.isMakers = number < 100
      if number == 98 { parameter.low = value.sevenBits }
      if number == 99 { parameter.high = value.sevenBits }
      parameters[channel] = parameter
      return nil
    case 6, 38:
      guard var parameter = parameters[channel], parameter.isMakers,
        (parameter.high, parameter.low) != (127, 127)
      else { return nil }
      movement.kind = .parameter
      movement.number = UInt16(parameter.high) << 7 | UInt16(parameter.low)
      if number == 6 {
        parameter.data = value.sevenBits
      } else {
        movement.value = MIDIValue(UInt32(parameter.data) << 7 | UInt32(value.sevenBits), bits: 14)
        movement.isFine = true
      }
      parameters[channel] = parameter
    case 1..<32:
      let key = channel | UInt32(number)
      let followed = halves[key]?.followed ?? 0
      halves[key] = Half(value: value.sevenBits, at: now, followed: followed)
      movement.isCoarse = followed > 1
    case 33..<64:
      let key = channel | UInt32(number - 32)
      guard var half = halves[key], half.followed > 1 || now - half.at <= Self.together else { break }
      if half.followed < 2 { half.followed += 1 }
      halves[key] = half
      movement.number = UInt16(number - 32)
      movement.value = MIDIValue(UInt32(half.value) << 7 | UInt32(value.sevenBits), bits: 14)
      movement.isFine = true
    default: break
    }
    return movement
  }
}
