// The properties that TouchOSC's editor gives a new control of each type, in the written file version. TouchOSC has no
// defaults: a property that is missing in the file is undefined.

extension LayoutNode.ControlType {
  /// The properties of a new control, without name, frame and colour.
  var properties: [String: LayoutNode.Property] { Self.properties[self] ?? [:] }

  private static let properties = Dictionary(
    uniqueKeysWithValues: allCases.map { type in (type, common.merging(type.own) { _, own in own }) })

  /// The values of a new control.
  var values: [String: LayoutNode.InitialValue] {
    switch self {
    case .box, .group: ["touch": .flag(false)]
    case .button, .fader, .radio: ["touch": .flag(false), "x": .float(0)]
    case .xy: ["touch": .flag(false), "x": .float(0), "y": .float(0)]
    case .label: ["touch": .flag(false), "text": .text("")]
    case .pager: ["touch": .flag(false), "page": .float(0)]
    }
  }

  private static var common: [String: LayoutNode.Property] {
    [
      "background": .flag(true), "cornerRadius": .float(4), "grabFocus": .flag(true),
      "interactive": .flag(true), "locked": .flag(false), "orientation": .int(0), "outline": .flag(true),
      "outlineStyle": .int(0), "pointerPriority": .int(0), "shape": .int(1), "visible": .flag(true),
    ]
  }

  private var own: [String: LayoutNode.Property] {
    let motion: [String: LayoutNode.Property] = [
      "cursor": .flag(true), "cursorDisplay": .int(0), "response": .int(0), "responseFactor": .int(100),
    ]
    switch self {
    case .box:
      return ["interactive": .flag(false)]
    case .button:
      return [
        "buttonType": .int(0), "press": .flag(true), "release": .flag(true), "valuePosition": .flag(false),
      ]
    case .label:
      return [
        "background": .flag(false), "font": .int(0), "interactive": .flag(false), "outline": .flag(false),
        "textAlignH": .int(2), "textAlignV": .int(2), "textClip": .flag(true), "textColor": .color(.white),
        "textLength": .int(0), "textSize": .int(14),
      ]
    case .fader:
      return motion.merging([
        "bar": .flag(true), "barDisplay": .int(0), "grid": .flag(false), "gridSteps": .int(10),
      ]) { _, own in own }
    case .xy:
      return motion.merging([
        "gridStepsX": .int(10), "gridStepsY": .int(10), "gridX": .flag(true),
        "gridY": .flag(true), "lines": .flag(true), "linesDisplay": .int(0), "lockX": .flag(false),
        "lockY": .flag(false),
      ]) { _, own in own }
    case .radio:
      return ["orientation": .int(1), "radioType": .int(0), "steps": .int(5)]
    case .group:
      return ["grabFocus": .flag(false), "interactive": .flag(false), "outline": .flag(false)]
    case .pager:
      return [
        "grabFocus": .flag(false), "outline": .flag(false), "tabLabels": .flag(true), "tabbar": .flag(true),
        "tabbarDoubleTap": .flag(false), "tabbarSize": .int(40), "textSizeOff": .int(14),
        "textSizeOn": .int(14),
      ]
    }
  }
}
