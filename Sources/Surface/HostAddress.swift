import Glibc

/// An IPv4 or IPv6 address of a machine. IPv4 addresses are stored as mapped by IPv6, `::ffff:192.168.1.20`.
public struct HostAddress: Hashable, Sendable, CustomStringConvertible {
  /// The first eight bytes and the last eight; the first byte is the most significant.
  let high, low: UInt64

  private static let mapped: UInt64 = 0xFFFF_0000_0000

  /// An IPv6 address by its two halves, whose first byte is the most significant.
  public init(high: UInt64, low: UInt64) { (self.high, self.low) = (high, low) }

  /// An IPv4 address, whose first byte is the most significant.
  public init(_ ipv4: UInt32) { self.init(high: 0, low: HostAddress.mapped | UInt64(ipv4)) }

  /// The machine itself, 127.0.0.1.
  public static let thisMachine = HostAddress(127 << 24 | 1)

  /// The IPv4 address, whose first byte is the most significant; nil for an IPv6 address.
  public var ipv4: UInt32? {
    high == 0 && low & ~0xFFFF_FFFF == HostAddress.mapped ? UInt32(truncatingIfNeeded: low) : nil
  }

  /// Whether it is a loopback address.
  public var isThisMachine: Bool { ipv4.map { $0 >> 24 == 127 } ?? (high == 0 && low == 1) }

  // MARK: - As text

  /// Reads `192.168.1.20` or `fe80::1`; nil for anything else. No name is looked up.
  public init?(_ text: some StringProtocol) {
    let text = String(text)
    var four = in_addr()
    if inet_pton(AF_INET, text, &four) == 1 {
      self.init(UInt32(bigEndian: four.s_addr))
      return
    }
    var six = in6_addr()
    guard inet_pton(AF_INET6, text, &six) == 1 else { return nil }
    self.init(six)
  }

  /// An address from the system's structure.
  public init(_ address: in6_addr) {
    (high, low) = withUnsafeBytes(of: address) {
      (
        UInt64(bigEndian: $0.loadUnaligned(as: UInt64.self)),
        UInt64(bigEndian: $0.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
      )
    }
  }

  /// The machine of a socket address; nil if it is not IPv4.
  public init?(_ socket: sockaddr_in) {
    guard socket.sin_family == sa_family_t(AF_INET) else { return nil }
    self.init(UInt32(bigEndian: socket.sin_addr.s_addr))
  }

  /// The usual notation, as `192.168.1.20` or `fe80::1`.
  public var description: String {
    var text = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
    if let ipv4 {
      var address = in_addr(s_addr: ipv4.bigEndian)
      inet_ntop(AF_INET, &address, &text, socklen_t(text.count))
    } else {
      var words = (high.bigEndian, low.bigEndian)
      inet_ntop(AF_INET6, &words, &text, socklen_t(text.count))
    }
    return String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }
}
