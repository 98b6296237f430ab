import CMicrohttpd
import Glibc
import Surface
import System

/// An HTTP/1.1 server by libmicrohttpd, in the loop of the control thread.
final class HTTPServer {
  private let socket: ListeningSocket
  private let log: (String) -> Void
  private let loop: PollLoop
  private let worker: Worker
  private let handle: (HTTPRequest) -> HandlerResult
  private let upgrade: (HTTPRequest, _ key: String) -> ((Upgraded) -> Void)
  private let admits: (HostAddress) -> Bool
  private let refusal: (HTTPRequest) -> HTTPResponse?
  private let bodyLimit: (HTTPRequest) -> Int
  private var daemon: OpaquePointer?
  private var epoll: Int32 = -1
  private var clocks: [ObjectIdentifier: ConnectionClock] = [:]
  // The library has something to do.
  private var isReady = true
  private var dueAt = Int64.max

  /// A connection that has become a WebSocket.
  struct Upgraded {
    let descriptor: Int32
    /// The bytes that the peer sent right after the request.
    let early: [UInt8]
    /// The machine at the other end.
    let host: HostAddress
    /// Closes the socket. To be called once.
    let close: () -> Void
  }

  /// The most connections, and the most of one machine. A few more are accepted while idle connections are being
  /// closed.
  static let connections = 64
  static let perHost = 24
  private static let spare = 16
  /// The memory of a connection for heads, bytes.
  static let connectionMemory = 16 << 10

  /// Listens on `port` (0 for any free one) of every IPv4 address, from the next round of `loop` on.
  /// - Parameters:
  ///   - admits: Whether a machine may connect.
  ///   - refusal: The answer to a request that is refused because of its head; nil for others.
  ///   - bodyLimit: The longest body of a request, bytes.
  ///   - handle: Answers a complete request.
  ///   - upgrade: Takes the connection of a request that becomes a WebSocket.
  init(
    port: Int, loop: PollLoop, worker: Worker, admits: @escaping (HostAddress) -> Bool,
    refusal: @escaping (HTTPRequest) -> HTTPResponse?, bodyLimit: @escaping (HTTPRequest) -> Int,
    handle: @escaping (HTTPRequest) -> HandlerResult,
    upgrade: @escaping (HTTPRequest, String) -> ((Upgraded) -> Void), log: @escaping (String) -> Void
  ) throws(PortFailure) {
    socket = try ListeningSocket(port: port)
    (self.loop, self.admits, self.refusal, self.bodyLimit) = (loop, admits, refusal, bodyLimit)
    (self.handle, self.upgrade, self.log, self.worker) = (handle, upgrade, log, worker)
    // The library is loaded when the first connection waits.
    loop.watch(socket.descriptor) { [unowned self] in load() }
    loop.afterEachRound { [weak self] now in self?.update(now) }
  }

  deinit {
    loop.forget(epoll)
    loop.forget(socket.descriptor)
    if let daemon { http_stop_daemon(daemon) } else { close(socket.descriptor) }
  }

  /// The port that it listens on.
  var port: Int { socket.port }

  /// Loads the library in another thread, since that takes many milliseconds, and then starts to answer.
  private func load() {
    loop.forget(socket.descriptor)
    worker.attempt {
      http_load()
    } then: { [weak self] isLoaded in
      guard let self else { return }
      if isLoaded == true { start() }
      if daemon == nil {
        log(
          .error(
            "the page cannot be served: libmicrohttpd is missing or cannot start; install libmicrohttpd12"))
      }
    }
  }

