import Glibc

/// Where a datagram came from: an IPv4 address and a port, as numbers. No name is ever looked up.
struct Source: Hashable, CustomStringConvertible {
  /// The address, its first byte highest.
  let address: UInt32
  let port: Int

  init(address: UInt32, port: Int) { (self.address, self.port) = (address, port) }

  /// What `recvfrom` wrote; nil for what is not IPv4.
  init?(_ socket: sockaddr_in) {
    guard socket.sin_family == sa_family_t(AF_INET) else { return nil }
    address = UInt32(bigEndian: socket.sin_addr.s_addr)
    port = Int(UInt16(bigEndian: socket.sin_port))
  }

  /// True for the addresses by which a machine speaks to itself.
  var isThisMachine: Bool { address >> 24 == 127 }

  /// The address as people write it.
  var host: String { [24, 16, 8, 0].map { "\(address >> $0 & 255)" }.joined(separator: ".") }

  var description: String { "\(host):\(port)" }

  /// `192.168.1.20` as a number; nil for anything else.
  static func address(_ text: some StringProtocol) -> UInt32? {
    let bytes = text.split(separator: ".", omittingEmptySubsequences: false)
    guard bytes.count == 4 else { return nil }
    var address: UInt32 = 0
    for byte in bytes {
      guard byte.utf8.allSatisfy({ (48...57).contains($0) }), let byte = UInt8(byte) else { return nil }
      address = address << 8 | UInt32(byte)
    }
    return address
  }
}
