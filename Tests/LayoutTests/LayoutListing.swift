import Foundation
import Layout

extension LayoutNode {
  /// The name of the grid of names that its script tells what was touched; nil without such a script.
  var grid: String? {
    guard case .text(let script)? = properties["script"],
      let start = script.range(of: "root.children['"), let end = script.range(of: "']:notify(")
    else { return nil }
    return String(script[start.upperBound..<end.lowerBound])
  }
}

/// What is on each page of a layout, a line for each control; and after each page how it looks, as one number: places,
/// colours, sizes of text, scripts and whatever else the file says of its controls.
enum LayoutListing {
  static func lines(_ size: Size) -> [String] {
    let root = TouchOSC.root(size, replyPort: 9000)
    var lines: [String] = []
    page(root, "strip", &lines)
    return lines
  }

  /// The controls of a page, and then the pages in it.
  private static func page(_ group: LayoutNode, _ name: String, _ lines: inout [String]) {
    lines.append("# \(name)")
    var looks: UInt64 = 0xCBF2_9CE4_8422_2325
    add(group, to: &looks)
    for node in group.children {
      add(node, to: &looks)
      if ![.pager, .box, .group].contains(node.type) { lines.append(line(node)) }
    }
    lines.append("looks \(String(looks, radix: 16))")
    for grid in group.children where grid.type == .group { page(grid, grid.name, &lines) }
    for pager in group.children where pager.type == .pager {
      for child in pager.children { page(child, child.name, &lines) }
    }
  }

  private static func line(_ node: LayoutNode) -> String {
    var words = [node.type.rawValue.lowercased()]
    if case .text(let text)? = node.values["text"], !text.isEmpty { words.append("\"\(text)\"") }
    for value in ["x", "y"] {
      if case .float(let number)? = node.values[value], number != 0 {
        words.append("\(value)=\(short(number))")
      }
    }
    for property in ["steps", "orientation", "buttonType", "gridSteps"] {
      guard case .int(let number)? = node.properties[property] else { continue }
      // What a new control has is not said.
      let initial = LayoutNode(node.type, "", Frame(0, 0, 0, 0), Color(0, 0, 0)).properties[property]
      if initial != .int(number) { words.append("\(property)=\(number)") }
    }
    if !node.isInteractive && node.type != .label { words.append("untouched") }
    if let grid = node.grid { words.append("\(node.name) tells the \(grid)") }
    return (words + node.messages.map(message)).joined(separator: " ")
  }

  /// As `<>/filter/cutoff(x:float)` for what is sent and received, `>` and `<` for one of both.
  private static func message(_ message: ControlMessage) -> String {
    let arguments = message.arguments.map { argument in
      switch argument {
      case .value(let name, let type, let low, let high):
        name + ":" + type.rawValue.lowercased()
          + (low == 0 && high == 1 ? "" : " \(short(low))…\(short(high))")
      case .constant(let value, let type): "\(value):" + type.rawValue.lowercased()
      }
    }
    // A control sends what it hears at each change of it.
    let triggers = message.triggers.map { value, condition in
      condition == .any && message.receives ? "" : " on \(value) \(condition.rawValue.lowercased())"
    }
    return (message.receives ? "<" : "") + (message.triggers.isEmpty ? "" : ">") + message.address + "("
      + arguments.joined(separator: ", ") + ")" + triggers.joined()
  }

  private static func short(_ number: Double) -> String {
    let text = "\((number * 10_000).rounded() / 10_000)"
    return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
  }

  /// FNV-1a over all that the file says of a control besides its messages.
  private static func add(_ node: LayoutNode, to hash: inout UInt64) {
    var text = "\(node.type) \(node.name)"
    for (key, property) in node.properties.sorted(by: { $0.key < $1.key }) {
      let value =
        switch property {
        case .flag(let flag): "\(flag)"
        case .int(let number): "\(number)"
        case .float(let number): short(number)
        case .text(let text): text
        case .frame(let frame): "\(frame.x) \(frame.y) \(frame.w) \(frame.h)"
        case .color(let color): [color.r, color.g, color.b, color.a].map(short).joined(separator: " ")
        }
      text += "|\(key)=\(value)"
    }
    for (key, value) in node.values.sorted(by: { $0.key < $1.key }) {
      if case .flag(let flag) = value { text += "|\(key)=\(flag)" }
    }
    for byte in text.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
  }
}
