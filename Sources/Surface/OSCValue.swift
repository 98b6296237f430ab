import Control
import System

/// A value that is sent, with its OSC type.
public enum OSCValue: Sendable, Equatable {
  /// `f`
  case float(Float)
  /// `i`
  case int(Int)
  /// `s`
  case string(String)
  /// `T` or `F`
  case truth(Bool)

  /// The value for a sentence: strings quoted, numbers rounded.
  var shown: String {
    switch self {
    case .float(let number): OSCArgument.number(Double(number)).shown
    case .int(let number): "\(number)"
    case .string(let text): quoted(text)
    case .truth(let isTrue): isTrue ? "1" : "0"
    }
  }

  /// Whether an argument is this number, or a string that holds it.
  func matches(_ argument: OSCArgument) -> Bool {
    guard case .float(let shown) = self else { return false }
    switch argument {
    case .number(let number): return Float(number) == shown
    case .string(let text): return Float(text) == shown
    case .other, .untagged: return false
    }
  }

  /// The value of a status figure.
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
  /// The OSC address.
  public let address: String
  /// The value.
  public let value: OSCValue

  /// A message.
  public init(_ address: String, _ value: OSCValue) { (self.address, self.value) = (address, value) }

  /// The size of a bundle without its messages, bytes.
  public static let bundleHead = 16

  /// The size of the message as a packet, bytes.
  public var bytes: Int { size - 4 }

  /// The size of the message in a bundle with its length word, bytes.
  public var size: Int {
    func padded(_ bytes: Int) -> Int { (bytes + 4) & ~3 }
    let argument =
      switch value {
      case .float, .int: 4
      case .string(let text): padded(text.utf8.count)
      case .truth: 0
      }
    return 4 + padded(address.utf8.count) + 4 + argument
  }
}
