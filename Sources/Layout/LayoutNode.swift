/// A control of a layout, or a group of controls, as stored in the TouchOSC file.
public struct LayoutNode: Sendable {
  /// The file's `type`.
  public enum ControlType: String, CaseIterable, Sendable {
    case box = "BOX"
    case button = "BUTTON"
    case label = "LABEL"
    case fader = "FADER"
    case xy = "XY"
    case radio = "RADIO"
    case group = "GROUP"
    case pager = "PAGER"
  }

  /// A property, which the file stores together with its type.
  public enum Property: Equatable, Sendable {
    case flag(Bool)
    case int(Int)
    case float(Double)
    case text(String)
    case frame(Frame)
    case color(Color)
  }

  /// The initial state of a value (`x`, `touch`, `text`).
  public enum InitialValue: Equatable, Sendable {
    case flag(Bool)
    case float(Double)
    case text(String)
  }

  public let type: ControlType
  /// The name in TouchOSC's editor: the address if it has one.
  public let name: String
  /// Appearance and behaviour, by their names in the file.
  public var properties: [String: Property] { type.properties.merging(own) { _, own in own } }
  /// The properties in which it differs from a new control of its type: copies of the others would be most of a
  /// layout's memory.
  private var own: [String: Property]
  /// The values that change in use, by their names in the file.
  public var values: [String: InitialValue]
  /// The OSC messages that it sends and receives.
  public var messages: [ControlMessage] = []
  public var children: [LayoutNode] = []
  /// Whether it looks the same in every theme, as a piano key does.
  var keepsColors = false

  /// A control with the properties that the editor gives a new one.
  public init(_ type: ControlType, _ name: String, _ frame: Frame, _ color: Color) {
    self.type = type
    self.name = name
    own = ["name": .text(name), "frame": .frame(frame), "color": .color(color)]
    values = type.values
  }

  /// Its frame, relative to the parent.
  public var frame: Frame {
    if case .frame(let frame)? = self["frame"] { return frame }
    return Frame(0, 0, 0, 0)
  }

  /// Whether it responds to touches.
  public var isInteractive: Bool { self["interactive"] == .flag(true) }

  /// This node and all below it.
  public var all: [LayoutNode] { [self] + children.flatMap(\.all) }

  subscript(property: String) -> Property? {
    get { own[property] ?? type.properties[property] }
    set { own[property] = newValue }
  }
}
