import CLiblo
import Control
import Surface
import System

/// What leaves: everything from the server's own port, which is where a client expects it from.
final class Sender: Transport {
  let replyPort: Int?
  private let server: lo_server
  private let access: AllowedNetworks
  private let log: (String) -> Void
  private var logged = RateLimiter(burst: 1, perSecond: 1 / 60)
  // Where the last packet could not be sent to: said once, however long it lasts.
  private var unreachable: Set<Peer> = []
  // Resolved once, since liblo asks the system's resolver even for a number.
  private var addresses: [Peer: lo_address] = [:]
  private var spool = Spool()
  private var confirmation = Confirmation()
  /// The time of the round that goes on, CLOCK_MONOTONIC.
  var now = Int64.min / 2

  /// Answers for which there was no room.
  private(set) var dropped = 0

  /// Packets that the system refused to send.
  private(set) var failures: UInt64 = 0

  /// One frame of any network at a time, and fifty a second: Wi-Fi loses half of what comes at once.
  static let budget = PacketBudget(packetBytes: 1400, interval: 20_000_000, isLossy: true)
  /// Peers whose socket address is kept ready.
  private static let places = 64

  init(_ server: lo_server, replyPort: Int, _ access: AllowedNetworks, log: @escaping (String) -> Void) {
    (self.server, self.replyPort, self.access, self.log) = (server, replyPort, access, log)
  }

  deinit { for address in addresses.values { lo_address_free(address) } }

  var budget: PacketBudget { Sender.budget }

  func admits(_ peer: Peer) -> Bool { access.admits(peer) }

  // MARK: - Who is there

  /// A datagram of so many bytes came from a peer.
  func heard(_ peer: Peer, bytes: Int) {
    confirmation.heard(peer, bytes: bytes, now: now)
  }

  /// A peer sent back a word, which may be that of `/who`.
  func answered(_ peer: Peer, _ word: String) { confirmation.answered(peer, word) }

  func isConfirmed(_ peer: Peer) -> Bool { confirmation.isConfirmed(peer) }

  func confirm(_ peer: Peer, now: Int64) { confirmation.confirm(peer, now: now) }

  /// Feedback waits for a peer to be confirmed, and whoever has some waiting is asked.
  func isReady(for peer: Peer) -> Bool {
    if confirmation.isConfirmed(peer) { return true }
    ask(peer)
    return false
  }

  private func ask(_ peer: Peer) {
    if let question = confirmation.question(peer, now: now) { sendOne(question, to: peer) }
  }

  // MARK: - Answers

  /// One message goes as it is and at once, several in bundles, spread out; also one for which a peer that is not
  /// confirmed has to wait.
  func answer(_ messages: [OSCMessage], to peer: Peer) {
    if messages.count == 1 && confirmation.spend(messages[0].bytes, on: peer) {
      return sendOne(messages[0], to: peer)
    }
    if !messages.isEmpty && !spool.add(messages, to: peer) { dropped += 1 }
  }

  /// Sends what is due of long answers; returns when there is more to do.
  func sendSpooled() -> Int64? {
    let next = spool.send(
      now, budget,
      room: { peer in
        if !isConfirmed(peer) { ask(peer) }
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
    if unreachable.count >= Sender.places { unreachable.removeAll() }
    if unreachable.insert(peer).inserted && logged.take(monotonic()) {
      let why = lo_address_errstr(address).map { String(cString: $0) } ?? "unknown error"
      log("could not send OSC to \(peer): \(why); clients are shown everything once the network takes it")
    }
    return false
  }

  private func address(_ peer: Peer) -> lo_address? {
    if let address = addresses[peer] { return address }
    if addresses.count >= Sender.places {
      for address in addresses.values { lo_address_free(address) }
      addresses.removeAll()
    }
    let address = lo_address_new(peer.hostText, "\(peer.port)")
    addresses[peer] = address
    return address
  }
}
