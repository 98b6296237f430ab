import Control
import Parameters
import Presets
import Scenes
import Storage
import Synth
@testable import Surface

/// A transport that keeps what it is given, on times that the test gives.
final class RecordedTransport: Transport {
  struct SentPacket {
    let at: Int64
    let peer: Peer
    let messages: [OSCMessage]
  }
  let replyPort: Int?
  let budget: PacketBudget
  var packets: [SentPacket] = []
  var answers: [OSCMessage] = []
  var now: Int64 = 0
  /// Whether there is room for a packet.
  var isReady = true
  /// Whether the system sends anything.
  var isUp = true

  init(replyPort: Int? = 9000, isLossy: Bool = true) {
    self.replyPort = replyPort
    let lossy = PacketBudget.datagrams
    budget = PacketBudget(packetBytes: lossy.packetBytes, interval: lossy.interval, isLossy: isLossy)
  }

  func isReady(for peer: Peer, now: Int64) -> Bool { isReady }

  func send(_ messages: [OSCMessage], to peer: Peer) -> Bool {
    packets.append(SentPacket(at: now, peer: peer, messages: messages))
    return isUp
  }

  func answer(_ messages: [OSCMessage], to peer: Peer) -> Bool {
    answers += messages
    return true
  }
}

/// A surface without sockets, on times that the test gives.
struct SurfaceHarness {
  let link: Link
  let library: Library
  let surface: ControlSurface
  let transport: RecordedTransport

  init(
    _ library: Library = Library(database: nil, factory: nil, log: { _ in }), _ tree: NodeTree = .instrument,
    over transport: RecordedTransport = RecordedTransport(), allow: AllowedNetworks = .anywhere
  ) {
    self.init(
      Instrument(link: Link(.initial), library: library, log: { _ in }), tree, over: transport, allow: allow)
  }

  init(
    _ control: Instrument, _ tree: NodeTree = .instrument,
    over transport: RecordedTransport = RecordedTransport(), allow: AllowedNetworks = .anywhere
  ) {
    (link, library) = (control.link, control.library)
    self.transport = transport
    surface = ControlSurface(control, allow: allow, tree, log: { _ in })
  }

  init(_ tree: NodeTree) { self.init(Library(database: nil, factory: nil, log: { _ in }), tree) }

  var control: Instrument { surface.instrument }
  var clients: [Client] { surface.clients.all }

  func send(_ address: String, _ numbers: Double..., from peer: Peer, at now: Int64) {
    surface.receive(
      address, numbers.map { .number($0) }, from: peer, over: transport, now: now)
  }

  func send(_ address: String, _ text: String, from peer: Peer, at now: Int64) {
    surface.receive(address, [.string(text)], from: peer, over: transport, now: now)
  }

  /// The packets that are tried until nothing is left to do, or until `end`.
  func packets(from start: Int64, until end: Int64 = .max, lateness: Int64 = 0) -> [RecordedTransport
    .SentPacket]
  {
    transport.packets.removeAll()
    var next: Int64? = start
    while let time = next, time < end {
      transport.now = time
      // A loop is a little late.
      next = surface.sendDue(time).map { max($0, time) + lateness }
    }
    return transport.packets
  }

  /// The addresses that everyone is told of over this transport.
  var shared: Set<String> {
    let map = surface.feedback.map
    let entries = (0..<map.groups.shared).filter { !transport.budget.isLossy || !map.peaks.contains($0) }
    return Set(entries.map { map.text($0) })
  }
}

extension Peer {
  /// A socket of a machine by its IPv4 address.
  init(host: UInt32, port: Int) { self.init(HostAddress(host), port: port) }
}

extension AllowedNetworks {
  /// Everyone.
  static let anywhere = AllowedNetworks("any") ?? .thisMachine
}

extension Library {
  /// Who was shown the instrument, as it was saved; empty for nobody.
  var clients: String { documents[.clients]?.text ?? "" }

  /// Puts a text in the place of the clients, however long it is, as if it lay in the database.
  func save(clients text: String) { try? documents.save(Document { text }, .clients) }
}

/// The cutoff of part 1.
let cutoff = ParameterID(row: Table.rows.firstIndex { $0.address == "/filter/cutoff" } ?? 0, part: 0)
