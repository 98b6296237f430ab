/// Who is at the other end, as a transport knows it: a machine, and one of its sockets or connections.
public struct Peer: Hashable, Sendable, CustomStringConvertible {
  /// The machine's IPv4 address, its first byte highest.
  public let host: UInt32
  /// The port of the socket or connection; 0 where none is known.
  public let port: Int

  /// A peer by its numbers. No name is ever looked up.
  public init(host: UInt32, port: Int) { (self.host, self.port) = (host, port) }

  /// True for the addresses by which a machine speaks to itself.
  public var isThisMachine: Bool { host >> 24 == 127 }

  /// The machine's address as people write it.
  public var hostText: String { [24, 16, 8, 0].map { "\(host >> $0 & 255)" }.joined(separator: ".") }

  /// `192.168.1.20:9000`.
  public var description: String { "\(hostText):\(port)" }

  /// `192.168.1.20` as a number; nil for anything else.
  public static func host(_ text: some StringProtocol) -> UInt32? {
    let bytes = text.split(separator: ".", omittingEmptySubsequences: false)
    guard bytes.count == 4 else { return nil }
    var host: UInt32 = 0
    for byte in bytes {
      guard byte.utf8.allSatisfy({ (48...57).contains($0) }), let byte = UInt8(byte) else { return nil }
      host = host << 8 | UInt32(byte)
    }
    return host
  }
}
