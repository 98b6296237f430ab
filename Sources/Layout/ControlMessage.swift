/// An OSC message of a control: sent when one of its values changes, and setting its value when received.
public struct ControlMessage: Sendable {
  /// The change of a value at which the control sends.
  public enum Condition: String, Sendable {
    case any = "ANY"
    case rise = "RISE"
    case fall = "FALL"
  }

  /// The OSC type of an argument.
  public enum Conversion: String, Sendable {
    case float = "FLOAT"
    case int = "INTEGER"
    case string = "STRING"
    case bool = "BOOLEAN"
  }

  /// One argument.
  public enum Partial: Sendable {
    /// A value of the control, by name, scaled from 0…1 to `low`…`high`.
    case value(String, Conversion, low: Double = 0, high: Double = 1)
    /// A constant.
    case constant(String, Conversion)
  }

  public let address: String
  public let arguments: [Partial]
  /// The changes that send the message; empty for a message that is only received.
  public let triggers: [(value: String, condition: Condition)]
  public let receives: Bool

  /// A message that is sent at each change of a value, and received.
  static func both(_ address: String, _ argument: Partial) -> ControlMessage {
    guard case .value(let name, _, _, _) = argument else { return .send(address, [argument], on: ["x"]) }
    return ControlMessage(address: address, arguments: [argument], triggers: [(name, .any)], receives: true)
  }

  /// A message that is only sent.
  static func send(
    _ address: String, _ arguments: [Partial], on values: [String], _ condition: Condition = .any
  ) -> ControlMessage {
    ControlMessage(
      address: address, arguments: arguments, triggers: values.map { ($0, condition) }, receives: false)
  }

  /// A message that is only received.
  static func receive(_ address: String, _ argument: Partial) -> ControlMessage {
    ControlMessage(address: address, arguments: [argument], triggers: [], receives: true)
  }
}
