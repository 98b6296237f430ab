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
