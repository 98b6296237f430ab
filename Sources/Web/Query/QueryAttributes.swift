import Control
import Layout
import Parameters
import Scenes
import Surface
import System

/// The attributes of the tree's nodes, as OSCQuery names them. Control thread only.
struct QueryAttributes {
  let surface: ControlSurface
  let version: String

  /// The attributes that a node may have.
  static let names = [
    "FULL_PATH", "ACCESS", "TYPE", "VALUE", "RANGE", "DESCRIPTION", "UNIT", "CLIPMODE", "OVERLOADS", "KNOB",
  ]

  /// Writes the attributes of a branch, without its contents.
  func write(_ branch: QueryBranch, ofPage: Bool, to json: inout JSONWriter) {
    json.name("FULL_PATH")
    json.value(branch.path)
    if ofPage, branch.path == "/" { writePage(to: &json) }
    guard branch.isValue, let target = branch.target else {
      json.name("ACCESS")
      json.value(Node.Access.none.rawValue)
      return
    }
    let node = surface.tree[target]
    let type = QueryType(node)
    for name in Self.names.dropFirst() { write(name, target, node, type, to: &json) }
  }

  /// Whether a node can be read.
  func isReadable(_ target: NodeAddress) -> Bool { surface.value(at: target) != nil }

  private func has(_ name: String, _ node: Node, _ type: QueryType) -> Bool {
    switch name {
    case "VALUE": node.access != .none
    case "RANGE": type.hasRange || type.takesPreset && listsPresets
    case "UNIT": type.arguments.first?.unit.flatMap(Self.unit) != nil
    case "CLIPMODE": node.row != nil && !type.isMenu
    case "OVERLOADS": type.isMenu
    case "KNOB": node.row != nil
    default: true
    }
  }

  /// Writes an attribute of a node with its name, if the node has it.
  func write(_ name: String, _ target: NodeAddress, to json: inout JSONWriter) {
    let node = surface.tree[target]
    write(name, target, node, QueryType(node), to: &json)
  }

  private func write(
    _ name: String, _ target: NodeAddress, _ node: Node, _ type: QueryType, to json: inout JSONWriter
  ) {
    guard has(name, node, type) else { return }
    json.name(name)
    switch name {
    case "FULL_PATH": json.value(surface.tree.text(target))
    case "ACCESS": json.value(node.access == .none ? Node.Access.write.rawValue : node.access.rawValue)
    case "TYPE": json.value(type.tags)
    case "VALUE":
      json.beginList()
      if let value = surface.value(at: target) {
        type.write(value, to: &json)
      } else {
        // Some clients want a value of every node.
        for _ in type.tags { json.null() }
      }
      json.endList()
    case "RANGE":
      type.writeRange(names: type.takesPreset ? surface.instrument.presets.names : nil, to: &json)
    case "DESCRIPTION": json.value(title(target))
    case "UNIT":
      json.beginList()
      json.value(type.arguments.first?.unit.flatMap(Self.unit) ?? "")
      json.endList()
    case "CLIPMODE":
      json.beginList()
      json.value("both")
      json.endList()
    case "OVERLOADS": type.writeOverload(to: &json)
    case "KNOB": if let row = node.row { write(Table.rows[row], to: &json) }
    default: json.null()
    }
  }

  /// The most presets whose names are a range: of more, no program makes a menu, and a round must not wait for them.
  static let mostPresets = 1_024

  private var listsPresets: Bool { surface.instrument.library.count <= Self.mostPresets }

  private func title(_ target: NodeAddress) -> String {
    let node = surface.tree[target]
    if let row = node.row { return Table.rows[row].title }
    let word = surface.tree.text(target).split(separator: "/").last ?? ""
    return word.prefix(1).uppercased() + word.dropFirst()
  }

  /// The name of a unit in OSCQuery; nil for units that it does not have.
  private static func unit(_ unit: Parameters.Unit) -> String? {
    switch unit {
    case .hertz: "time.hz"
    case .seconds: "time.second"
    case .decibels: "gain.db"
    case .cents: "time.cents"
    case .beats: "time.bpm"
    case .semitones, .octaves, .key, .percent, .plain: nil
    }
  }

  // MARK: - For pipit's page

  /// Whether a branch is a knob or leads to one.
  func leadsToKnob(_ branch: QueryBranch) -> Bool {
    if branch.isValue { return branch.target.map { surface.tree[$0].row != nil } ?? false }
    return branch.children.contains { leadsToKnob($0) }
  }

  private func write(_ row: Parameter, to json: inout JSONWriter) {
    json.beginObject()
    json.name("about")
    json.value(row.about)
    if let controller = row.controller {
      json.name("cc")
      json.value(Int(controller))
    }
    if let unit = row.kind.unit {
      json.name("unit")
      json.value(unit.rawValue)
      json.name("low")
      json.value(row.kind.number(value: row.kind.range.lowerBound))
      json.name("high")
      json.value(row.kind.number(value: row.kind.range.upperBound))
      json.name("curve")
      json.value(row.kind.curve)
    }
    if case .steps = row.kind {
      json.name("step")
      json.value(1.0)
    }
    json.name("initial")
    switch row.kind {
    case .choice, .names: json.value(row.kind.text(value: row.initial))
    case .toggle: json.value(row.initial != 0)
    default: json.value(row.kind.number(value: row.initial))
    }
    json.endObject()
  }

  private func writePage(to json: inout JSONWriter) {
    json.name("VERSION")
    json.value(version)
    json.name("NAME")
    json.value(hostName())
    json.name("SECTIONS")
    json.beginList()
    for section in PanelSection.all { write(section, to: &json) }
    json.endList()
    json.name("MATRIX")
    json.beginObject()
    json.name("SLOTS")
    json.value(PanelMatrix.slots)
    json.name("SOURCES")
    json.beginObject()
    for name in ModulationSource.names.dropFirst() {
      json.name(name)
      json.value(PanelMatrix.hue(ofSource: name))
    }
    json.endObject()
    json.name("TARGETS")
    json.beginObject()
    for name in ModulationTarget.names.dropFirst() {
      guard let address = PanelMatrix.address(ofTarget: name) else { continue }
      json.name(name)
      json.value(address)
    }
    json.endObject()
    json.endObject()
  }

  private func write(_ section: PanelSection, to json: inout JSONWriter) {
    json.beginObject()
    for (name, text) in [
      ("ID", section.id), ("TITLE", section.title), ("HUE", section.hue), ("PAGE", section.page.rawValue),
      ("PICTURE", section.picture?.rawValue), ("SWITCH", section.switch),
    ] {
      guard let text else { continue }
      json.name(name)
      json.value(text)
    }
    json.name("SPAN")
    json.beginList()
    json.value(section.span.width)
    json.value(section.span.height)
    json.endList()
    json.name("RANKS")
    json.beginList()
    for rank in section.ranks {
      json.beginList()
      for address in rank { json.value(address) }
      json.endList()
    }
    json.endList()
    json.endObject()
  }
}

extension Kind {
  /// The curve from a normalized position to the number, as the page names it.
  fileprivate var curve: String {
    switch self {
    case .exponential: "exponential"
    case .cubic: "cubic"
    case .linear, .steps, .choice, .names, .toggle: "linear"
    }
  }
}
