/// A pad or button of a controller: which message it sends, which address it is for, and which light each state has.
public struct Pad: Hashable, Sendable {
  /// The action of a press at the address.
  public enum Action: Hashable, Sendable {
    /// Sends 1, and 0 when the pad is released.
    case press
    /// Sets a value.
    case set(Double)
    /// Sets a value, or 0 if the value is not 0.
    case toggle(Double)
    /// Sets a value while the pad is down, and then restores the value from before.
    case hold(Double)
  }

  /// The states of a light; the raw value is their word in a pad map.
  public enum State: String, CaseIterable, Sendable {
    /// The pad's target is chosen, or is played now.
    case current
    /// The pad's target is not empty, and not chosen.
    case filled
    /// The pad's target is empty.
    case empty
    /// The address has no state.
    case plain
    /// The pad is down.
    case down
  }

  /// A light as the device takes it: the value of the message, and its MIDI channel 0…15.
  public struct Light: Hashable, Sendable {
    /// Velocity or controller value 0…127, which means a colour.
    public let value: UInt8
    /// MIDI channel 0…15, which means how bright or whether it flashes.
    public let channel: UInt8

    /// A light.
    public init(_ value: UInt8, channel: UInt8 = 0) { (self.value, self.channel) = (value, channel) }

    /// No light.
    public static let off = Light(0)
  }

  /// Note or controller.
  public let kind: Binding.Kind
  /// The note or the controller, 0…127.
  public let number: UInt16
  /// The MIDI channel that it sends on, 0…15; nil for any.
  public let channel: UInt8?
  /// The address that it is for. Whether it exists is not checked here.
  public let address: String
  /// The action of a press.
  public let action: Action
  /// The lights of its states.
  public let lights: [State: Light]
  /// The line of the file, from 1.
  public let line: Int

  /// The light of a state: a state that the file does not name has none.
  public func light(_ state: State) -> Light { lights[state] ?? .off }

  /// Whether a movement is one of this pad.
  public func isMoved(by movement: Movement) -> Bool {
    kind == movement.kind && number == movement.number && (channel == nil || channel == movement.channel)
  }

  /// Whether a binding is for this pad.
  public func isBound(by binding: Binding) -> Bool {
    kind == binding.kind && number == binding.number
      && (channel == nil || binding.channel == nil || channel == binding.channel)
  }
}
