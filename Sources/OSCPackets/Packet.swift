import CLiblo
import Surface

/// Reads the messages of an OSC packet. It parses bundles itself, and each message with liblo.
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
    guard let first = bytes.first, let base = bytes.baseAddress else { return false }
    if first == UInt8(ascii: "/") {
      // liblo copies and checks the whole message before it is read.
      guard let message = lo_message_deserialise(base, bytes.count, nil) else { return false }
      defer { lo_message_free(message) }
      let address = String(cString: base.assumingMemoryBound(to: CChar.self))
      // One more than any address takes, so that too many are noticed.
      let arguments = (0..<min(Int(lo_message_get_argc(message)), 4)).map { OSCArgument(message, at: $0) }
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