  private func start() {
    let object = Unmanaged.passUnretained(self).toOpaque()
    let flags = MHD_USE_EPOLL.rawValue | MHD_ALLOW_UPGRADE.rawValue | MHD_ALLOW_SUSPEND_RESUME.rawValue
    let completed: MHD_RequestCompletedCallback = { server, connection, exchange, _ in
      HTTPServer.from(server).ended(connection, exchange)
    }
    let notified: MHD_NotifyConnectionCallback = { server, connection, context, code in
      HTTPServer.from(server).noted(connection, context, code)
    }
    let options: [MHD_OptionItem] = [
      .init(.LISTEN_SOCKET, Int(socket.descriptor)),
      .init(.CONNECTION_LIMIT, HTTPServer.connections + HTTPServer.spare),
      .init(.PER_IP_CONNECTION_LIMIT, HTTPServer.perHost),
      .init(.CONNECTION_MEMORY_LIMIT, HTTPServer.connectionMemory),
      .init(.CONNECTION_TIMEOUT, 60),
      .init(.STRICT_FOR_CLIENT, 1),
      MHD_OptionItem(
        option: .NOTIFY_COMPLETED, value: unsafeBitCast(completed, to: Int.self), ptr_value: object),
      MHD_OptionItem(
        option: .NOTIFY_CONNECTION, value: unsafeBitCast(notified, to: Int.self), ptr_value: object),
      .init(.END, 0),
    ]
    daemon = http_start_daemon(
      flags,
      { server, address, _ in HTTPServer.from(server).admits(address) ? .YES : .NO }, object,
      { server, connection, path, method, _, piece, bytes, exchange in
        guard let path, let method, let bytes, let exchange else { return .NO }
        return HTTPServer.from(server).receive(
          connection, String(cString: path), String(cString: method), piece, bytes, exchange)
      }, object, options)
    guard daemon != nil else { return }
    epoll = http_epoll_descriptor(daemon)
    loop.watch(epoll) { [unowned self] in isReady = true }
    isReady = true
  }

  private static func from(_ object: UnsafeMutableRawPointer?) -> HTTPServer {
    guard let object else { preconditionFailure("the library returns what it was given") }
    return Unmanaged.fromOpaque(object).takeUnretainedValue()
  }

  /// Lets the library work if it has to. Returns the time of the next call.
  private func update(_ now: Int64) -> Int64? {
    guard let daemon else { return nil }
    if isReady || dueAt <= now {
      isReady = false
      http_run(daemon)
    }
    dueAt = .max
    for clock in clocks.values {
      guard let deadline = clock.deadline else { continue }
      if deadline <= now {
        shutdown(clock.descriptor, Int32(SHUT_RDWR))
        isReady = true
      } else {
        dueAt = min(dueAt, deadline)
      }
    }
    var wait: UInt64 = 0
    if http_get_timeout(daemon, &wait) == .YES { dueAt = min(dueAt, now + Int64(clamping: wait) * 1_000_000) }
    return isReady ? now : dueAt == .max ? nil : dueAt
  }

  // MARK: - Connections

  /// The number of connections.
  var connectionCount: Int { clocks.count }

  private func admits(_ address: UnsafePointer<sockaddr>?) -> Bool {
    HTTPRequest.host(address).map(admits) ?? false
  }

  private func noted(
    _ connection: OpaquePointer?, _ context: UnsafeMutablePointer<UnsafeMutableRawPointer?>?,
    _ code: MHD_ConnectionNotificationCode
  ) {
    if code == .CONNECTION_NOTIFY_STARTED {
      let clock = ConnectionClock(http_socket(connection), now: monotonic())
      if clocks.count >= HTTPServer.connections { endIdle() }
      clocks[ObjectIdentifier(clock)] = clock
      context?.pointee = Unmanaged.passUnretained(clock).toOpaque()
    } else if let object = context?.pointee {
      let clock = Unmanaged<ConnectionClock>.fromOpaque(object).takeUnretainedValue()
      clocks[ObjectIdentifier(clock)] = nil
    }
  }

  /// Ends the connection that has sent no request for the longest time, so that idle ones keep nobody out.
  private func endIdle() {
    let idle = clocks.values.filter { $0.phase == .head && !$0.isEnding }
    guard let oldest = idle.min(by: { ($0.deadline ?? .max) < ($1.deadline ?? .max) }) else { return }
    oldest.isEnding = true
    shutdown(oldest.descriptor, Int32(SHUT_RDWR))
    isReady = true
  }

  private func clock(_ connection: OpaquePointer?) -> ConnectionClock? {
    http_socket_context(connection).map { Unmanaged<ConnectionClock>.fromOpaque($0).takeUnretainedValue() }
  }

  private func ended(
    _ connection: OpaquePointer?, _ exchange: UnsafeMutablePointer<UnsafeMutableRawPointer?>?
  ) {
    clock(connection)?.begin(.head, now: monotonic())
    guard let object = exchange?.pointee else { return }
    exchange?.pointee = nil
    let exchange = Unmanaged<Exchange>.fromOpaque(object)
    exchange.takeUnretainedValue().isOpen = false
    exchange.release()
  }

