import Parameters

/// One argument of a node: its type, range, choices and unit, as OSCQuery lists them, and its name.
public struct ArgumentType: Sendable {
  /// The OSC type tag. Nodes accept every numeric type for `float` and `int`.
  public enum Tag: Character, Sendable {
    case float = "f"
    case int = "i"
    case string = "s"
  }

  /// The type that pipit sends.
  public let tag: Tag
  /// Its name, as "velocity"; empty if the range is enough.
  public let name: String
  /// The lowest and the highest number; nil for strings, and if every number is accepted.
  public let range: ClosedRange<Double>?
  /// The names of the numbers from 0; empty if they have none.
  public let choices: [String]
  /// Whether it may be left out.
  public let isOptional: Bool
  /// The unit of a knob's number; nil for a fader's 0…1 and everything else.
  public let unit: Parameters.Unit?
  /// Whether it is the text of a document or the bytes of a file, which may be as long as a packet. Other words are names
  /// and lists, of at most `mostBytes`, whatever is done with them.
  let isText: Bool
  /// The longest string that is no text, bytes of UTF-8.
  static let mostBytes = 8_192

  private init(
    _ tag: Tag, _ name: String, _ range: ClosedRange<Double>?, choices: [String] = [], optional: Bool = false,
    unit: Parameters.Unit? = nil, isText: Bool = false
  ) {
    (self.tag, self.name, self.range, self.choices, isOptional) = (tag, name, range, choices, optional)
    (self.unit, self.isText) = (unit, isText)
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

  /// The text of a document, or the bytes of a file.
  static func text(_ name: String) -> ArgumentType { ArgumentType(.string, name, nil, isText: true) }

  static func choice(_ names: [String]) -> ArgumentType {
    ArgumentType(.int, "", 0...Double(names.count - 1), choices: names)
  }

  /// Its name and range, as `velocity 0…1`.
  public var words: String {
    let span = range.map { "\(ArgumentType.number($0.lowerBound))…\(ArgumentType.number($0.upperBound))" }
    let words = [name.isEmpty ? nil : name, span].compactMap { $0 }.joined(separator: " ")
    return words + (isOptional ? ", or none" : "")
  }

  private static func number(_ value: Double) -> String {
    value == value.rounded() ? "\(Int(clamping: value))" : "\(value)"
  }
}

extension [ArgumentType] {
  /// The arguments in words, as `note 0…127, velocity 0…1`; "nothing" for none.
  var words: String {
    let words = map(\.words).filter { !$0.isEmpty }.joined(separator: ", ")
    return isEmpty ? "nothing" : words.isEmpty ? counted : words
  }

  /// Their number in words, as "one value", or "two or three values" if one is optional.
  private var counted: String {
    let names = ["no", "one", "two", "three", "four"]
    let numbers = (count(where: { !$0.isOptional })...count).map { $0 < names.count ? names[$0] : "\($0)" }
    return numbers.joined(separator: " or ") + (count == 1 ? " value" : " values")
  }

  /// Why a message with `given` arguments is refused; nil if that number is right.
  func refusal(of given: Int) -> Refusal? {
    if given < count(where: { !$0.isOptional }) { return Refusal("takes \(words)") }
    if given <= count { return nil }
    return Refusal(isEmpty || words == counted ? "takes \(words)" : "takes \(counted): \(words)")
  }
}
