import CLiblo
import Glibc
import OSCPackets
import Surface
import System

/// The OSC server: one UDP socket for receiving and sending, in the loop of the control thread.
///
/// UDP only: the stream sockets of Debian's liblo versions are not safe against a hostile peer.
public final class Server {
  /// The port that it listens on.
  public let port: Int
  /// The number of datagrams that were not OSC, since the start.
  public private(set) var garbage: UInt64 = 0

  private let server: lo_server
  private let descriptor: Int32
  private let loop: PollLoop
  private let surface: ControlSurface
  private let transport: UDPTransport
  private let clients: ClientStore
  private let log: (String) -> Void
  private var logged = RateLimiter(burst: 1, perSecond: 1 / 60)
  private let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 65_536, alignment: 8)

  /// The time that one round may spend on receiving datagrams, nanoseconds.
  static let receiveTime: Int64 = 500_000

  /// Listens on `port` (0 for any free one) of every IPv4 address, with or without a network, from the next round of
  /// `loop` on. Messages are passed to `surface`; feedback for tablets is sent to the port `replyPort` of their
  /// hosts.
  public init(
    port: Int, replyPort: Int, surface: ControlSurface, loop: PollLoop, log: @escaping (String) -> Void
  ) throws(PortFailure) {
    // liblo never closes the sockets of a failed attempt, so the port is first tried without it.
    let refusal = Server.refusal(of: port)
    guard refusal == 0, let server = lo_server_new_with_proto("\(port)", Int32(LO_UDP), nil) else {
      throw PortFailure(.udp, port: port, code: refusal)
    }
    self.server = server
    self.loop = loop
    self.log = log
    descriptor = lo_server_get_socket_fd(server)
    self.port = Server.port(of: descriptor)
    self.surface = surface
    transport = UDPTransport(server, replyPort: replyPort, log: log)
    clients = ClientStore(surface, transport, log: log)

    // A slow network must not block the control thread.
    _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK)
    // As large as the system allows, so that no datagram is lost while the thread waits for a processor.
    var bytes: Int32 = 1 << 20
    setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &bytes, socklen_t(MemoryLayout<Int32>.size))
    loop.watch(descriptor) { [unowned self] in receive() }
    loop.afterEachRound { [weak self] now in self?.afterRound(now) }
  }

  deinit {
    loop.forget(descriptor)
    lo_server_free(server)
    buffer.deallocate()
  }

  /// The error number of binding a port on IPv4, the only family that liblo binds; 0 if the port is free.
  private static func refusal(of port: Int) -> Int32 {
    let descriptor = socket(AF_INET, Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    if descriptor < 0 { return errno }
    defer { close(descriptor) }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = in_port_t(UInt16(truncatingIfNeeded: port)).bigEndian
    return withSocketAddress(&address) { bind(descriptor, $0, $1.pointee) } == 0 ? 0 : errno
  }

  /// The port of a socket. liblo does not know one that the system has chosen.
  private static func port(of descriptor: Int32) -> Int {
    var address = sockaddr_in()
    _ = withSocketAddress(&address) { getsockname(descriptor, $0, $1) }
    return Int(UInt16(bigEndian: address.sin_port))
  }

  // MARK: - Receiving

  private func receive() {
    let start = monotonic()
    var now = start
    clients.noteActivity(now)
    repeat {
      var address = sockaddr_in()
      let count = withSocketAddress(&address) {
        recvfrom(descriptor, buffer.baseAddress, buffer.count, 0, $0, $1)
      }
      // ECONNREFUSED reports that an earlier packet from this socket was not delivered.
      if count < 0 && errno != ECONNREFUSED { break }
      if count >= 0, let peer = Peer(address) {
        receive(UnsafeMutableRawBufferPointer(rebasing: buffer[..<count]), from: peer, now: now)
      }
      now = monotonic()
    } while now - start < Server.receiveTime
  }

  /// Enqueues the messages of a datagram, which arrived at `now` by CLOCK_MONOTONIC and at `wall` by the wall clock.
  func receive(
    _ datagram: UnsafeMutableRawBufferPointer, from peer: Peer, now: Int64,
    wall: @autoclosure () -> TimeTag = .now
  ) {
    guard surface.admits(peer.host) else { return }
    // A subscription for pipit's port must not make it answer itself for ever.
    if peer.port == port && peer.host.isThisMachine { return }
    transport.received(peer, bytes: datagram.count, now: now)
    // One clock reading for all messages of a bundle, or a later message could get an earlier moment.
    var known: TimeTag?
    let packet = surface.nextPacket()
    let isOSC = Packet.read(datagram) { message in
      if message.address == "/here", case .string(let word)? = message.arguments.first {
        transport.confirm(peer, word: word)
      }
      var moment: Int64?
      if message.time != .immediately {
        let wall = known ?? wall()
        known = wall
        moment = message.time.moment(now, wall: wall)
      }
      surface.enqueue(
        IncomingMessage(
          message.address, message.arguments, moment: moment, tag: message.time.bits, packet: packet),
        from: peer, over: transport)
    }
    if !isOSC { countGarbage() }
  }

  /// Whether a peer has proved that it receives packets at its address.
  func isConfirmed(_ peer: Peer) -> Bool { transport.isConfirmed(peer) }

  /// Counts a datagram that is not OSC, and logs it. Its sender gets no answer.
  private func countGarbage() {
    garbage += 1
    if logged.take(monotonic()) { log("received \(garbage) datagrams on UDP port \(port) that are not OSC") }
  }

  /// Sends the next packets of long answers, and saves the clients. Returns the time of the next call.
  func afterRound(_ now: Int64) -> Int64? {
    [clients.update(now), transport.sendSpooled(now)].compactMap { $0 }.min()
  }

  /// Saves the clients for the next start. To be called before the library is stopped.
  public func finish() { clients.finish(monotonic()) }
}
