import Surface

/// Address validation: the machines that have proved that they receive packets at their address.
///
/// The source of a datagram is easily forged, and pipit would send its answers to a victim that never asked. So a
/// machine is sent at most three times the bytes that came from it, as in QUIC (RFC 9000, section 8), until another
/// datagram comes from it after `delay`, or it sends back in `/here` the word that it received in `/who`.
struct Confirmation {
  private struct Host {
    let firstReceived: Int64
    var lastReceived: Int64
    // Bytes that may still be sent to it.
    var credit: Int
    var isConfirmed = false
  }
  private var hosts: [HostAddress: Host] = [:]
  // When each peer was last challenged.
  private var challenged: [Peer: Int64] = [:]
  private let secret = UInt64.random(in: .min ... .max)

  /// Bytes that may be sent for each byte received.
  static let factor = 3
  /// A machine is confirmed when a datagram arrives this long after its first, nanoseconds. Networks duplicate
  /// packets within a shorter time.
  static let delay: Int64 = 100_000_000
  /// The most machines that are remembered. If there are more, an unconfirmed one with the oldest datagram is
  /// forgotten.
  static let mostHosts = 256

  /// Notes a datagram of `bytes` from a machine.
  mutating func received(_ peer: Peer, bytes: Int, now: Int64) {
    guard var host = hosts[peer.host] else {
      return add(peer.host, Host(firstReceived: now, lastReceived: now, credit: Confirmation.factor * bytes))
    }
    host.lastReceived = now
    if !host.isConfirmed {
      host.credit += Confirmation.factor * bytes
      host.isConfirmed = now - host.firstReceived >= Confirmation.delay
    }
    hosts[peer.host] = host
  }

  /// Whether a machine is confirmed.
  func isConfirmed(_ peer: Peer) -> Bool { hosts[peer.host]?.isConfirmed ?? false }

  /// Confirms a machine that was confirmed before a restart.
  mutating func confirm(_ peer: Peer, now: Int64) {
    if hosts[peer.host] == nil { add(peer.host, Host(firstReceived: now, lastReceived: now, credit: 0)) }
    hosts[peer.host]?.isConfirmed = true
  }

  private mutating func add(_ host: HostAddress, _ new: Host) {
    if hosts.count >= Confirmation.mostHosts {
      let least = hosts.min {
        ($0.value.isConfirmed ? 1 : 0, $0.value.lastReceived) < (
          $1.value.isConfirmed ? 1 : 0, $1.value.lastReceived
        )
      }
      if let least { hosts[least.key] = nil }
    }
    hosts[host] = new
  }

  // MARK: - Bytes that may be sent

  /// The bytes that may be sent to a machine.
  func allowance(for peer: Peer) -> Int {
    guard let host = hosts[peer.host] else { return 0 }
    return host.isConfirmed ? .max : host.credit
  }

  /// Deducts the bytes of a packet from the allowance of a machine. False if the allowance is smaller.
  mutating func spend(_ bytes: Int, on peer: Peer) -> Bool {
    if allowance(for: peer) < bytes { return false }
    if !isConfirmed(peer) { hosts[peer.host]?.credit -= bytes }
    return true
  }

  // MARK: - Challenges

  /// The challenge to an unconfirmed peer; nil if it was just challenged, or its allowance is used up.
  mutating func challenge(_ peer: Peer, now: Int64) -> OSCMessage? {
    let challenge = OSCMessage("/who", .string(word(peer)))
    if let at = challenged[peer], now - at < Confirmation.delay { return nil }
    guard spend(challenge.bytes, on: peer) else { return nil }
    if challenged.count >= Confirmation.mostHosts { challenged.removeAll() }
    challenged[peer] = now
    return challenge
  }

  /// The time at which the next peer may be challenged again; nil if there is none.
  mutating func next(_ now: Int64) -> Int64? {
    if challenged.isEmpty { return nil }
    challenged = challenged.filter { now - $0.value < Confirmation.delay && !isConfirmed($0.key) }
    return challenged.values.min().map { $0 + Confirmation.delay }
  }

  /// Confirms a machine if it has sent back the word of its challenge.
  mutating func confirm(_ peer: Peer, word: String) {
    if word == self.word(peer) { hosts[peer.host]?.isConfirmed = true }
  }

  /// Three letters that only the receiver of the challenge knows.
  private func word(_ peer: Peer) -> String {
    var hasher = Hasher()
    hasher.combine(secret)
    hasher.combine(peer.host)
    let bits = UInt(bitPattern: hasher.finalize())
    let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdef")
    return String([0, 5, 10].map { letters[Int(bits >> $0 & 31)] })
  }
}
