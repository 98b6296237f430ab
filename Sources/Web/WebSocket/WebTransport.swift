import Control
import Glibc
import OSCPackets
import Surface
import System

/// Carries messages over WebSockets: binary frames of OSC both ways, and text frames with the commands of OSCQuery.
/// Control thread only.
///
/// A program that has sent LISTEN receives the values of those addresses, with the types of OSCQuery. pipit's page
/// sends LISTEN_ALL, and receives everything that a tablet receives.
final class WebTransport: Transport {
  private struct Connection {
    let socket: WebSocket
    let peer: Peer
    let isActive: () -> Void
    let close: () -> Void
    // The addresses that are listened to, with their types.
    var listens: [String: QueryType] = [:]
    var listensToAll = false
    // Reads the samples of the output; nil while the peer does not ask for them.
    var viewer: MonitorViewer?
    var sendsSamples = false
    var samplesAt = Int64.min
    var pingAt: Int64
  }
  private let surface: ControlSurface
  private let loop: PollLoop
  private let log: (String) -> Void
  private var connections: [Int: Connection] = [:]
  // Peers whose connections have ended, and whose last messages may still wait.
  private var leaving: [Peer] = []
  private var connected = 0
  private var logged = RateLimiter(burst: 1, perSecond: 1 / 60)

  let name = "WebSocket"
  let replyPort: Int? = nil
  let messageBytes = WebSocket.messageBytes
  /// Frames of one message each, with the latest value of each address whenever the network is ready.
  let budget = PacketBudget(packetBytes: 16 << 10, interval: 0, isLossy: false)

  /// The time between pings while the peer holds notes, and otherwise, nanoseconds. A peer that sends nothing for two
  /// and a half times as long is disconnected.
  static let pingIntervals: (playing: Int64, idle: Int64) = (2_000_000_000, 20_000_000_000)

  init(_ surface: ControlSurface, loop: PollLoop, log: @escaping (String) -> Void) {
    (self.surface, self.loop, self.log) = (surface, loop, log)
    loop.afterEachRound { [weak self] now in self?.update(now) }
  }

  /// The number of connections.
  var count: Int { connections.count }

  /// Takes a connection.
  func take(_ upgraded: HTTPServer.Upgraded) {
    connected += 1
    let number = connected
    let peer = Peer(upgraded.host, connection: number)
    let socket = WebSocket(
      upgraded.descriptor, early: upgraded.early, loop: loop,
      receive: { [unowned self] message in receive(message, number) },
      ended: { [unowned self] in ended(number) })
    socket.mayRead = { [unowned self] in !surface.isWaiting(peer, over: self) }
    connections[number] = Connection(
      socket: socket, peer: peer, isActive: upgraded.isActive, close: upgraded.close,
      pingAt: monotonic() + Self.pingIntervals.idle)
    socket.begin()
  }

  /// Closes all connections.
  func finish() { for connection in connections.values { connection.socket.close(.goingAway) } }

  private func ended(_ number: Int) {
    guard let connection = connections.removeValue(forKey: number) else { return }
    connection.close()
    leaving.append(connection.peer)
    loop.waker.wake()
  }

  // MARK: - Receiving

  private func receive(_ message: WebSocket.Message, _ number: Int) {
    guard let connection = connections[number] else { return }
    connection.isActive()
    switch message {
    case .binary(let bytes):
      let copy = UnsafeMutableRawBufferPointer.allocate(byteCount: bytes.count, alignment: 8)
      defer { copy.deallocate() }
      copy.copyMemory(from: bytes)
      let packet = surface.nextPacket()
      let isOSC = Packet.read(copy) { message in
        surface.enqueue(
          IncomingMessage(message.address, message.arguments, packet: packet), from: connection.peer,
          over: self)
      }
      if !isOSC { connection.socket.close(.wrong) }
    case .text(let bytes):
      guard let command = WebCommand(bytes) else { return }
      perform(command, number)
    }
  }

  private func perform(_ command: WebCommand, _ number: Int) {
    guard let connection = connections[number] else { return }
    switch command {
    case .listenAll:
      connections[number]?.listensToAll = true
      surface.connect(connection.peer, over: self, now: monotonic())
    case .listen(let address):
      guard connection.listens.count < Self.listens, let target = surface.tree.find(address) else { return }
      let (node, text) = (surface.tree[target], surface.tree.text(target))
      let type = QueryType(node)
      connections[number]?.listens[text] = type
      if node.isMonitored, connection.viewer == nil {
        connections[number]?.viewer = surface.instrument.monitor.start()
      }
      guard let value = surface.listen(to: target, connection.peer, over: self, now: monotonic()) else {
        return
      }
      queue(OSCMessage(text, type.value(value)), on: connection.socket)
      connection.socket.flush()
    case .ignore(let address):
      connections[number]?.listens[address] = nil
    case .monitor(let isOn):
      connections[number]?.viewer = isOn ? surface.instrument.monitor.start() : nil
      connections[number]?.sendsSamples = isOn
    }
  }

  /// The most addresses that a connection listens to.
  static let listens = 8192

  // MARK: - Sending

  func isReady(for peer: Peer, now: Int64) -> Bool { socket(peer)?.isReady ?? false }

