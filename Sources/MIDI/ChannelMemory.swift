/// What the messages on a channel of a source leave for later ones.
struct ChannelMemory {
  /// Controllers 0 and 32: the bank of the next program, 0…127 each.
  var (bankHigh, bankLow): (UInt8, UInt8) = (0, 0)
  var parameters = ParameterNumbers()
  /// The upper halves of controllers 1 to 31, 0…127; more where none has come. On a member channel of MPE, which has no
  /// pan, that of controller 74 is in the place of 10.
  private var halves = SIMD32<UInt8>(repeating: 255)

  /// Controller 88: seven more bits for the velocity of the next note.
  private var prefix: UInt8?

  @_noLocks init() {}

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

  /// A controller of 0…31 has come: the half of its value that one 32 above it may refine.
  @_noLocks
  mutating func keep(_ controller: UInt8, _ value: MIDIValue) {
    halves[Int(controller & 31)] = value.sevenBits
  }

  /// The whole value of a controller of 0…31 whose lower half has come; nil where its upper one has not.
  @_noLocks
  func whole(_ controller: UInt8, _ low: UInt8) -> MIDIValue? {
    let high = halves[Int(controller & 31)]
    return high > 127 ? nil : MIDIValue(UInt32(high) << 7 | UInt32(low), bits: 14)
  }

  /// Controller 121: no parameter is chosen, and wheels and pedals have no halves.
  @_noLocks
  mutating func reset() {
    parameters.chooseNothing()
    (halves[1], halves[2], halves[4], halves[11]) = (255, 255, 255, 255)
  }
}
