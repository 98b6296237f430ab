import CLiblo
import Glibc
import OSCPackets
import Surface
import System

/// The OSC server: one UDP socket, in the control thread's poll. Everything leaves from it as well.
///
/// UDP only: the stream sockets of the liblo versions that Debian has are not safe against a peer that means harm.
public final class Server {
  /// Why the server could not be started.
  public struct Failure: Error, Equatable {
    /// The port that was wanted.
    public let port: Int
    /// The error number of the system; 0 when it gave none.
    public let code: Int32
  }

  /// The port that it listens on.
  public let port: Int
  /// Datagrams that were no OSC, since the start.
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

  /// The time that one round may spend on taking in datagrams, nanoseconds.
  static let share: Int64 = 500_000

  /// Listens on `port` (0 takes any that is free) of every IPv4 address, network or not, from the next round
  /// of `loop` on. Who speaks there reaches `surface`, and is told at `replyPort`.
  public init(
    port: Int, replyPort: Int, surface: ControlSurface, loop: PollLoop, log: @escaping (String) -> Void
  ) throws(Failure) {
    // liblo never closes the sockets of an attempt that fails, so the port is asked for without it first.
    let refusal = Server.refusal(of: port)
    guard refusal == 0, let server = lo_server_new_with_proto("\(port)", Int32(LO_UDP), nil) else {
      throw Failure(port: port, code: refusal)
    }
    self.server = server
    self.loop = loop
    self.log = log
    descriptor = lo_server_get_socket_fd(server)
    self.port = Server.port(of: descriptor)
    self.surface = surface
    transport = UDPTransport(server, replyPort: replyPort, log: log)
    clients = ClientStore(surface, transport, log: log)

    // A network that is slow to send must not hold the control thread.
    _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK)
    // As much as the system gives, so that what comes in while the thread waits for a processor is not lost.
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

  /// Why a port cannot be had on IPv4, the one family that liblo binds: the error number, 0 when it can.
  private static func refusal(of port: Int) -> Int32 {
    let descriptor = socket(AF_INET, Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    if descriptor < 0 { return errno }
    defer { close(descriptor) }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = in_port_t(UInt16(truncatingIfNeeded: port)).bigEndian
    return withSocketAddress(&address) { bind(descriptor, $0, $1.pointee) } == 0 ? 0 : errno
  }

  /// The port that a socket is bound to, which liblo does not know when the system picked it.
  private static func port(of descriptor: Int32) -> Int {
    var address = sockaddr_in()
    _ = withSocketAddress(&address) { getsockname(descriptor, $0, $1) }
    return Int(UInt16(bigEndian: address.sin_port))
  }

  // MARK: - In

  private func receive() {
    let start = monotonic()
    var now = start
    clients.heardSomething(now)
    repeat {
      var address = sockaddr_in()
      let count = withSocketAddress(&address) {
        recvfrom(descriptor, buffer.baseAddress, buffer.count, 0, $0, $1)
      }
      // An error that an earlier packet met elsewhere is no reason to stop.
      if count < 0 && errno != ECONNREFUSED { break }
      if count >= 0, let peer = Peer(address) {
        take(UnsafeMutableRawBufferPointer(rebasing: buffer[..<count]), from: peer, now: now)
      }
      now = monotonic()
    } while now - start < Server.share
  }

  /// Takes one datagram, which came at `now`, and at what time of the wall clock.
  func take(
    _ datagram: UnsafeMutableRawBufferPointer, from peer: Peer, now: Int64,
    wall: @autoclosure () -> TimeTag = .now
  ) {
    guard surface.admits(peer.host) else { return }
    // Whoever asks for feedback at pipit's own port must not make it talk to itself for ever.
    if peer.port == port && peer.host.isThisMachine { return }
    transport.heard(peer, bytes: datagram.count, now: now)
    // One moment for all messages of a bundle, or a later one would be meant earlier.
    var known: TimeTag?
    let isOSC = Packet.read(datagram) { message in
      if message.address == "/here", case .string(let word)? = message.arguments.first {
        transport.answered(peer, word)
      }
      var moment: Int64?
      if message.time != .immediately {
        let wall = known ?? wall()
        known = wall
        moment = message.time.moment(now, wall: wall)
      }
      surface.enqueue(
        IncomingMessage(message.address, message.arguments, moment: moment, tag: message.time.bits),
        from: peer, over: transport)
    }
    if !isOSC { countGarbage() }
  }

  /// Whether a peer has shown that it receives what it is sent.
  func isConfirmed(_ peer: Peer) -> Bool { transport.isConfirmed(peer) }

  /// There is no one to answer.
  private func countGarbage() {
    garbage += 1
    if logged.take(monotonic()) { log("got \(garbage) datagrams on UDP port \(port) that are no OSC") }
  }

  /// Sends the next packets of long answers, and saves the clients; returns the time of its next turn.
  func afterRound(_ now: Int64) -> Int64? {
    [clients.update(now), transport.sendSpooled(now)].compactMap { $0 }.min()
  }

  /// Keeps who is known for the next start, as the last thing before the library is stopped.
  public func finish() { clients.finish(monotonic()) }
}