  private func socket(_ peer: Peer) -> WebSocket? {
    peer.connection.flatMap { connections[$0] }?.socket
  }

  func send(_ messages: [OSCMessage], to peer: Peer) -> Bool {
    guard let number = peer.connection, let connection = connections[number] else { return false }
    for message in messages {
      if connection.listensToAll {
        queue(message, on: connection.socket)
      } else if let type = connection.listens[message.address] {
        queue(OSCMessage(message.address, type.value(message.value)), on: connection.socket)
      }
    }
    connection.socket.flush()
    return true
  }

  func answer(_ messages: [OSCMessage], to peer: Peer) -> Bool {
    guard let socket = socket(peer) else { return false }
    for message in messages { queue(message, on: socket) }
    socket.flush()
    return true
  }

  private func queue(_ message: OSCMessage, on socket: WebSocket) {
    if let bytes = OSCMessage.packet(message.address, [message.value]) { socket.queue(bytes) }
  }

  // MARK: - Samples

  /// The time between two packets of samples, nanoseconds.
  static let samplesInterval: Int64 = 33_000_000

  /// Sends the samples of the output to the peers that asked for them. A peer whose network is busy misses some.
  private func sendSamples(_ now: Int64) -> Int64? {
    var next: Int64?
    for (number, connection) in connections where connection.sendsSamples {
      if connection.samplesAt > now {
        next = min(next ?? .max, connection.samplesAt)
        continue
      }
      connections[number]?.samplesAt = now + Self.samplesInterval
      next = min(next ?? .max, now + Self.samplesInterval)
      guard let viewer = connection.viewer, connection.socket.isReady else { continue }
      let samples = viewer.read(.mono, limit: viewer.rate / 8)
      if samples.values.isEmpty { continue }
      connection.socket.queue(SamplesMessage.bytes(rate: viewer.rate, samples.values))
      connection.socket.flush()
    }
    return next
  }

  // MARK: - Pings

  /// Pings silent peers, and ends those that do not answer. Returns the time of the next call.
  private func update(_ now: Int64) -> Int64? {
    leaving.removeAll { peer in
      if surface.isWaiting(peer, over: self) { return false }
      surface.disconnected(peer, over: self)
      return true
    }
    var next = leaving.isEmpty ? Int64.max : now + 1_000_000
    for (number, connection) in connections {
      connection.socket.goOn()
      let isPlaying = surface.isPlaying(connection.peer, over: self)
      let interval = isPlaying ? Self.pingIntervals.playing : Self.pingIntervals.idle
      let end = connection.socket.receivedAt + interval * 5 / 2
      if now >= end {
        connection.socket.close(.goingAway)
        continue
      }
      if now >= min(connection.pingAt, connection.socket.receivedAt + interval * 2)
        && now >= connection.socket.receivedAt + interval
      {
        connections[number]?.pingAt = now + interval
        connection.socket.ping()
      }
      next = min(next, end, max(connection.socket.receivedAt, connection.pingAt - interval) + interval)
    }
    next = next == .max ? next : max(next, now + 10_000_000)
    return [next == .max ? nil : next, sendSamples(now)].compactMap { $0 }.min()
  }
}

/// The message `/monitor` with the sample rate and samples as a blob: 16 bits each, big-endian.
enum SamplesMessage {
  /// The bytes of the message.
  static func bytes(rate: Int, _ samples: [Int16]) -> [UInt8] {
    var bytes = Array("/monitor\0\0\0\0,ib\0".utf8)
    bytes.reserveCapacity(bytes.count + 8 + 2 * samples.count + 2)
    append(UInt32(clamping: rate), to: &bytes)
    append(UInt32(clamping: 2 * samples.count), to: &bytes)
    for sample in samples {
      bytes.append(UInt8(truncatingIfNeeded: sample >> 8))
      bytes.append(UInt8(truncatingIfNeeded: sample))
    }
    while bytes.count % 4 != 0 { bytes.append(0) }
    return bytes
  }

  private static func append(_ word: UInt32, to bytes: inout [UInt8]) {
    for shift in [24, 16, 8, 0] { bytes.append(UInt8(truncatingIfNeeded: word >> UInt32(shift))) }
  }
}

/// A command in a text frame, as `{"COMMAND": "LISTEN", "DATA": "/filter/cutoff"}`.
enum WebCommand: Equatable {
  /// Requests the values of an address from now on; OSCQuery.
  case listen(String)
  /// Ends the values of an address; OSCQuery.
  case ignore(String)
  /// Requests all messages that a tablet receives; pipit's page.
  case listenAll
  /// Requests the samples of the output, or ends them; pipit's page.
  case monitor(Bool)

  /// Reads a command; nil for anything else.
  init?(_ text: UnsafeRawBufferPointer) {
    guard text.count <= WebCommand.bytes, let fields = JSONReader.fields(text) else { return nil }
    switch (fields["COMMAND"], fields["DATA"]) {
    case (.text("LISTEN"), .text(let address)): self = .listen(address)
    case (.text("IGNORE"), .text(let address)): self = .ignore(address)
    case (.text("LISTEN_ALL"), _): self = .listenAll
    case (.text("MONITOR"), .truth(let isOn)): self = .monitor(isOn)
    default: return nil
    }
  }

  /// The longest command, bytes.
  static let bytes = 4096
}
