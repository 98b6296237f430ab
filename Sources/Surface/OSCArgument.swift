/// An argument as it came in, brought down to what a node can take.
public enum OSCArgument: Sendable, Equatable {
  /// `i f h d T F`; finite.
  case number(Double)
  /// `s S`
  case string(String)

  /// The number; nil for a string.
  public var number: Double? {
    if case .number(let number) = self { return number }
    return nil
  }
}

/// Why a message was not taken, as a sentence without its subject.
public struct Refusal: Error, CustomStringConvertible {
  /// The reason.
  public let description: String
  /// A reason such as "takes one number".
  public init(_ why: String) { description = why }
}
