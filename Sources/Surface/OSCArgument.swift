import Parameters
import System

/// An argument as it came in, brought down to what a node can take.
public enum OSCArgument: Sendable, Equatable {
  /// `i f h d T F`
  case number(Double)
  /// `s S`
  case string(String)
  /// A type that nothing here takes.
  case other(Character)

  /// What it is, for a sentence.
  var shown: String {
    switch self {
    case .string(let text): quoted(text)
    case .number(let number) where number == number.rounded() && abs(number) < 1e9: "\(Int(number))"
    case .number(let number): decimals(Float(number), 3)
    case .other(let type): "the type '\(type)'"
    }
  }

  /// The number; nil for a string.
  public var number: Double? {
    if case .number(let number) = self { return number }
    return nil
  }

  /// What it says in words: a number as it is written shortest, a string as it is.
  public var words: String {
    switch self {
    case .string(let text): text
    case .number(let number):
      // A number of 24 bits as such: 0.2 and not 0.20000000298023224.
      Int(exactly: number).map { "\($0)" }
        ?? (Double(Float(number)) == number ? "\(Float(number))" : "\(number)")
    case .other(let type): "\(type)"
    }
  }
}

extension [OSCArgument] {
  /// The arguments, if all of them are what a node can take: another type, NaN and infinities are refused.
  public func taken() throws -> [OSCArgument] {
    for argument in self {
      switch argument {
      case .number(let number) where !number.isFinite: throw Refusal("takes no NaN and no infinity")
      case .other(let type): throw Refusal("cannot take the type '\(type)'")
      case .number, .string: break
      }
    }
    return self
  }
}

/// Why a message was not taken, as a sentence without its subject.
public struct Refusal: Error, CustomStringConvertible {
  /// The reason.
  public let description: String
  /// A reason such as "takes one number".
  public init(_ why: String) { description = why }

  /// A reason such as "takes one number", and what was given instead, if anything was.
  init(_ why: String, not given: OSCArgument?) {
    description = why + (given.map { ", not \($0.shown)" } ?? "")
  }
}
