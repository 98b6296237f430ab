import CLiblo
import Glibc
import Scratch
import Surface
import Testing

@testable import OSC
@testable import OSCPackets

/// A bad network between a tablet and pipit, on times that the test gives: of each direction a fifth of the datagrams
/// is lost, a tenth comes twice, and all are late by times of their own, so that they overtake each other.
final class Relay {
  /// Where pipit hears the tablet from.
  let peer: Peer
  /// The tablet is out of reach: nothing of what it sends arrives.
  var isDeaf = false
  /// When pipit sent something.
  private(set) var sent: [Int64] = []
  /// Datagrams dropped.
  private(set) var lost = 0

  private var waiting: [(due: Int64, bytes: [UInt8], toPipit: Bool)] = []
  private var random: SeededRandom

  init(host: UInt32, random: SeededRandom) {
    peer = Peer(host: host, port: 50_000)
    self.random = random
  }

  /// Takes a datagram of pipit's.
  func send(toTablet bytes: [UInt8], _ now: Int64) {
    sent.append(now)
    delay(bytes, toPipit: false, now)
  }

  /// Takes the question to a tablet whether it is there, which is no feedback.
  func ask(_ bytes: [UInt8], _ now: Int64) { delay(bytes, toPipit: false, now) }

  /// Takes a datagram of the tablet's.
  func send(toPipit bytes: [UInt8], _ now: Int64) { delay(bytes, toPipit: true, now) }

  /// What arrives now.
  func arrived(_ now: Int64) -> [(bytes: [UInt8], toPipit: Bool)] {
    let due = waiting.filter { $0.due <= now }
    waiting.removeAll { $0.due <= now }
    return due.map { ($0.bytes, $0.toPipit) }
  }

  private func delay(_ bytes: [UInt8], toPipit: Bool, _ now: Int64) {
    if random.chance(0.2) || toPipit && isDeaf {
      lost += 1
      return
    }
    for _ in 0..<(random.chance(0.1) ? 2 : 1) {
      // Up to 5 ms, and now and then up to 60.
      let most: Int64 = random.chance(0.1) ? 60_000_000 : 5_000_000
      waiting.append((now + .random(in: 0...most, using: &random), bytes, toPipit))
    }
  }
}

/// The packets that UDP would carry, byte for byte, given to the relays of the tablets instead. It challenges peers as
/// UDP does.
final class RelayTransport: Transport {
  let budget = PacketBudget.datagrams
  let replyPort: Int? = 9000
  let relays: [Relay]
  var now: Int64 = 0
  private var confirmation = Confirmation()

  init(_ relays: [Relay]) { self.relays = relays }

  func isConfirmed(_ peer: Peer) -> Bool { confirmation.isConfirmed(peer) }

  func isReady(for peer: Peer, now: Int64) -> Bool {
    if !confirmation.isConfirmed(peer), let challenge = confirmation.challenge(peer, now: now) {
      relays.first { $0.peer.host == peer.host }?.ask([challenge].datagram, now)
    }
    return confirmation.isConfirmed(peer)
  }

  /// A datagram came from a tablet.
  func received(_ peer: Peer, bytes: Int) { confirmation.received(peer, bytes: bytes, now: now) }

  /// A message came from a tablet.
  func received(_ message: Packet.Incoming, from peer: Peer) {
    guard message.address == "/here", case .string(let word)? = message.arguments.first else { return }
    confirmation.confirm(peer, word: word)
  }

  func send(_ messages: [OSCMessage], to peer: Peer) -> Bool {
    guard let relay = relays.first(where: { $0.peer.host == peer.host }), peer.port == replyPort else {
      return false
    }
    let bytes = messages.datagram
    #expect(bytes.count <= budget.packetBytes)
    relay.send(toTablet: bytes, now)
    return true
  }

  /// A tablet does not hear answers: it does not listen where it speaks from.
  func answer(_ messages: [OSCMessage], to peer: Peer) -> Bool { true }
}

extension [OSCMessage] {
  /// A bundle of these as it lies on the wire.
  fileprivate var datagram: [UInt8] {
    let bundle = encodedBundle(self)
    defer { lo_bundle_free_recursive(bundle) }
    var size = 0
    guard let bytes = lo_bundle_serialise(bundle, nil, &size) else { return [] }
    defer { free(bytes) }
    return [UInt8](UnsafeRawBufferPointer(start: bytes, count: size))
  }
}
