import Control
import System

/// A value of a node, as it is sent.
public enum OSCValue: Sendable, Equatable {
  /// `f`
  case float(Float)
  /// `i`
  case int(Int)
  /// `s`
  case string(String)

  /// What it is, for a sentence.
  var shown: String {
    switch self {
    case .float(let number): OSCArgument.number(Double(number)).shown
    case .int(let number): "\(number)"
    case .string(let text): quoted(text)
    }
  }

  /// Whether an argument is this number, as it is or in words.
  func isSaid(by argument: OSCArgument) -> Bool {
    guard case .float(let shown) = self else { return false }
    switch argument {
    case .number(let number): return Float(number) == shown
    case .string(let text): return Float(text) == shown
    case .other: return false
    }
  }

  /// A figure of the instrument's health.
  init(_ value: StatusValue.Value) {
    switch value {
    case .whole(let number): self = .int(number)
    case .number(let number): self = .float(Float(number))
    case .words(let text): self = .string(text)
    }
  }
}

/// A message with one value.
public struct OSCMessage: Sendable, Equatable {
  /// Where it goes.
  public let address: String
  /// What it says.
  public let value: OSCValue

  /// A message.
  public init(_ address: String, _ value: OSCValue) { (self.address, self.value) = (address, value) }

  /// Bytes that a bundle takes besides its messages.
  public static let bundleHead = 16

  /// Bytes that the message takes by itself.
  public var bytes: Int { size - 4 }

  /// Bytes that the message takes in a bundle, with its length word.
  public var size: Int {
    func padded(_ bytes: Int) -> Int { (bytes + 4) & ~3 }
    var argument = 4
    if case .string(let text) = value { argument = padded(text.utf8.count) }
    return 4 + padded(address.utf8.count) + 4 + argument
  }
}
