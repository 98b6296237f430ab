import CLiblo
import Control
import Synth
import System

/// What leaves: everything from the server's own port, which is where a client expects it from.
final class Sender {
  private let server: lo_server
  private let log: (String) -> Void
  private var logged = RateLimiter(burst: 1, perSecond: 1 / 60)
  // Where the last packet could not be sent to: said once, however long it lasts.
  private var unreachable: Set<Source> = []
  // Resolved once, since liblo asks the system's resolver even for a number.
  private var addresses: [Source: lo_address] = [:]
  // What is left of long answers, a packet at a time.
  private var spool: [(packet: [Message], place: Source)] = []
  private var nextPacket: Int64 = 0

  /// Packets that the system refused to send.
  private(set) var failures: UInt64 = 0

  init(_ server: lo_server, log: @escaping (String) -> Void) {
    self.server = server
    self.log = log
  }

  deinit { for address in addresses.values { lo_address_free(address) } }

  /// Answers: one message goes as it is, several in a bundle. A long answer is spread out, since a network that
  /// is given hundreds of packets at once loses half of them.
  func answer(_ messages: [Message], to place: Source) {
    if messages.count == 1 { return one(messages[0], to: place) }
    var packet: [Message] = []
    var size = Message.bundleHead
    for message in messages {
      if size + message.size > Limits.packetBytes && !packet.isEmpty {
        put(packet, to: place)
        (packet, size) = ([], Message.bundleHead)
      }
      packet.append(message)
      size += message.size
    }
    put(packet, to: place)
  }

  private func put(_ packet: [Message], to place: Source) {
    if spool.count < Limits.spooledPackets { spool.append((packet, place)) }
  }

  /// Sends the next packet of a long answer when it is due; returns when there is more to do.
  func turn(_ now: Int64) -> Int64? {
    if !spool.isEmpty && nextPacket <= now {
      let (packet, place) = spool.removeFirst()
      send(packet, to: place)
      nextPacket = now + Feedback.pace
    }
    return spool.isEmpty ? nil : nextPacket
  }

  private func one(_ message: Message, to place: Source) {
    guard let address = address(place), let encoded = message.encoded() else { return }
    _ = sent(lo_send_message_from(address, server, message.address, encoded), address, place)
    lo_message_free(encoded)
  }

  /// Sends a bundle that is to be acted on at once. False when the system refused to.
  @discardableResult
  func send(_ messages: [Message], to place: Source) -> Bool {
    guard let address = address(place), let bundle = lo_bundle_new(lo_timetag(sec: 0, frac: 1)) else {
      return false
    }
    defer { lo_bundle_free_recursive(bundle) }
    for message in messages {
      if let encoded = message.encoded() { lo_bundle_add_message(bundle, message.address, encoded) }
    }
    return sent(lo_send_bundle_from(address, server, bundle), address, place)
  }

  private func sent(_ count: Int32, _ address: lo_address, _ place: Source) -> Bool {
    if count >= 0 {
      unreachable.remove(place)
      return true
    }
    failures += 1
    if unreachable.count >= Limits.oscPlaces { unreachable.removeAll() }
    if unreachable.insert(place).inserted && logged.take(monotonic()) {
      let why = lo_address_errstr(address).map { String(cString: $0) } ?? "unknown error"
      log("could not send OSC to \(place): \(why); clients are shown everything once the network takes it")
    }
    return false
  }

  private func address(_ place: Source) -> lo_address? {
    if let address = addresses[place] { return address }
    if addresses.count >= Limits.oscPlaces {
      for address in addresses.values { lo_address_free(address) }
      addresses.removeAll()
    }
    let address = lo_address_new(place.host, "\(place.port)")
    addresses[place] = address
    return address
  }
}
