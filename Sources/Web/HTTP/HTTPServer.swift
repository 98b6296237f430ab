import CMicrohttpd
import Glibc
import Surface
import System

/// An HTTP/1.1 server by libmicrohttpd, in the loop of the control thread.
///
/// The server accepts connections itself, and decides who has a place (`Slots`). The loop watches their sockets for what
/// the library wants, level-triggered: what is not read remains ready, so that nothing is forgotten.
final class HTTPServer {
  private let socket: ListeningSocket
  private let log: (String) -> Void
  private let loop: PollLoop
  private let worker: Worker
  // Writes bodies.
  private let bodies: Worker
  private let folder: String
  private let handle: (HTTPRequest) -> HandlerResult
  private let upgrade: (HTTPRequest, _ key: String) -> ((Upgraded) -> Void)
  private let admits: (HostAddress) -> Bool
  private let refusal: (HTTPRequest) -> HTTPResponse?
  private let bodyLimit: (HTTPRequest) -> Int
  private let faultChanged: (String?) -> Void
  private var daemon: OpaquePointer?
  private var isStopped = false
  private var connections: [Int32: HTTPConnection] = [:]
  // The library has something to do.
  private var isReady = true
  private var isListening = false
  // The time of the next call if nothing happens.
  private var dueAt = Int64.max
  // No connection is accepted before this time, since the system has refused one; `Int64.min` otherwise.
  private var acceptsFrom = Int64.min
  private var accepted = 0
  private var queue = ListenQueue()

  /// A connection that has become a WebSocket.
  struct Upgraded {
    let descriptor: Int32
    /// The bytes that the peer sent right after the request.
    let early: [UInt8]
    /// The machine at the other end.
    let host: HostAddress
    /// Notes that the peer has sent a message. Connections without messages are the first to lose their places.
    let isActive: () -> Void
    /// Closes the socket. To be called once.
    let close: () -> Void
  }

  /// Connections that may be open beside `Slots.total` while they are being ended.
  static let spare = 16
  /// The memory of a connection for heads, bytes.
  static let connectionMemory = 16 << 10
  /// The most connections that are accepted in one round.
  private static let acceptsPerRound = 16

  /// Listens on `port` (0 for any free one) of every IPv4 address, from the next round of `loop` on.
  /// - Parameters:
  ///   - folder: The folder on whose disk bodies wait.
  ///   - admits: Whether a machine may connect.
  ///   - refusal: The answer to a request that is refused because of its head; nil for others.
  ///   - bodyLimit: The longest body of a request, bytes.
  ///   - handle: Answers a complete request.
  ///   - upgrade: Takes the connection of a request that becomes a WebSocket.
  ///   - faultChanged: Called with the reason when connections wait and none is accepted, and with nil when that is
  ///     over.
  init(
    port: Int, loop: PollLoop, worker: Worker, folder: String, admits: @escaping (HostAddress) -> Bool,
    refusal: @escaping (HTTPRequest) -> HTTPResponse?, bodyLimit: @escaping (HTTPRequest) -> Int,
    handle: @escaping (HTTPRequest) -> HandlerResult,
    upgrade: @escaping (HTTPRequest, String) -> ((Upgraded) -> Void),
    faultChanged: @escaping (String?) -> Void = { _ in }, log: @escaping (String) -> Void
  ) throws(PortFailure) {
    socket = try ListeningSocket(port: port)
    (self.loop, self.admits, self.refusal, self.bodyLimit) = (loop, admits, refusal, bodyLimit)
    (self.handle, self.upgrade, self.log, self.worker) = (handle, upgrade, log, worker)
    (self.faultChanged, self.folder, bodies) = (faultChanged, folder, Worker(loop))
    // The library is loaded when the first connection waits.
    loop.watch(socket.descriptor) { [unowned self] in load() }
    loop.afterEachRound { [weak self] now in self?.update(now) }
  }

  deinit { stop() }

  /// The port that it listens on.
  var port: Int { socket.port }

  /// Ends all connections and stops to listen. Answers that are being made are dropped.
  func stop() {
    if isStopped { return }
    isStopped = true
    loop.forget(socket.descriptor)
    if let daemon {
      for connection in connections.values {
        watch(connection, 0)
        // The library aborts the process if a connection is suspended.
        connection.resume()
      }
      http_stop_daemon(daemon)
      self.daemon = nil
    }
    close(socket.descriptor)
  }

