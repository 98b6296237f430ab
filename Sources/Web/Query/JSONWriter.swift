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
