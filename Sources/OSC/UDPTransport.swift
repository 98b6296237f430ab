import CLiblo
import OSCPackets
import Surface
import System

/// Sends over UDP, from the port of the server, since clients expect packets from there.
final class UDPTransport: Transport {
  let name = "UDP"
  let replyPort: Int?
  private let server: lo_server
  private let log: (String) -> Void
  private var logged = RateLimiter(burst: 1, perSecond: 1 / 60)
  // Peers that the last packet could not be sent to, so that each failure is logged once.
  private var unreachable: Set<Peer> = []
  // Resolved once, since liblo calls the system's resolver even for a number.
  private var addresses: [Peer: lo_address] = [:]
  private var spool = Spool()
  private var confirmation = Confirmation()
  /// The number of packets that the system refused to send.
  private(set) var failures: UInt64 = 0

  /// The most peers whose resolved addresses are kept.
  private static let cachedPeers = 64

  init(_ server: lo_server, replyPort: Int, log: @escaping (String) -> Void) {
    (self.server, self.replyPort, self.log) = (server, replyPort, log)
  }

  deinit { for address in addresses.values { lo_address_free(address) } }

  let budget = PacketBudget.datagrams

  // MARK: - Confirmation

  /// Notes a datagram of `bytes` from a peer.
  func received(_ peer: Peer, bytes: Int, now: Int64) {
    confirmation.received(peer, bytes: bytes, now: now)
  }

  /// Notes a word that a peer sent back, which may be that of its challenge.
  func confirm(_ peer: Peer, word: String) { confirmation.confirm(peer, word: word) }

  func isConfirmed(_ peer: Peer) -> Bool { confirmation.isConfirmed(peer) }

  func confirm(_ peer: Peer, now: Int64) { confirmation.confirm(peer, now: now) }

  /// Whether feedback may be sent to a peer. An unconfirmed peer is challenged, and its feedback waits.
  func isReady(for peer: Peer, now: Int64) -> Bool {
    if confirmation.isConfirmed(peer) { return true }
    challenge(peer, now)
    return false
  }

  private func challenge(_ peer: Peer, _ now: Int64) {
    if let challenge = confirmation.challenge(peer, now: now) { sendOne(challenge, to: peer) }
  }

  // MARK: - Answers

  /// Sends a single message at once. Several messages, and one that exceeds the allowance of an unconfirmed peer, are
  /// sent through the spool.
  func answer(_ messages: [OSCMessage], to peer: Peer) -> Bool {
    if messages.count == 1 && confirmation.spend(messages[0].bytes, on: peer) {
      sendOne(messages[0], to: peer)
      return true
    }
    return messages.isEmpty || spool.add(messages, to: peer)
  }

  /// Sends the due packets of long answers. Returns the time of the next call.
  func sendSpooled(_ now: Int64) -> Int64? {
    let next = spool.send(
      now, budget,
      allowance: { peer in
        if !isConfirmed(peer) { challenge(peer, now) }
        return confirmation.allowance(for: peer)
      },
      send: { messages, peer in
        let bytes = messages.reduce(OSCMessage.bundleHead) { $0 + $1.size }
        if confirmation.spend(bytes, on: peer) { _ = send(messages, to: peer) }
      })
    return [next, confirmation.next(now)].compactMap { $0 }.min()
  }

  private func sendOne(_ message: OSCMessage, to peer: Peer) {
    guard let address = address(peer), let encoded = message.encoded() else { return }
    _ = isSent(lo_send_message_from(address, server, message.address, encoded), address, peer)
    lo_message_free(encoded)
  }

  func send(_ messages: [OSCMessage], to peer: Peer) -> Bool {
    guard let address = address(peer), let bundle = encodedBundle(messages) else { return false }
    defer { lo_bundle_free_recursive(bundle) }
    return isSent(lo_send_bundle_from(address, server, bundle), address, peer)
  }

  private func isSent(_ count: Int32, _ address: lo_address, _ peer: Peer) -> Bool {
    if count >= 0 {
      unreachable.remove(peer)
      return true
    }
    failures += 1
    if unreachable.count >= UDPTransport.cachedPeers { unreachable.removeAll() }
    if unreachable.insert(peer).inserted && logged.take(monotonic()) {
      let why = lo_address_errstr(address).map { String(cString: $0) } ?? "unknown error"
      log("could not send OSC to \(peer): \(why); clients receive everything once the network works again")
    }
    return false
  }

  private func address(_ peer: Peer) -> lo_address? {
    if let address = addresses[peer] { return address }
    if addresses.count >= UDPTransport.cachedPeers {
      for address in addresses.values { lo_address_free(address) }
      addresses.removeAll()
    }
    let address = lo_address_new("\(peer.host)", "\(peer.port ?? 0)")
    addresses[peer] = address
    return address
  }
}
