import CLiblo
import Control

/// One value on its way out, as it is shown to a client.
enum Shown: Equatable {
  case float(Float)
  case int(Int)
  case string(String)
}

extension Shown {
  init(_ value: StatusValue.Value) {
    switch value {
    case .whole(let number): self = .int(number)
    case .number(let number): self = .float(Float(number))
    case .words(let text): self = .string(text)
    }
  }
}

/// A message with one value.
struct Message: Equatable {
  let address: String
  let shown: Shown

  init(_ address: String, _ shown: Shown) {
    self.address = address
    self.shown = shown
  }

  /// Bytes that a bundle takes besides its messages.
  static let bundleHead = 16

  /// Bytes that the message takes in a bundle, with its length word.
  var size: Int {
    func padded(_ bytes: Int) -> Int { (bytes + 4) & ~3 }
    var argument = 4
    if case .string(let text) = shown { argument = padded(text.utf8.count) }
    return 4 + padded(address.utf8.count) + 4 + argument
  }

  /// The same for liblo; the caller frees it, or the bundle that it is put into.
  func encoded() -> lo_message? {
    guard let message = lo_message_new() else { return nil }
    switch shown {
    case .float(let value): lo_message_add_float(message, value)
    case .int(let value): lo_message_add_int32(message, Int32(clamping: value))
    case .string(let text): lo_message_add_string(message, text)
    }
    return message
  }
}