  /// Loads the library in another thread, since that takes many milliseconds, and then starts to answer.
  private func load() {
    loop.forget(socket.descriptor)
    worker.attempt {
      http_load()
    } then: { [weak self] isLoaded in
      guard let self, !isStopped else { return }
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
    let flags =
      MHD_USE_NO_LISTEN_SOCKET.rawValue | MHD_ALLOW_UPGRADE.rawValue | MHD_ALLOW_SUSPEND_RESUME.rawValue
    let completed: MHD_RequestCompletedCallback = { server, connection, exchange, _ in
      HTTPServer.from(server).ended(connection, exchange)
    }
    let notified: MHD_NotifyConnectionCallback = { server, connection, context, code in
      HTTPServer.from(server).noted(connection, context, code)
    }
    let options: [MHD_OptionItem] = [
      .init(.CONNECTION_LIMIT, Slots.total + HTTPServer.spare),
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
      { server, connection, path, method, _, piece, bytes, exchange in
        guard let path, let method, let bytes, let exchange else { return .NO }
        return HTTPServer.from(server).receive(
          connection, String(cString: path), String(cString: method), piece, bytes, exchange)
      }, object, options)
    isReady = true
  }

  private static func from(_ object: UnsafeMutableRawPointer?) -> HTTPServer {
    guard let object else { preconditionFailure("the library returns what it was given") }
    return Unmanaged.fromOpaque(object).takeUnretainedValue()
  }

  // MARK: - Rounds

  /// Accepts connections, and lets the library work if it has to. Returns the time of the next call.
  private func update(_ now: Int64) -> Int64? {
    guard let daemon else { return nil }
    let looksAt = look(now)
    if isReady || now >= dueAt {
      isReady = false
      accept(daemon, now)
      http_run(daemon)
      // The library has closed those that it could not take.
      for connection in connections.values where connection.handle == nil { forget(connection) }
      dueAt = endLate(now)
      watchSockets(daemon)
      if let wait = timeout(daemon) { dueAt = min(dueAt, now + Int64(clamping: wait) * 1_000_000) }
    }
    if isReady { return now }
    let due = min(dueAt, looksAt)
    return due == .max ? nil : due
  }

  /// Ends the connections whose time is over. Returns the time at which the next one's is.
  private func endLate(_ now: Int64) -> Int64 {
    var next = Int64.max
    for connection in connections.values where !connection.isEnding {
      guard let deadline = connection.deadline else { continue }
      if deadline <= now { end(connection) } else { next = min(next, deadline) }
    }
    return next
  }

  /// The time after which the library must work, milliseconds; nil without one.
  private func timeout(_ daemon: OpaquePointer) -> UInt64? {
    var wait: UInt64 = 0
    return http_get_timeout(daemon, &wait) == .YES ? wait : nil
  }

  /// Has the loop watch each socket for what the library wants from it, and the listening one while there is room.
  /// WebSockets watch theirs.
  private func watchSockets(_ daemon: OpaquePointer) {
    let hasRoom = connections.count < Slots.total + HTTPServer.spare && acceptsFrom == .min
    if hasRoom != isListening { listen(hasRoom) }
    let own = connections.values.filter { $0.phase != .upgraded }
    let sockets = own.map(\.descriptor)
    var events = [Int16](repeating: 0, count: own.count)
    http_get_events(daemon, sockets, &events, Int32(clamping: own.count))
    for (connection, events) in zip(own, events) { watch(connection, events) }
  }

  private func watch(_ connection: HTTPConnection, _ events: Int16) {
    if connection.events == events { return }
    connection.events = events
    if events == 0 { return loop.forget(connection.descriptor) }
    loop.watch(connection.descriptor, for: events) { [unowned self] in isReady = true }
  }

  /// Lets the library work in the next round.
  private func goOn() {
    isReady = true
    loop.waker.wake()
  }

  // MARK: - Connections

  /// The number of connections.
  var connectionCount: Int { connections.count }

  private func listen(_ isOn: Bool) {
    isListening = isOn
    if !isOn { return loop.forget(socket.descriptor) }
    loop.watch(socket.descriptor) { [unowned self] in isReady = true }
  }

  /// Looks whether connections wait that nobody accepts. Then there is a place and a new start, whatever the reason is.
  /// Returns the time of the next look.
  private func look(_ now: Int64) -> Int64 {
    if acceptsFrom <= now { (acceptsFrom, isReady) = (.min, acceptsFrom != .min || isReady) }
    switch queue.look(now, accepted: accepted, { socket.waiting }) {
    case .stands(let count):
      let others = connections.values.filter { !$0.isEnding && !$0.isSuspended }
      if let idlest = others.min(by: { $0.activeAt < $1.activeAt }) { end(idlest) }
      listen(false)
      (acceptsFrom, isReady) = (.min, true)
      log(
        .warning(
          "\(count) connections wait on TCP port \(port) and none is accepted beside \(connections.count) open ones"
        ))
      faultChanged("The page does not answer: \(count) connections wait")
    case .moves: faultChanged(nil)
    case nil: break
    }
    return min(acceptsFrom == .min ? .max : acceptsFrom, queue.looksAt)
  }

  /// Accepts the connections that wait, and gives them to the library.
  private func accept(_ daemon: OpaquePointer, _ now: Int64) {
    if acceptsFrom != .min { return }
    for _ in 0..<HTTPServer.acceptsPerRound {
      if connections.count >= Slots.total + HTTPServer.spare { return }
      var address = sockaddr_in()
      let descriptor = withSocketAddress(&address) { Glibc.accept(socket.descriptor, $0, $1) }
      if descriptor < 0 {
        if errno == EAGAIN { return }
        // Others mean that this connection has ended already.
        guard [EMFILE, ENFILE, ENOBUFS, ENOMEM].contains(errno) else { continue }
        acceptsFrom = now + HTTPServer.refusedTime
        return
      }
      _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
      accepted += 1
      guard let host = HostAddress(address), admits(host) else {
        close(descriptor)
        continue
      }
      switch Slots.place(for: host, among: connections.values, now: now) {
      case .free: break
      case .instead(let other): end(other)
      case .none:
        close(descriptor)
        continue
      }
      connections[descriptor] = HTTPConnection(descriptor, host, now: now)
      _ = withSocketAddress(&address) { http_add_connection(daemon, descriptor, $0, $1.pointee) }
    }
    // More may wait.
    isReady = true
  }

  /// The time without accepting after the system has refused a connection for want of descriptors or memory,
  /// nanoseconds.
  private static let refusedTime: Int64 = 1_000_000_000

  /// Ends a connection. The library, or the WebSocket, then notices its end and closes the socket.
  private func end(_ connection: HTTPConnection) {
    connection.isEnding = true
    shutdown(connection.descriptor, Int32(SHUT_RDWR))
    isReady = true
  }

  private func forget(_ connection: HTTPConnection) {
    watch(connection, 0)
    connection.handle = nil
    connections[connection.descriptor] = nil
  }

  private func noted(
    _ handle: OpaquePointer?, _ context: UnsafeMutablePointer<UnsafeMutableRawPointer?>?,
    _ code: MHD_ConnectionNotificationCode
  ) {
    if code == .CONNECTION_NOTIFY_STARTED {
      guard let connection = connections[http_socket(handle)] else { return }
      connection.handle = handle
      context?.pointee = Unmanaged.passUnretained(connection).toOpaque()
    } else if let object = context?.pointee {
      forget(Unmanaged<HTTPConnection>.fromOpaque(object).takeUnretainedValue())
    }
  }

  private func connection(_ handle: OpaquePointer?) -> HTTPConnection? {
    http_socket_context(handle).map { Unmanaged<HTTPConnection>.fromOpaque($0).takeUnretainedValue() }
  }

  private func ended(
    _ handle: OpaquePointer?, _ exchange: UnsafeMutablePointer<UnsafeMutableRawPointer?>?
  ) {
    if let connection = connection(handle), connection.phase != .upgraded {
      connection.begin(.head, now: loop.time())
      connection.bodyBytes = 0
    }
    guard let object = exchange?.pointee else { return }
    exchange?.pointee = nil
    let exchange = Unmanaged<Exchange>.fromOpaque(object)
    exchange.takeUnretainedValue().isOpen = false
    exchange.release()
  }

  // MARK: - Requests

  /// Called by the library with a head, then with each piece of the body, and then once more.
  private func receive(
    _ handle: OpaquePointer?, _ path: String, _ method: String, _ piece: UnsafePointer<CChar>?,
    _ bytes: UnsafeMutablePointer<Int>, _ object: UnsafeMutablePointer<UnsafeMutableRawPointer?>
  ) -> MHD_Result {
    guard let connection = connection(handle) else { return .NO }
    guard let known = object.pointee else {
      guard let request = HTTPRequest(handle, path: path, method: method, from: connection.host) else {
        return queue(HTTPResponse(405, "pipit knows no \(method.prefix(20))"), on: connection)
      }
      if let refusal = refusal(request) { return queue(refusal, on: connection) }
      if request["transfer-encoding"] != nil {
        return queue(HTTPResponse(411, "a body needs a Content-Length"), on: connection)
      }
      let length = request["content-length"].map { Int($0) ?? .max } ?? 0
      if let refusal = refusal(ofBody: length, request) { return queue(refusal, on: connection) }
      connection.begin(.body, now: loop.time())
      connection.bodyBytes = length
      object.pointee = Unmanaged.passRetained(Exchange(request, length: length)).toOpaque()
      return .YES
    }
    let exchange = Unmanaged<Exchange>.fromOpaque(known).takeUnretainedValue()
    if bytes.pointee > 0, let piece {
      let isTaken = exchange.append(UnsafeRawBufferPointer(start: piece, count: bytes.pointee))
      connection.isActive(now: loop.time())
      bytes.pointee = 0
      if isTaken { write(exchange, of: connection, isComplete: false) }
      return isTaken ? .YES : .NO
    }
    if write(exchange, of: connection, isComplete: true) { return .YES }
    if let failure = exchange.failure {
      return queue(HTTPResponse(507, "the body cannot be kept: \(failure)"), on: connection)
    }
    connection.begin(.answered, now: loop.time())
    if let answer = exchange.answer { return queue(answer, on: connection) }
    switch self.handle(exchange.request) {
    case .now(let answer): return queue(answer, on: connection)
    case .upgrade(let key): return upgrade(connection, exchange.request, key)
    case .later(let start):
      connection.suspend()
      start { [weak self] answer in self?.answer(connection, exchange, answer) }
      return .YES
    }
  }

  private func queue(_ answer: HTTPResponse, on connection: HTTPConnection) -> MHD_Result {
    answer.queue(on: connection.handle) { [unowned self] file in
      FileStream(file, connection, worker: worker) { [weak self] in self?.goOn() }
    }
  }

  /// The answer to a request whose body is too long, alone or with those that are being received or used; nil for
  /// others.
  private func refusal(ofBody length: Int, _ request: HTTPRequest) -> HTTPResponse? {
    if length == 0 { return nil }
    let limit = bodyLimit(request)
    if length > limit { return HTTPResponse(413, "the body has \(length) bytes; the limit is \(limit)") }
    let others = connections.values.filter { $0.host == request.host }
    if others.reduce(length, { $0 + $1.bodyBytes }) > HTTPServer.bodyBytesOfHost
      || connections.values.reduce(length, { $0 + $1.bodyBytes }) > HTTPServer.bodyBytes
    {
      return HTTPResponse(503, "other files are being sent; send this one when they are done")
        .with("Retry-After", "10")
    }
    return nil
  }

  /// The most bytes of all bodies that are being received or used, and of those of one machine.
  static let bodyBytes = 128 << 20
  static let bodyBytesOfHost = 64 << 20

  /// Has a piece of a body written, if there is one, while the connection waits. Returns whether it waits.
  @discardableResult
  private func write(_ exchange: Exchange, of connection: HTTPConnection, isComplete: Bool) -> Bool {
    guard exchange.hasPiece(isComplete: isComplete) else { return false }
    connection.suspend()
    exchange.write(in: folder, bodies) { [weak self] in
      connection.resume()
      self?.goOn()
    }
    return true
  }

  private func answer(_ connection: HTTPConnection, _ exchange: Exchange, _ answer: HTTPResponse) {
    guard exchange.isOpen, exchange.answer == nil else { return }
    exchange.answer = answer
    connection.resume()
    goOn()
  }

  private func upgrade(_ connection: HTTPConnection, _ request: HTTPRequest, _ key: String) -> MHD_Result {
    let upgrade = Upgrade(self, connection, self.upgrade(request, key))
    let response = http_create_upgrade(
      { object, _, _, early, count, descriptor, handle in
        guard let object else { return }
        let early = [UInt8](UnsafeRawBufferPointer(start: early, count: early == nil ? 0 : count))
        Unmanaged<Upgrade>.fromOpaque(object).takeRetainedValue().begin(descriptor, early, handle)
      }, Unmanaged.passRetained(upgrade).toOpaque())
    guard let response else { return .NO }
    defer { http_destroy_response(response) }
    http_add_header(response, "Upgrade", "websocket")
    http_add_header(response, "Sec-WebSocket-Accept", Handshake.accept(key))
    return http_queue_response(connection.handle, 101, response)
  }

  /// A connection whose answer turns it into a WebSocket.
  private final class Upgrade {
    private weak var server: HTTPServer?
    private let connection: HTTPConnection
    private let take: (Upgraded) -> Void

    init(_ server: HTTPServer, _ connection: HTTPConnection, _ take: @escaping (Upgraded) -> Void) {
      (self.server, self.connection, self.take) = (server, connection, take)
    }

    func begin(_ descriptor: Int32, _ early: [UInt8], _ handle: OpaquePointer?) {
      guard let server else { return }
      let loop = server.loop
      // The WebSocket watches the socket from now on.
      server.watch(connection, 0)
      connection.begin(.upgraded, now: loop.time())
      take(
        Upgraded(
          descriptor: descriptor, early: early, host: connection.host,
          isActive: { [connection] in connection.isActive(now: loop.time()) },
          close: { [weak server, connection] in
            // A server that stops has closed it already.
            if connection.handle == nil { return }
            http_close(handle)
            server?.goOn()
          }))
    }
  }
}

extension MHD_OptionItem {
  fileprivate init(_ option: MHD_OPTION, _ value: Int) {
    self.init(option: option, value: value, ptr_value: nil)
  }
}
