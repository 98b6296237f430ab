import Surface

/// The machines that have proved that they receive what is sent to their address.
///
/// The source of a datagram is easily forged, and what a forger makes pipit send goes to somebody who never asked. So a
/// machine is sent three times the bytes that came from it at most, as in QUIC (RFC 9000, section 8), until it has been
/// heard again after a moment, or has sent back in `/here` the word that it was sent in `/who`.
struct Confirmation {
  private struct Host {
    let firstHeard: Int64
    var heard: Int64
    // Bytes that it may still be sent.
    var credit: Int
    var isConfirmed = false
  }
  private var hosts: [HostAddress: Host] = [:]
  // When each peer was last asked.
  private var asked: [Peer: Int64] = [:]
  private let secret = UInt64.random(in: .min ... .max)

  /// Bytes that may be sent for each byte that came.
  static let factor = 3
  /// A machine that is heard again so much later is confirmed, nanoseconds. A network doubles packets within less.
  static let moment: Int64 = 100_000_000
  /// Machines that are remembered: the least recently heard that is not confirmed makes room.
  static let hosts = 256

  /// A datagram of so many bytes came from a machine.
  mutating func heard(_ peer: Peer, bytes: Int, now: Int64) {
    guard var host = hosts[peer.host] else {
      return add(peer.host, Host(firstHeard: now, heard: now, credit: Confirmation.factor * bytes))
    }
    host.heard = now
    if !host.isConfirmed {
      host.credit += Confirmation.factor * bytes
      host.isConfirmed = now - host.firstHeard >= Confirmation.moment
    }
    hosts[peer.host] = host
  }

  /// Whether a machine is confirmed.
  func isConfirmed(_ peer: Peer) -> Bool { hosts[peer.host]?.isConfirmed ?? false }

  /// A machine was confirmed before.
  mutating func confirm(_ peer: Peer, now: Int64) {
    if hosts[peer.host] == nil { add(peer.host, Host(firstHeard: now, heard: now, credit: 0)) }
    hosts[peer.host]?.isConfirmed = true
  }

  private mutating func add(_ host: HostAddress, _ new: Host) {
    if hosts.count >= Confirmation.hosts {
      let least = hosts.min {
        ($0.value.isConfirmed ? 1 : 0, $0.value.heard) < ($1.value.isConfirmed ? 1 : 0, $1.value.heard)
      }
      if let least { hosts[least.key] = nil }
    }
    hosts[host] = new
  }

  // MARK: - What may be sent

  /// Bytes that may be sent to a machine.
  func room(for peer: Peer) -> Int {
    guard let host = hosts[peer.host] else { return 0 }
    return host.isConfirmed ? .max : host.credit
  }

  /// Takes the bytes of a packet from what a machine may be sent. False when there is not as much.
  mutating func spend(_ bytes: Int, on peer: Peer) -> Bool {
    if room(for: peer) < bytes { return false }
    if !isConfirmed(peer) { hosts[peer.host]?.credit -= bytes }
    return true
  }

  // MARK: - Asking

  /// The question to a peer that is not confirmed; nil when it was just asked, or may be sent no more.
  mutating func question(_ peer: Peer, now: Int64) -> OSCMessage? {
    let question = OSCMessage("/who", .string(word(peer)))
    if let at = asked[peer], now - at < Confirmation.moment { return nil }
    guard spend(question.bytes, on: peer) else { return nil }
    if asked.count >= Confirmation.hosts { asked.removeAll() }
    asked[peer] = now
    return question
  }

  /// When somebody is to be asked again; who wanted that asks for the question then.
  mutating func next(_ now: Int64) -> Int64? {
    if asked.isEmpty { return nil }
    asked = asked.filter { now - $0.value < Confirmation.moment && !isConfirmed($0.key) }
    return asked.values.min().map { $0 + Confirmation.moment }
  }

  /// A machine has sent back a word.
  mutating func answered(_ peer: Peer, _ word: String) {
    if word == self.word(peer) { hosts[peer.host]?.isConfirmed = true }
  }

  /// Three letters that only who receives them knows.
  private func word(_ peer: Peer) -> String {
    var hasher = Hasher()
    hasher.combine(secret)
    hasher.combine(peer.host)
    let bits = UInt(bitPattern: hasher.finalize())
    let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdef")
    return String([0, 5, 10].map { letters[Int(bits >> $0 & 31)] })
  }
}
