import Glibc

/// The other end of a transport: a machine, and one of its sockets or connections.
public struct Peer: Hashable, Sendable, CustomStringConvertible {
  /// A socket or a connection of a machine.
  public enum Endpoint: Hashable, Sendable {
    /// A socket by its port; 0 if unknown.
    case port(Int)
    /// A connection by the number that its transport gave it.
    case connection(Int)
  }

  /// The machine.
  public let host: HostAddress
  /// The socket or connection.
  public let endpoint: Endpoint

  /// A socket of a machine.
  public init(_ host: HostAddress, port: Int) { (self.host, endpoint) = (host, .port(port)) }

  /// A connection with a machine, by a number that is unique within the transport.
  public init(_ host: HostAddress, connection: Int) {
    (self.host, endpoint) = (host, .connection(connection))
  }

  /// The socket of a system's address; nil if it is not IPv4.
  public init?(_ socket: sockaddr_in) {
    guard let host = HostAddress(socket) else { return nil }
    self.init(host, port: Int(UInt16(bigEndian: socket.sin_port)))
  }

  /// The port of a socket; nil for a connection.
  public var port: Int? {
    if case .port(let port) = endpoint { return port }
    return nil
  }

  /// The number of a connection; nil for a socket.
  public var connection: Int? {
    if case .connection(let number) = endpoint { return number }
    return nil
  }

  /// `192.168.1.20:9000`, `[fe80::1]:9000`, or the machine alone for a connection.
  public var description: String {
    guard let port else { return "\(host)" }
    return host.ipv4 == nil ? "[\(host)]:\(port)" : "\(host):\(port)"
  }
}

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

/// The networks whose machines may control pipit, by any transport. OSC has no passwords, so machines of other networks
/// get no answer.
public struct AllowedNetworks: Sendable {
  /// An address and a mask of the leading bits that must match.
  private struct Network: Sendable {
    let address: HostAddress
    let mask: HostAddress

    /// A network of 0...128 bits.
    init(_ address: HostAddress, bits: Int) {
      // A shift by all 64 bits leaves 0: a network of 0 bits contains every address.
      mask = HostAddress(
        high: UInt64.max << UInt64(64 - min(bits, 64)), low: UInt64.max << UInt64(64 - max(bits - 64, 0)))
      self.address = HostAddress(high: address.high & mask.high, low: address.low & mask.low)
    }

    func holds(_ host: HostAddress) -> Bool {
      host.high & mask.high == address.high && host.low & mask.low == address.low
    }
  }
  private var networks: [Network]

  /// Private networks, and link-local addresses.
  private static let `private` = [
    "10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "169.254.0.0/16", "fc00::/7", "fe80::/10",
  ]

  /// Reads a list such as `private` or `192.168.1.0/24,10.0.0.7,fd12::/16`. The machine itself is always allowed.
  /// Nil if a word of the list is not a network.
  public init?(_ list: String) {
    self.init()
    let ownCount = networks.count
    for word in list.split(whereSeparator: { $0 == "," || $0 == " " }) {
      let names = word == "private" ? AllowedNetworks.private : word == "any" ? ["::/0"] : [String(word)]
      for name in names {
        guard let network = AllowedNetworks.network(name) else { return nil }
        networks.append(network)
      }
    }
    if networks.count == ownCount { return nil }
  }

  /// The machine itself only.
  public static let thisMachine = AllowedNetworks()

  private init() { networks = ["127.0.0.0/8", "::1"].compactMap(AllowedNetworks.network) }

  private static func network(_ text: String) -> Network? {
    let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
    guard let first = parts.first, let address = HostAddress(first) else { return nil }
    // IPv4 addresses are stored as mapped IPv6 addresses, which share their first 96 bits.
    let all = address.ipv4 == nil ? 128 : 32
    let bits = parts.count == 1 ? all : Int(parts[1]) ?? -1
    guard (0...all).contains(bits) else { return nil }
    return Network(address, bits: 128 - all + bits)
  }

  /// Whether a machine may control pipit.
  func admits(_ host: HostAddress) -> Bool { networks.contains { $0.holds(host) } }
}
