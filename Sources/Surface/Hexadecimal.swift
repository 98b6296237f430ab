/// Bytes as text, two hexadecimal digits each.
public enum Hexadecimal {
  private static let digits = Array("0123456789abcdef".utf8)

  /// The digits of bytes, in lower case.
  public static func text(_ bytes: some Collection<UInt8>) -> String {
    var text: [UInt8] = []
    text.reserveCapacity(bytes.count * 2)
    for byte in bytes { text += [digits[Int(byte >> 4)], digits[Int(byte & 15)]] }
    return String(decoding: text, as: UTF8.self)
  }

  /// The bytes that are spelled by digits of either case; nil for any other text.
  public static func bytes(_ text: String) -> [UInt8]? {
    let digits = Array(text.utf8)
    if digits.count % 2 != 0 { return nil }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(digits.count / 2)
    for index in stride(from: 0, to: digits.count, by: 2) {
      guard let high = digit(digits[index]), let low = digit(digits[index + 1]) else { return nil }
      bytes.append(high << 4 | low)
    }
    return bytes
  }

  private static func digit(_ letter: UInt8) -> UInt8? {
    switch letter {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): letter - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): letter - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): letter - UInt8(ascii: "A") + 10
    default: nil
    }
  }
}

extension Request {
  /// An offset and the bytes after it, as two arguments.
  func piece() throws -> (bytes: [UInt8], offset: Int) {
    guard arguments.count == 2, let offset = arguments[0].number, offset >= 0, offset < 1e9,
      case .string(let text) = arguments[1], let bytes = Hexadecimal.bytes(text)
    else { throw Refusal("takes an offset and bytes of two hexadecimal digits") }
    return (bytes, Int(clamping: offset))
  }
}
