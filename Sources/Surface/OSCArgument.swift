import Parameters
import System

/// A received argument, reduced to the types that nodes distinguish.
public enum OSCArgument: Sendable, Equatable {
  /// `i f h d T F`
  case number(Double)
  /// `s S`
  case string(String)
  /// Any other type, or `[` and `]` around an array, which every node refuses.
  case other(Character)
  /// Bytes behind the address without type tags, which cannot be read, and which every node refuses.
  case untagged

  /// The argument for a sentence: strings quoted, numbers rounded.
  var shown: String {
    switch self {
    case .string(let text): quoted(text)
    case .number(let number) where number == number.rounded() || abs(number) >= 1e9: words
    case .number(let number): decimals(Float(number), 3)
    case .other, .untagged: refused
    }
  }

  /// The number; nil for a string.
  public var number: Double? {
    if case .number(let number) = self { return number }
    return nil
  }

  /// The argument as text: the shortest form of a number, a string unchanged.
  public var words: String {
    switch self {
    case .string(let text): text
    case .number(let number):
      // A 32-bit number prints as 0.2 and not as 0.20000000298023224.
      Int(exactly: number).map { "\($0)" }
        ?? (Double(Float(number)) == number ? "\(Float(number))" : "\(number)")
    case .other, .untagged: refused
    }
  }

  /// The noun for an argument that every node refuses.
  fileprivate var refused: String {
    switch self {
    case .other("["), .other("]"): "an array"
    case .other(let type): "the type '\(type)'"
    case .untagged: "arguments without type tags"
    case .number, .string: words
    }
  }
}

extension [OSCArgument] {
  /// The arguments; throws a `Refusal` for NaN, infinity and other types.
  public func validated() throws -> [OSCArgument] {
    for argument in self {
      switch argument {
      case .number(let number) where !number.isFinite: throw Refusal("takes no NaN and no infinity")
      case .other, .untagged: throw Refusal("cannot take \(argument.refused)")
      case .number, .string: break
      }
    }
    return self
  }

  /// The arguments of a node that takes `types`, as `validated()`; throws a `Refusal` also for words that are too long.
  func validated(for types: [ArgumentType]) throws -> [OSCArgument] {
    for (index, argument) in enumerated() {
      guard case .string(let words) = argument, words.utf8.count > ArgumentType.mostBytes else { continue }
      if types.indices.contains(index), types[index].isText { continue }
      throw Refusal("takes words of at most \(ArgumentType.mostBytes) bytes, not \(words.utf8.count)")
    }
    return try validated()
  }
}

/// The reason why a message was refused, a sentence without its subject.
public struct Refusal: Error, CustomStringConvertible {
  /// The reason.
  public let description: String
  /// A reason such as "takes one number".
  public init(_ why: String) { description = why }

  /// A reason such as "takes one number", and the argument that came instead, if any.
  init(_ why: String, not given: OSCArgument?) {
    description = why + (given.map { ", not \($0.shown)" } ?? "")
  }
}
