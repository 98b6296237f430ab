import CLiblo
import Surface

/// Reads the messages of an OSC packet (M. Wright, The Open Sound Control 1.0 Specification, 2002). It takes what
/// senders do beside it: messages without type tags and types that no node takes are read, so that the sender can be
/// answered.
public enum Packet {
  /// A message of a packet.
  public struct Incoming {
    /// The address, or a pattern of addresses.
    public let address: String
    /// Its first four arguments; no address takes more than three.
    public let arguments: [OSCArgument]
    /// The time tag of its bundle.
    public let time: TimeTag
  }

  /// One more argument than any address takes, so that too many are noticed.
  private static let keptArguments = 4
  /// The deepest nesting of bundles.
  public static let depth = 8

  /// Calls `body` for each message of a packet, also in bundles. False if all or part of it is not OSC.
  /// - Parameters:
  ///   - time: The time tag of the bundle that the packet is an element of.
  ///   - depth: The number of bundles that it is nested in.
  public static func read(
    _ bytes: UnsafeMutableRawBufferPointer, in time: TimeTag = .immediately, depth: Int = 0,
    body: (Incoming) -> Void
  ) -> Bool {
    guard let first = bytes.first else { return false }
    if first == UInt8(ascii: "/") {
      var message = MessageReader(UnsafeRawBufferPointer(bytes))
      guard let address = message.string(), let arguments = message.arguments(most: keptArguments) else {
        return false
      }
      body(Incoming(address: address, arguments: arguments, time: time))
      return true
    }
    // #bundle, a time tag, and elements with their lengths before them.
    guard depth < Packet.depth, bytes.count >= 16, bytes.starts(with: "#bundle\0".utf8) else { return false }
    func word(_ offset: Int) -> UInt32 {
      UInt32(bigEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt32.self))
    }
    let time = TimeTag(seconds: word(8), fraction: word(12))
    var offset = 16
    while offset < bytes.count {
      guard bytes.count - offset >= 4 else { return false }
      let length = Int(word(offset))
      offset += 4
      guard length > 0, length % 4 == 0, length <= bytes.count - offset else { return false }
      let element = UnsafeMutableRawBufferPointer(rebasing: bytes[offset..<offset + length])
      if !read(element, in: time, depth: depth + 1, body: body) { return false }
      offset += length
    }
    return true
  }
}

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

/// The time when the messages of a bundle take effect: seconds since 1900 and a fraction in units of 2^-32.
public struct TimeTag: Equatable, Sendable {
  /// Seconds since 1900, and the fraction of one in units of 2^-32.
  let seconds, fraction: UInt32

  /// The tag for "as soon as possible".
  public static let immediately = TimeTag(seconds: 0, fraction: 1)

  /// The maximum time that a time tag may lie ahead, nanoseconds. A later tag was set by a clock that differs from
  /// this machine's, and waiting for it could silence a tablet for hours.
  public static let horizon: Int64 = 1_000_000_000

  /// The time of the tag, CLOCK_MONOTONIC in nanoseconds, if it is less than a second ahead; nil if its messages take
  /// effect at once.
  /// - Parameters:
  ///   - now: The current time, CLOCK_MONOTONIC.
  ///   - wall: The current wall-clock time, read if none is given.
  public func moment(_ now: Int64, wall: @autoclosure () -> TimeTag = .now) -> Int64? {
    if self == .immediately { return nil }
    let wall = wall()
    // The difference wraps around after 136 years.
    let ahead = Int64(bitPattern: bits &- wall.bits)
    guard ahead > 0, ahead < 1 << 32 else { return nil }
    return now + (ahead * 1_000_000_000) >> 32
  }

  /// The current time of the machine's wall clock.
  public static var now: TimeTag {
    var now = lo_timetag()
    lo_timetag_now(&now)
    return TimeTag(seconds: now.sec, fraction: now.frac)
  }

  /// The time as one number in units of 2^-32 seconds, which wraps around after 136 years.
  public var bits: UInt64 { UInt64(seconds) << 32 | UInt64(fraction) }
}
