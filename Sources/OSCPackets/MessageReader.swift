import Surface

/// Reads the parts of one message, each of which has a multiple of four bytes.
struct MessageReader {
  private let bytes: UnsafeRawBufferPointer
  private var offset = 0

  /// A reader of a whole message, which must outlive it.
  init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

  /// The next string; nil if it does not end within the message.
  mutating func string() -> String? {
    guard let text = text() else { return nil }
    return String(decoding: bytes[text], as: UTF8.self)
  }

  /// The first `most` arguments; nil if the type tags do not describe the rest of the message. Older senders leave the
  /// tags out: then there are no arguments, or none that can be read. What follows an unknown type cannot be read either.
  mutating func arguments(most: Int) -> [OSCArgument]? {
    if offset == bytes.count { return [] }
    guard bytes.count % 4 == 0 else { return nil }
    guard bytes[offset] == UInt8(ascii: ",") else { return [.untagged] }
    guard let tags = text() else { return nil }
    var arguments: [OSCArgument] = []
    for type in bytes[tags].dropFirst() {
      guard (0x21...0x7E).contains(type), let argument = argument(type) else { return nil }
      if arguments.count < most { arguments.append(argument) }
      if case .other(let type) = argument, !MessageReader.known.contains(type) { return arguments }
    }
    return offset == bytes.count ? arguments : nil
  }

  /// The types whose size is known, of those that no node takes.
  private static let known: Set<Character> = ["N", "I", "[", "]", "c", "r", "m", "t", "b"]

  /// The next argument, of a type; nil if it does not end within the message.
  private mutating func argument(_ type: UInt8) -> OSCArgument? {
    let other = OSCArgument.other(Character(Unicode.Scalar(type)))
    switch type {
    case UInt8(ascii: "T"): return .number(1)
    case UInt8(ascii: "F"): return .number(0)
    case UInt8(ascii: "i"): return word().map { .number(Double(Int32(bitPattern: $0))) }
    case UInt8(ascii: "f"): return word().map { .number(Double(Float(bitPattern: $0))) }
    case UInt8(ascii: "h"): return twoWords().map { .number(Double(Int64(bitPattern: $0))) }
    case UInt8(ascii: "d"): return twoWords().map { .number(Double(bitPattern: $0)) }
    case UInt8(ascii: "s"), UInt8(ascii: "S"): return string().map { .string($0) }
    case UInt8(ascii: "c"), UInt8(ascii: "r"), UInt8(ascii: "m"): return word().map { _ in other }
    case UInt8(ascii: "t"): return twoWords().map { _ in other }
    case UInt8(ascii: "b"): return word().flatMap { skip(Int($0)) ? other : nil }
    default: return other
    }
  }

  /// Skips a string, and the zeros behind it; its range without these. Nil if it does not end within the message.
  private mutating func text() -> Range<Int>? {
    let start = offset
    guard let end = bytes[start...].firstIndex(of: 0), skip(end - start + 1) else { return nil }
    return start..<end
  }

  private mutating func word() -> UInt32? {
    let here = offset
    return skip(4) ? UInt32(bigEndian: bytes.loadUnaligned(fromByteOffset: here, as: UInt32.self)) : nil
  }

  private mutating func twoWords() -> UInt64? {
    let here = offset
    return skip(8) ? UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: here, as: UInt64.self)) : nil
  }

  /// Skips `count` bytes, and those up to a multiple of four. False if there are fewer.
  private mutating func skip(_ count: Int) -> Bool {
    guard count <= bytes.count - offset else { return false }
    let next = (offset + count + 3) & ~3
    guard next <= bytes.count else { return false }
    offset = next
    return true
  }
}
