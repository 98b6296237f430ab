import CLiblo
import OSCPackets
import Surface
import System

/// What leaves: everything from the server's own port, which is where a client expects it from.
final class UDPTransport: Transport {
  let replyPort: Int?
  private let server: lo_server
  private let log: (String) -> Void
  private var logged = RateLimiter(burst: 1, perSecond: 1 / 60)
  // Where the last packet could not be sent to: said once, however long it lasts.
  private var unreachable: Set<Peer> = []
  // Resolved once, since liblo asks the system's resolver even for a number.
  private var addresses: [Peer: lo_address] = [:]
  private var spool = Spool()
  private var confirmation = Confirmation()
  /// Packets that the system refused to send.
  private(set) var failures: UInt64 = 0

  /// One frame of any network at a time, and fifty a second: Wi-Fi loses half of what comes at once.
  static let budget = PacketBudget(packetBytes: 1400, interval: 20_000_000, isLossy: true)
  /// Peers whose socket address is kept ready.
  private static let places = 64

  init(_ server: lo_server, replyPort: Int, log: @escaping (String) -> Void) {
    (self.server, self.replyPort, self.log) = (server, replyPort, log)
  }

  deinit { for address in addresses.values { lo_address_free(address) } }

  var budget: PacketBudget { UDPTransport.budget }

  // MARK: - Who is there

  /// A datagram of so many bytes came from a peer.
  func heard(_ peer: Peer, bytes: Int, now: Int64) {
    confirmation.heard(peer, bytes: bytes, now: now)
  }

  /// A peer sent back a word, which may be that of `/who`.
  func answered(_ peer: Peer, _ word: String) { confirmation.answered(peer, word) }

  func isConfirmed(_ peer: Peer) -> Bool { confirmation.isConfirmed(peer) }

  func confirm(_ peer: Peer, now: Int64) { confirmation.confirm(peer, now: now) }

  /// Feedback waits for a peer to be confirmed, and whoever has some waiting is asked.
  func isReady(for peer: Peer, now: Int64) -> Bool {
    if confirmation.isConfirmed(peer) { return true }
    ask(peer, now)
    return false
  }

  private func ask(_ peer: Peer, _ now: Int64) {
    if let question = confirmation.question(peer, now: now) { sendOne(question, to: peer) }
  }

  // MARK: - Answers

  /// One message goes as it is and at once, several in bundles, spread out; also one for which a peer that is not
  /// confirmed has to wait.
  func answer(_ messages: [OSCMessage], to peer: Peer) -> Bool {
    if messages.count == 1 && confirmation.spend(messages[0].bytes, on: peer) {
      sendOne(messages[0], to: peer)
      return true
    }
    return messages.isEmpty || spool.add(messages, to: peer)
  }

  /// Sends what is due of long answers; returns when there is more to do.
  func sendSpooled(_ now: Int64) -> Int64? {
    let next = spool.send(
      now, budget,
      room: { peer in
        if !isConfirmed(peer) { ask(peer, now) }
        return confirmation.room(for: peer)
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
    if unreachable.count >= UDPTransport.places { unreachable.removeAll() }
    if unreachable.insert(peer).inserted && logged.take(monotonic()) {
      let why = lo_address_errstr(address).map { String(cString: $0) } ?? "unknown error"
      log("could not send OSC to \(peer): \(why); clients are shown everything once the network takes it")
    }
    return false
  }

  private func address(_ peer: Peer) -> lo_address? {
    if let address = addresses[peer] { return address }
    if addresses.count >= UDPTransport.places {
      for address in addresses.values { lo_address_free(address) }
      addresses.removeAll()
    }
    let address = lo_address_new("\(peer.host)", "\(peer.port ?? 0)")
    addresses[peer] = address
    return address
  }
}
