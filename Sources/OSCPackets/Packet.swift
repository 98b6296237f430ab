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
