import Parameters

/// What a node takes or sends in one place: the type, the range and the names of OSCQuery, and what it is in words.
public struct ArgumentType: Sendable {
  /// The type as OSC writes it. Every numeric type is taken for the two that are numbers.
  public enum Tag: Character, Sendable {
    case float = "f"
    case int = "i"
    case string = "s"
  }

  /// The type that is sent.
  public let tag: Tag
  /// What it is, as "velocity"; empty where the range says it all.
  public let name: String
  /// The lowest and the highest number; nil for strings, and where every number is taken.
  public let range: ClosedRange<Double>?
  /// The names that may stand for the numbers from 0; empty when there are none.
  public let choices: [String]
  /// It may be left out.
  public let isOptional: Bool
  /// The unit of a knob's number; nil for a fader's 0…1 and everything else.
  public let unit: Parameters.Unit?

  private init(
    _ tag: Tag, _ name: String, _ range: ClosedRange<Double>?, choices: [String] = [], optional: Bool = false,
    unit: Parameters.Unit? = nil
  ) {
    (self.tag, self.name, self.range, self.choices, isOptional) = (tag, name, range, choices, optional)
    self.unit = unit
  }

  static func float(
    _ range: ClosedRange<Double>?, _ name: String = "", unit: Parameters.Unit? = nil
  ) -> ArgumentType {
    ArgumentType(.float, name, range, unit: unit)
  }

  static func int(_ range: ClosedRange<Double>? = nil, _ name: String = "", optional: Bool = false)
    -> ArgumentType
  { ArgumentType(.int, name, range, optional: optional) }

  static func string(_ name: String = "", optional: Bool = false) -> ArgumentType {
    ArgumentType(.string, name, nil, optional: optional)
  }

  static func choice(_ names: [String]) -> ArgumentType {
    ArgumentType(.int, "", 0...Double(names.count - 1), choices: names)
  }

  /// In words, as `velocity 0…1`.
  public var words: String {
    let span = range.map { "\(ArgumentType.number($0.lowerBound))…\(ArgumentType.number($0.upperBound))" }
    let words = [name.isEmpty ? nil : name, span].compactMap { $0 }.joined(separator: " ")
    return words + (isOptional ? ", or none" : "")
  }

  private static func number(_ value: Double) -> String {
    value == value.rounded() ? "\(Int(value))" : "\(value)"
  }
}
