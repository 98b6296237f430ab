import CLiblo
import Surface

/// A datagram taken apart into its messages. Bundles are opened here, each message is read by liblo.
public enum Packet {
  /// A message as it came in.
  public struct Incoming {
    /// The address, or a pattern of addresses.
    public let address: String
    /// The first of its arguments; no address takes more than three.
    public let arguments: [OSCArgument]
    /// The time tag of the bundle that it lay in.
    public let time: TimeTag
  }

  /// How deep bundles may lie in bundles.
  public static let depth = 8

  /// Calls `take` for each message of a datagram, or of a bundle in it. False when all or some of it is no OSC.
  public static func read(_ bytes: UnsafeMutableRawBufferPointer, take: (Incoming) -> Void) -> Bool {
    read(bytes, in: .immediately, depth: 0, take: take)
  }

  private static func read(
    _ bytes: UnsafeMutableRawBufferPointer, in time: TimeTag, depth: Int, take: (Incoming) -> Void
  ) -> Bool {
    guard let first = bytes.first, let base = bytes.baseAddress else { return false }
    if first == UInt8(ascii: "/") {
      // Copied and checked to its end before anything is read from it.
      guard let message = lo_message_deserialise(base, bytes.count, nil) else { return false }
      defer { lo_message_free(message) }
      let address = String(cString: base.assumingMemoryBound(to: CChar.self))
      // No address takes more than three; whoever sends a thousand need not have them all read.
      let arguments = (0..<min(Int(lo_message_get_argc(message)), 4)).map { OSCArgument(message, at: $0) }
      take(Incoming(address: address, arguments: arguments, time: time))
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
      if !read(element, in: time, depth: depth + 1, take: take) { return false }
      offset += length
    }
    return true
  }
}
