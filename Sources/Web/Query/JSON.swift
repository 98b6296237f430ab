/// Writes JSON into bytes.
struct JSONWriter {
  private(set) var bytes: [UInt8] = []
  // Whether a comma comes before the next element.
  private var needsComma = false

  /// Reserves memory for a number of bytes.
  mutating func reserve(_ count: Int) { bytes.reserveCapacity(count) }

  /// Begins an object, and ends it.
  mutating func beginObject() { begin("{") }
  mutating func endObject() { end("}") }
  /// Begins an array, and ends it.
  mutating func beginList() { begin("[") }
  mutating func endList() { end("]") }

  /// The name of the next value of an object.
  mutating func name(_ name: String) {
    separate()
    write(quoted: name)
    bytes.append(UInt8(ascii: ":"))
    needsComma = false
  }

  /// Writes a string.
  mutating func value(_ text: String) {
    separate()
    write(quoted: text)
  }

  /// Writes a whole number.
  mutating func value(_ number: Int) {
    separate()
    bytes += String(number).utf8
  }

  /// Writes a number with a decimal point, since some readers take a number without one for another type. JSON has no
  /// infinity.
  mutating func value(_ number: Double) {
    separate()
    bytes += (number.isFinite ? "\(number)" : "0.0").utf8
  }

  /// Writes a number of single precision, in the fewest digits.
  mutating func value(_ number: Float) {
    separate()
    bytes += (number.isFinite ? "\(number)" : "0.0").utf8
  }

  /// Writes a Boolean.
  mutating func value(_ isTrue: Bool) {
    separate()
    bytes += (isTrue ? "true" : "false").utf8
  }

  /// Writes null.
  mutating func null() {
    separate()
    bytes += "null".utf8
  }

  private mutating func begin(_ bracket: Unicode.Scalar) {
    separate()
    bytes.append(UInt8(ascii: bracket))
    needsComma = false
  }

  private mutating func end(_ bracket: Unicode.Scalar) {
    bytes.append(UInt8(ascii: bracket))
    needsComma = true
  }

  private mutating func separate() {
    if needsComma { bytes.append(UInt8(ascii: ",")) }
    needsComma = true
  }

  private mutating func write(quoted text: String) {
    bytes.append(UInt8(ascii: "\""))
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "\""), UInt8(ascii: "\\"): bytes += [UInt8(ascii: "\\"), byte]
      case ..<0x20:
        let digits = String(byte, radix: 16)
        bytes += "\\u\(String(repeating: "0", count: 4 - digits.utf8.count))\(digits)".utf8
      default: bytes.append(byte)
      }
    }
    bytes.append(UInt8(ascii: "\""))
  }
}

/// Reads a JSON object whose values are strings, numbers, Booleans and nulls, as in the commands that pipit receives.
struct JSONReader {
  /// A value.
  enum Value: Equatable {
    case text(String)
    case number(Double)
    case truth(Bool)
    case null
  }

  private var rest: Slice<UnsafeRawBufferPointer>

  /// The fields of an object; nil for anything else.
  static func fields(_ text: UnsafeRawBufferPointer) -> [String: Value]? {
    var reader = JSONReader(rest: text[...])
    guard let fields = reader.object() else { return nil }
    reader.skipSpaces()
    return reader.rest.isEmpty ? fields : nil
  }

  private mutating func object() -> [String: Value]? {
    guard skip("{") else { return nil }
    var fields: [String: Value] = [:]
    if skip("}") { return fields }
    repeat {
      guard let name = string(), skip(":"), let value = value() else { return nil }
      fields[name] = value
    } while skip(",")
    return skip("}") ? fields : nil
  }

  private mutating func value() -> Value? {
    skipSpaces()
    if rest.first == UInt8(ascii: "\"") { return string().map { .text($0) } }
    for (word, value) in [("true", Value.truth(true)), ("false", .truth(false)), ("null", .null)] {
      if rest.starts(with: word.utf8) {
        rest = rest.dropFirst(word.utf8.count)
        return value
      }
    }
    let digits = rest.prefix { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 || "+-.eE".utf8.contains($0) }
    rest = rest.dropFirst(digits.count)
    return Double(String(decoding: digits, as: UTF8.self)).map { .number($0) }
  }

  private mutating func string() -> String? {
    guard skip("\"") else { return nil }
    var bytes: [UInt8] = []
    while let byte = rest.popFirst() {
      switch byte {
      case UInt8(ascii: "\""): return String(validating: bytes)
      case UInt8(ascii: "\\"):
        guard let letter = escaped() else { return nil }
        bytes += Array(String(letter).utf8)
      case ..<0x20: return nil
      default: bytes.append(byte)
      }
    }
    return nil
  }

  private mutating func escaped() -> Unicode.Scalar? {
    guard let byte = rest.popFirst() else { return nil }
    switch byte {
    case UInt8(ascii: "b"): return "\u{8}"
    case UInt8(ascii: "f"): return "\u{C}"
    case UInt8(ascii: "n"): return "\n"
    case UInt8(ascii: "r"): return "\r"
    case UInt8(ascii: "t"): return "\t"
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return Unicode.Scalar(byte)
    case UInt8(ascii: "u"):
      guard let first = hexadecimal() else { return nil }
      guard UTF16.isLeadSurrogate(first) else { return Unicode.Scalar(first) }
      guard rest.popFirst() == UInt8(ascii: "\\"), rest.popFirst() == UInt8(ascii: "u"),
        let second = hexadecimal(), UTF16.isTrailSurrogate(second)
      else { return nil }
      return Unicode.Scalar(0x10000 + (UInt32(first & 0x3FF) << 10 | UInt32(second & 0x3FF)))
    default: return nil
    }
  }

  private mutating func hexadecimal() -> UInt16? {
    let digits = rest.prefix(4)
    rest = rest.dropFirst(4)
    guard digits.count == 4, digits.allSatisfy({ Character(Unicode.Scalar($0)).isHexDigit }) else {
      return nil
    }
    return UInt16(String(decoding: digits, as: UTF8.self), radix: 16)
  }

  private mutating func skip(_ letter: Unicode.Scalar) -> Bool {
    skipSpaces()
    guard rest.first == UInt8(ascii: letter) else { return false }
    rest = rest.dropFirst()
    return true
  }

  private mutating func skipSpaces() { rest = rest.drop { " \t\n\r".utf8.contains($0) } }
}

extension String {
  /// The text of UTF-8 bytes; nil if they are not valid UTF-8.
  init?(validating bytes: [UInt8]) {
    let text = String(decoding: bytes, as: UTF8.self)
    guard text.utf8.elementsEqual(bytes) else { return nil }
    self = text
  }
}
