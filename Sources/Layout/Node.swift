/// One control of a layout, as TouchOSC keeps it.
public struct Node: Sendable {
  /// What it is; the names are those of the file.
  public enum Kind: String, Sendable {
    case box = "BOX"
    case button = "BUTTON"
    case label = "LABEL"
    case fader = "FADER"
    case xy = "XY"
    case radio = "RADIO"
    case group = "GROUP"
    case pager = "PAGER"
  }

  /// A property's value, which the file keeps with its type.
  public enum Property: Equatable, Sendable {
    case flag(Bool)
    case int(Int)
    case float(Double)
    case text(String)
    case frame(Frame)
    case color(Color)
  }

  /// A value that changes while it is played, and what it is at the start.
  public enum Value: Equatable, Sendable {
    case flag(Bool)
    case float(Double)
    case text(String)
  }

  /// What it is.
  public let kind: Kind
  /// What the editor calls it; here the address where there is one.
  public let name: String
  /// Looks and behaviour, by the names of the file.
  public var properties: [String: Property]
  /// What changes, by the names of the file.
  public var values: [String: Value]
  /// What it sends and what it hears.
  public var messages: [Message] = []
  /// What lies in it.
  public var children: [Node] = []

  /// A control with everything as the editor makes it, at a place.
  public init(_ kind: Kind, _ name: String, _ frame: Frame, _ color: Color) {
    self.kind = kind
    self.name = name
    properties = kind.properties
    values = kind.values
    properties["name"] = .text(name)
    properties["frame"] = .frame(frame)
    properties["color"] = .color(color)
  }

  /// The place in its parent.
  public var frame: Frame {
    if case .frame(let frame)? = properties["frame"] { return frame }
    return Frame(0, 0, 0, 0)
  }

  /// Whether it takes touches.
  public var isInteractive: Bool { properties["interactive"] == .flag(true) }

  /// The control and everything in it.
  public var all: [Node] { [self] + children.flatMap(\.all) }

  subscript(property: String) -> Property? {
    get { properties[property] }
    set { properties[property] = newValue }
  }
}

/// What a control sends when it is moved, and hears when something else has moved it.
public struct Message: Sendable {
  /// When a value of the control makes it send.
  public enum Edge: String, Sendable {
    case any = "ANY"
    case rise = "RISE"
    case fall = "FALL"
  }

  /// The type that goes over the wire.
  public enum Wire: String, Sendable {
    case float = "FLOAT"
    case int = "INTEGER"
    case string = "STRING"
    case bool = "BOOLEAN"
  }

  /// One argument.
  public enum Argument: Sendable {
    /// A value of the control; its 0…1 becomes `low`…`high`.
    case value(String, Wire, low: Double = 0, high: Double = 1)
    /// Always the same.
    case constant(String, Wire)
  }

  /// The whole address.
  public let address: String
  /// What goes with it.
  public let arguments: [Argument]
  /// What makes it send; nothing for what only hears.
  public let triggers: [(value: String, edge: Edge)]
  /// Whether it hears.
  public let receives: Bool

  /// Sends at each change, and hears.
  static func both(_ address: String, _ argument: Argument) -> Message {
    guard case .value(let name, _, _, _) = argument else { return .send(address, [argument], on: ["x"]) }
    return Message(address: address, arguments: [argument], triggers: [(name, .any)], receives: true)
  }

  /// Only sends.
  static func send(
    _ address: String, _ arguments: [Argument], on values: [String], _ edge: Edge = .any
  ) -> Message {
    Message(
      address: address, arguments: arguments, triggers: values.map { ($0, edge) }, receives: false)
  }

  /// Only hears.
  static func hear(_ address: String, _ argument: Argument) -> Message {
    Message(address: address, arguments: [argument], triggers: [], receives: true)
  }
}
