import Surface

/// Who may speak to pipit. OSC knows no password, so whoever is not let in is not answered either.
public struct AllowedNetworks: Sendable {
  /// An address and how many of its leading bits count.
  private struct Network: Sendable {
    let address: UInt32
    let mask: UInt32
  }
  private var networks: [Network]

  /// Home and studio networks, and machines that gave themselves an address.
  private static let `private` = ["10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "169.254.0.0/16"]

  /// Reads a list such as `private` or `192.168.1.0/24,10.0.0.7`. The machine itself is always let in.
  /// Nil when a word of it is no network.
  public init?(_ list: String) {
    self.init()
    for word in list.split(whereSeparator: { $0 == "," || $0 == " " }) {
      let names = word == "private" ? AllowedNetworks.private : word == "any" ? ["0.0.0.0/0"] : [String(word)]
      for name in names {
        guard let network = AllowedNetworks.network(name) else { return nil }
        networks.append(network)
      }
    }
    if networks.count == 1 { return nil }
  }

  /// Nobody but the machine itself.
  public static let thisMachine = AllowedNetworks()

  private init() { networks = ["127.0.0.0/8"].compactMap(AllowedNetworks.network) }

  private static func network(_ text: String) -> Network? {
    let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
    guard let address = Peer.host(parts[0]) else { return nil }
    let bits = parts.count == 1 ? 32 : Int(parts[1]) ?? -1
    guard (0...32).contains(bits) else { return nil }
    // A shift by all 32 bits leaves nothing, as it should for a network that is everyone.
    let mask = UInt32.max << UInt32(32 - bits)
    return Network(address: address & mask, mask: mask)
  }

  /// Whether a sender is let in.
  func admits(_ peer: Peer) -> Bool {
    networks.contains { peer.host & $0.mask == $0.address }
  }
}
