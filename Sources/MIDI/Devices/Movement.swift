/// The movement of a control of a device.
public struct Movement: Equatable, Sendable {
  /// The source of the device that sent it.
  public var source: UInt8
  /// MIDI channel 0…15.
  public var channel: UInt8
  /// The kind of its message.
  public var kind: Binding.Kind
  /// The number of its message; of a 14-bit controller, that of the upper half.
  public var number: UInt16
  /// The position of the control: 0 for a released note, the maximum for a program.
  public var value: MIDIValue
  /// Whether the value has two halves.
  public var isFine = false
  /// Whether it is the upper half of a value whose lower half will follow.
  public var isCoarse = false

  /// A movement.
  public init(
    source: UInt8, channel: UInt8 = 0, _ kind: Binding.Kind, _ number: UInt16 = 0, _ value: MIDIValue
  ) {
    (self.source, self.channel, self.kind, self.number, self.value) = (source, channel, kind, number, value)
  }
}

extension SourceMessage {
  /// The movement of a control that the message reports; nil for messages that are no control: banks, parameter
  /// numbers, modes, registered parameters.
  public var movement: Movement? {
    switch message {
    case .noteOn(let note, let velocity): moved(.note, UInt16(note), velocity)
    case .noteOff(let note, _): moved(.note, UInt16(note), MIDIValue(raw: 0))
    case .notePressure(let note, let value): moved(.keyPressure, UInt16(note), value)
    case .pressure(let value): moved(.pressure, 0, value)
    case .bend(let value): moved(.bend, 0, value)
    case .program(let number, _): moved(.program, UInt16(number), MIDIValue(raw: .max))
    case .pair(let number, let value):
      (1..<32).contains(number) ? moved(.controller, UInt16(number), value, isFine: true) : nil
    case .parameter(let number, let isRegistered, let value):
      isRegistered ? nil : moved(.parameter, number, value, isFine: true)
    case .controller(let number, let value): moved(controller: number, value)
    case .parameterStep, .noteOnPitch, .noteBend, .noteController, .noteManagement, .reset: nil
    }
  }

  private func moved(
    _ kind: Binding.Kind, _ number: UInt16, _ value: MIDIValue, isFine: Bool = false, isCoarse: Bool = false
  ) -> Movement {
    var movement = Movement(source: source, channel: channel, kind, number, value)
    (movement.isFine, movement.isCoarse) = (isFine, isCoarse)
    return movement
  }

  private func moved(controller number: UInt8, _ value: MIDIValue) -> Movement? {
    switch (number, context) {
    case (6, .entry(let entry)), (38, .entry(let entry)): entry.isRegistered ? nil : moved(entry, value)
    case (0, _), (6, _), (32, _), (38, _), (96...101, _), (120..., _): nil
    case (33..<64, .lower(let whole, isPaired: true)):
      moved(.controller, UInt16(number - 32), whole, isFine: true)
    case (1..<32, .upper(isPaired: true)): moved(.controller, UInt16(number), value, isCoarse: true)
    default: moved(.controller, UInt16(number), value)
    }
  }

  /// The movement of an NRPN by data entry.
  private func moved(_ entry: ParameterEntry, _ value: MIDIValue) -> Movement? {
    switch entry.change {
    case .upper: moved(.parameter, entry.number, value)
    case .lower(let low, let high):
      moved(
        .parameter, entry.number, MIDIValue(UInt32(high) << 7 | UInt32(low), bits: 14), isFine: true)
    case .step: nil
    }
  }
}
