import Parameters
import Surface

/// The type of a node for OSCQuery: a choice is a string, a switch is true or false, and a button is an impulse.
struct QueryType {
  /// Its arguments, of messages to it and from it.
  let arguments: [ArgumentType]
  /// Its type tags.
  let tags: String
  /// Whether it takes the name of a preset.
  let takesPreset: Bool
  private let isSwitch: Bool
  private let choices: [String]

  init(_ node: Node) {
    let kind = node.row.map { Table.rows[$0].kind }
    arguments = node.arguments
    if case .toggle? = kind { isSwitch = true } else { isSwitch = false }
    // Names may have been learned since the tree was made.
    if case .names? = kind { choices = kind?.names ?? [] } else { choices = arguments.first?.choices ?? [] }
    takesPreset = kind == nil && node.path == "/preset/load"
    if !choices.isEmpty {
      tags = "s"
    } else if isSwitch {
      tags = "T"
    } else if arguments.isEmpty || node.isTrigger && arguments.first?.tag == .int {
      // A button, which acts on a press.
      tags = "I"
    } else {
      let needed = arguments.filter { !$0.isOptional }
      tags = String((needed.isEmpty ? Array(arguments.prefix(1)) : needed).map(\.tag.rawValue))
    }
  }

  /// Whether its value is one of several names.
  var isMenu: Bool { !choices.isEmpty }

  /// Whether it has a range other than the names of presets. A node with a text and a range of a number beside it has
  /// none, because Chataigne does not show it then.
  var hasRange: Bool {
    if isSwitch || tags == "I" { return false }
    return isMenu || !tags.contains("s") && arguments.contains { $0.range != nil }
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
      for argument in arguments.prefix(tags.count) {
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
