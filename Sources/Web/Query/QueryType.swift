import Parameters
import Surface

/// The type of a node for OSCQuery: a choice is a string, a switch is true or false, and a button is an impulse.
struct QueryType {
  private let node: Node
  private let kind: Kind?

  init(_ node: Node) {
    self.node = node
    kind = node.row.map { Table.rows[$0].kind }
  }

  private var isSwitch: Bool {
    if case .toggle? = kind { return true }
    return false
  }

  private var choices: [String] {
    // Names may have been learned since the tree was made.
    if case .names? = kind { return kind?.names ?? [] }
    return node.arguments.first?.choices ?? []
  }

  /// Whether its value is one of several names.
  var isMenu: Bool { !choices.isEmpty }

  /// Whether it is a button, which acts on a press.
  private var isImpulse: Bool { node.isTrigger && node.arguments.first?.tag == .int }

  /// Its type tags.
  var tags: String {
    if isMenu { return "s" }
    if isSwitch { return "T" }
    if isImpulse || node.arguments.isEmpty { return "I" }
    let needed = node.arguments.filter { !$0.isOptional }
    return String((needed.isEmpty ? Array(node.arguments.prefix(1)) : needed).map(\.tag.rawValue))
  }

  var hasRange: Bool {
    !isSwitch && tags != "I"
      && (isMenu || node.path == "/preset/load" || node.arguments.contains { $0.range != nil })
  }

  /// Writes the range of each argument.
  /// - Parameter names: The texts that the node accepts; nil to write the range of its type.
  func writeRange(names: [String]?, to json: inout JSONWriter) {
    json.beginList()
    if isMenu || names != nil {
      json.beginObject()
      json.name("VALS")
      json.beginList()
      for choice in names ?? choices { json.value(choice) }
      json.endList()
      json.endObject()
    } else {
      for argument in node.arguments.prefix(tags.count) {
        guard let range = argument.range else {
          json.null()
          continue
        }
        json.beginObject()
        write(range, argument.tag, to: &json)
        json.endObject()
      }
    }
    json.endList()
  }

  /// Writes the other type that a choice accepts: its number.
  func writeOverload(to json: inout JSONWriter) {
    json.beginList()
    json.beginObject()
    json.name("TYPE")
    json.value("i")
    json.name("RANGE")
    json.beginList()
    json.beginObject()
    write(0...Double(choices.count - 1), .int, to: &json)
    json.endObject()
    json.endList()
    json.endObject()
    json.endList()
  }

  private func write(_ range: ClosedRange<Double>, _ tag: ArgumentType.Tag, to json: inout JSONWriter) {
    json.name("MIN")
    tag == .int ? json.value(Int(clamping: range.lowerBound)) : json.value(range.lowerBound)
    json.name("MAX")
    tag == .int ? json.value(Int(clamping: range.upperBound)) : json.value(range.upperBound)
  }

  /// A value as this type.
  func value(_ value: OSCValue) -> OSCValue {
    switch value {
    case .int(let index) where choices.indices.contains(index): .string(choices[index])
    case .float(let number) where isSwitch: .truth(number != 0)
    default: value
    }
  }

  /// Writes a value as this type.
  func write(_ value: OSCValue, to json: inout JSONWriter) {
    switch self.value(value) {
    case .float(let number): json.value(number)
    case .int(let number): json.value(number)
    case .string(let text): json.value(text)
    case .truth(let isTrue): json.value(isTrue)
    }
  }
}