  // MARK: - Requests

  /// Called by the library with a head, then with each piece of the body, and then once more.
  private func receive(
    _ connection: OpaquePointer?, _ path: String, _ method: String, _ piece: UnsafePointer<CChar>?,
    _ bytes: UnsafeMutablePointer<Int>, _ object: UnsafeMutablePointer<UnsafeMutableRawPointer?>
  ) -> MHD_Result {
    guard let known = object.pointee else {
      guard let request = HTTPRequest(connection, path: path, method: method) else {
        return HTTPResponse(405, "pipit knows no \(method.prefix(20))").queue(on: connection)
      }
      if let refusal = refusal(request) { return refusal.queue(on: connection) }
      let exchange = Exchange(request, bodyLimit: bodyLimit(request))
      if let length = request["content-length"].flatMap({ Int($0) }), length > exchange.bodyLimit {
        return HTTPResponse(413, "the body has \(length) bytes; the limit is \(exchange.bodyLimit)")
          .queue(on: connection)
      }
      if request["transfer-encoding"] != nil {
        return HTTPResponse(411, "a body needs a Content-Length").queue(on: connection)
      }
      clock(connection)?.begin(.body, now: monotonic())
      object.pointee = Unmanaged.passRetained(exchange).toOpaque()
      return .YES
    }
    let exchange = Unmanaged<Exchange>.fromOpaque(known).takeUnretainedValue()
    if bytes.pointee > 0, let piece {
      let isTaken = exchange.append(UnsafeRawBufferPointer(start: piece, count: bytes.pointee))
      bytes.pointee = 0
      return isTaken ? .YES : .NO
    }
    clock(connection)?.begin(.answered, now: monotonic())
    if let answer = exchange.answer {
      return answer.queue(on: connection) { [unowned self] descriptor in
        FileStream(descriptor, connection, worker: worker) { [weak self] in self?.goOn() }
      }
    }
    switch handle(exchange.request) {
    case .now(let answer): return answer.queue(on: connection)
    case .upgrade(let key): return upgrade(connection, exchange.request, key)
    case .later(let start):
      http_suspend(connection)
      exchange.suspended = connection
      start { [weak self] answer in self?.answer(exchange, answer) }
      return .YES
    }
  }

  private func answer(_ exchange: Exchange, _ answer: HTTPResponse) {
    guard exchange.isOpen, let connection = exchange.suspended else {
      if let file = answer.file { close(file.descriptor) }
      return
    }
    (exchange.answer, exchange.suspended) = (answer, nil)
    http_resume(connection)
    goOn()
  }

  /// Lets the library work in the next round.
  private func goOn() {
    isReady = true
    loop.waker.wake()
  }

  private func upgrade(_ connection: OpaquePointer?, _ request: HTTPRequest, _ key: String) -> MHD_Result {
    let upgrade = Upgrade(self, request.host, self.upgrade(request, key))
    let response = http_create_upgrade(
      { object, _, _, early, count, descriptor, handle in
        guard let object else { return }
        let upgrade = Unmanaged<Upgrade>.fromOpaque(object).takeRetainedValue()
        let early = [UInt8](UnsafeRawBufferPointer(start: early, count: early == nil ? 0 : count))
        upgrade.take(
          Upgraded(
            descriptor: descriptor, early: early, host: upgrade.host,
            close: { [weak server = upgrade.server] in
              http_close(handle)
              server?.goOn()
            }))
      }, Unmanaged.passRetained(upgrade).toOpaque())
    guard let response else { return .NO }
    defer { http_destroy_response(response) }
    http_add_header(response, "Upgrade", "websocket")
    http_add_header(response, "Sec-WebSocket-Accept", Handshake.accept(key))
    return http_queue_response(connection, 101, response)
  }

  private final class Upgrade {
    weak var server: HTTPServer?
    let host: HostAddress
    let take: (Upgraded) -> Void

    init(_ server: HTTPServer, _ host: HostAddress, _ take: @escaping (Upgraded) -> Void) {
      (self.server, self.host, self.take) = (server, host, take)
    }
  }
}

extension MHD_OptionItem {
  fileprivate init(_ option: MHD_OPTION, _ value: Int) {
    self.init(option: option, value: value, ptr_value: nil)
  }
}
