import CLiblo
import Control
import Glibc
import Synth

/// The OSC server: one UDP socket, in the control thread's poll. Everything leaves from it as well.
public final class Server {
  /// Why the server could not be started, as a sentence.
  public struct Failure: Error, CustomStringConvertible {
    /// What was attempted, and what to do.
    public let description: String
  }

  /// The port that it listens on.
  public let port: Int
  private let server: lo_server
  private let descriptor: Int32
  private let loop: Loop
  private let dispatch: Dispatch
  private let log: (String) -> Void
  private var logged = Allowance(burst: 1, perSecond: 1 / 60)

  /// The time that one round may spend on what has come in, nanoseconds, so that a flood starves nobody.
  static let share: Int64 = 1_000_000

  /// Listens on `port` (0 takes any that is free) of every IPv4 address, network or not, from the next round
  /// of `loop` on. Feedback goes to `replyPort` of whoever has been heard.
  public init(
    port: Int, replyPort: Int, control: Control, loop: Loop, log: @escaping (String) -> Void
  ) throws(Failure) {
    guard let server = lo_server_new_with_proto("\(port)", Int32(LO_UDP), { _, _, _ in Server.refused() })
    else {
      throw Failure(description: "cannot listen for OSC on UDP port \(port): is another pipit running?")
    }
    self.server = server
    self.loop = loop
    self.log = log
    descriptor = lo_server_get_socket_fd(server)
    self.port = Server.port(of: descriptor)
    dispatch = Dispatch(control, replyPort: replyPort)

    // A tablet whose clock is wrong must not have its messages kept for hours.
    lo_server_enable_queue(server, 0, 1)
    // A network that is slow to send must not hold the control thread.
    _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK)
    let me = Unmanaged.passUnretained(self).toOpaque()
    lo_server_set_error_context(server, me)
    lo_server_add_method(
      server, nil, nil,
      { path, types, values, count, message, me in
        guard let path, let me, let source = lo_message_get_source(message) else { return 0 }
        Unmanaged<Server>.fromOpaque(me).takeUnretainedValue()
          .received(String(cString: path), Argument.read(types, values, Int(count)), source)
        return 0
      }, me)
    loop.watch(descriptor) { [unowned self] in receive() }
    loop.afterEachRound { [weak self] now in self?.turn(now) }
  }

  deinit {
    loop.forget(descriptor)
    lo_server_free(server)
  }

  /// The port that a socket is bound to, which liblo does not know when the system picked it.
  private static func port(of descriptor: Int32) -> Int {
    var address = sockaddr_in()
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    withUnsafeMutablePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { _ = getsockname(descriptor, $0, &length) }
    }
    return Int(UInt16(bigEndian: address.sin_port))
  }

  // MARK: - In

  private func receive() {
    let start = monotonic()
    repeat {
      if lo_server_recv_noblock(server, 0) <= 0 { return }
    } while monotonic() - start < Server.share
  }

  private func received(_ address: String, _ arguments: Result<[Argument], Refusal>, _ source: lo_address) {
    guard let host = lo_address_get_hostname(source), let port = lo_address_get_port(source) else { return }
    let now = monotonic()
    let sender = Source(host: String(cString: host), port: String(cString: port))
    dispatch.message(address, arguments, from: sender, now: now) { reply($0, to: source) }
  }

  /// liblo could not make sense of a datagram. There is no one to answer.
  private static func refused() {
    guard let me = lo_error_get_context() else { return }
    let server = Unmanaged<Server>.fromOpaque(me).takeUnretainedValue()
    server.garbage += 1
    if server.logged.take(monotonic()) {
      server.log(
        "got \(server.garbage) datagrams on UDP port \(server.port) that are no OSC, or could not answer")
    }
  }

  /// Datagrams that were no OSC, and answers that could not be sent, since the start.
  public private(set) var garbage: UInt64 = 0

  // MARK: - Out

  /// A single answer goes as it is; many go in bundles.
  private func reply(_ messages: [Message], to source: lo_address) {
    if messages.count == 1, let encoded = messages[0].encoded() {
      lo_send_message_from(source, server, messages[0].address, encoded)
      lo_message_free(encoded)
      return
    }
    var packet: [Message] = []
    var size = Message.bundleHead
    for message in messages {
      if size + message.size > Limits.packetBytes && !packet.isEmpty {
        send(packet, to: source)
        (packet, size) = ([], Message.bundleHead)
      }
      packet.append(message)
      size += message.size
    }
    if !packet.isEmpty { send(packet, to: source) }
  }

  private func turn(_ now: Int64) -> Int64? {
    let expiry = dispatch.expire(now)
    let next = dispatch.feedback.turn(dispatch.clients.all, now: now, send: send)
    return [expiry, next].compactMap { $0 }.min()
  }

  private func send(_ client: Client, _ messages: [Message]) {
    if let address = client.address, !send(messages, to: address) { client.failures += 1 }
  }

  /// Sends a bundle that is to be acted on at once. False when the system refused it.
  @discardableResult
  private func send(_ messages: [Message], to address: lo_address) -> Bool {
    guard let bundle = lo_bundle_new(lo_timetag(sec: 0, frac: 1)) else { return false }
    for message in messages {
      if let encoded = message.encoded() { lo_bundle_add_message(bundle, message.address, encoded) }
    }
    defer { lo_bundle_free_recursive(bundle) }
    return lo_send_bundle_from(address, server, bundle) >= 0
  }
}
