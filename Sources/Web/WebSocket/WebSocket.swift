import CNettle
import CWslay
import Glibc
import System

/// A WebSocket connection (RFC 6455) by wslay, over a socket that does not block. Control thread only.
///
/// Bytes that cannot be sent at once wait here; `isReady` is false meanwhile, and nothing more is read, so that a
/// peer that reads slowly holds up only itself.
final class WebSocket {
  /// A message.
  enum Message {
    case text(UnsafeRawBufferPointer)
    case binary(UnsafeRawBufferPointer)
  }

  /// Codes for the end of a connection.
  enum Code: UInt16 {
    case goingAway = 1001
    case wrong = 1002
    case tooMuch = 1013
  }

  private let descriptor: Int32
  private let loop: PollLoop
  private let receive: (Message) -> Void
  private let ended: () -> Void
  private var context: wslay_event_context_ptr?
  // Bytes that came with the handshake, and how many of them were read.
  private var early: ArraySlice<UInt8>
  // Frames that the socket has not accepted yet.
  private var outgoing: [UInt8] = []
  private var isWritable = true
  private var isReading = false
  // Whether the loop says when there is something to read.
  private var isWatched = false
  private var isBroken = false
  private var allowance = 0
  /// The time at which something was last received, CLOCK_MONOTONIC.
  private(set) var receivedAt: Int64

  /// The longest message, bytes.
  static let messageBytes = 64 << 10
  /// The most bytes that are read in one round.
  private static let roundBytes = 64 << 10
  /// The most bytes that wait.
  static let waitingBytes = 256 << 10

  /// Takes a socket over.
  /// - Parameters:
  ///   - early: Bytes that have been read from it already.
  ///   - receive: Called with each message, whose bytes are valid during the call.
  ///   - ended: Called once when the connection is over; the socket may then be closed.
  init(
    _ descriptor: Int32, early: [UInt8], loop: PollLoop, receive: @escaping (Message) -> Void,
    ended: @escaping () -> Void
  ) {
    (self.descriptor, self.early, self.loop, self.receive, self.ended) = (
      descriptor, early[...], loop, receive, ended
    )
    receivedAt = monotonic()
    _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK)
    set(Int32(IPPROTO_TCP), TCP_NODELAY, 1)
    // The kernel reports the socket as writable when nearly everything is sent, so that newer values replace older
    // ones here.
    set(Int32(IPPROTO_TCP), TCP_NOTSENT_LOWAT, 4096)
    var callbacks = wslay_event_callbacks()
    callbacks.recv_callback = { context, buffer, count, _, object in
      WebSocket.from(object).read(buffer, count, context)
    }
    callbacks.send_callback = { _, bytes, count, _, object in
      WebSocket.from(object).outgoing += UnsafeBufferPointer(start: bytes, count: count)
      return count
    }
    callbacks.on_msg_recv_callback = { _, message, object in
      if let message { WebSocket.from(object).take(message.pointee) }
    }
    wslay_event_context_server_init(&context, &callbacks, Unmanaged.passUnretained(self).toOpaque())
    wslay_event_config_set_max_recv_msg_length(context, UInt64(WebSocket.messageBytes))
    watch(true)
  }

  deinit { wslay_event_context_free(context) }

  private static func from(_ object: UnsafeMutableRawPointer?) -> WebSocket {
    guard let object else { preconditionFailure("the library returns what it was given") }
    return Unmanaged.fromOpaque(object).takeUnretainedValue()
  }

  private func set(_ level: Int32, _ option: Int32, _ value: Int32) {
    var value = value
    setsockopt(descriptor, level, option, &value, socklen_t(MemoryLayout<Int32>.size))
  }

  // MARK: - Receiving

  /// Whether messages may be read now. The owner returns false while it cannot take more.
  var mayRead: () -> Bool = { true }

  /// Reads what came with the handshake. To be called once everything is set up.
  func begin() { if !early.isEmpty { readSome() } }

  /// Reads again what was left unread, as soon as more may be read. To be called in each round.
  func goOn() { if !isWatched && hasRoom && !hasEnded { watch(true) } }

  /// What must not be read yet is not waited for either: it stays ready, and would keep the loop awake.
  private func watch(_ isOn: Bool) {
    isWatched = isOn
    if isOn { loop.watch(descriptor) { [unowned self] in readSome() } } else { loop.ignore(descriptor) }
  }

  private var hasRoom: Bool { mayRead() && outgoing.count < WebSocket.waitingBytes / 4 }

  private func readSome() {
    if isBroken { return end() }
    guard hasRoom else { return watch(false) }
    allowance = WebSocket.roundBytes
    isReading = true
    let isWrong = wslay_event_recv(context) != 0
    isReading = false
    if !isBroken { flush() }
    if isWrong || isBroken || wslay_event_get_read_enabled(context) == 0 && outgoing.isEmpty { end() }
  }

  private func read(
    _ buffer: UnsafeMutablePointer<UInt8>?, _ count: Int, _ context: wslay_event_context_ptr?
  ) -> Int {
    guard let buffer, allowance > 0, mayRead() else { return blocked(context) }
    if !early.isEmpty {
      let taken = min(count, early.count)
      for index in 0..<taken { buffer[index] = early[early.startIndex + index] }
      early = early.dropFirst(taken)
      return taken
    }
    let read = recv(descriptor, buffer, count, Int32(MSG_DONTWAIT))
    if read > 0 {
      allowance -= read
      receivedAt = monotonic()
      return read
    }
    if read < 0 && (errno == EAGAIN || errno == EINTR) { return blocked(context) }
    isBroken = true
    wslay_event_set_error(context, Int32(WSLAY_ERR_CALLBACK_FAILURE.rawValue))
    return -1
  }

  private func blocked(_ context: wslay_event_context_ptr?) -> Int {
    wslay_event_set_error(context, Int32(WSLAY_ERR_WOULDBLOCK.rawValue))
    return -1
  }

  private func take(_ message: wslay_event_on_msg_recv_arg) {
    let bytes = UnsafeRawBufferPointer(start: message.msg, count: message.msg_length)
    switch UInt32(message.opcode) {
    case UInt32(WSLAY_TEXT_FRAME.rawValue): receive(.text(bytes))
    case UInt32(WSLAY_BINARY_FRAME.rawValue): receive(.binary(bytes))
    default: break
    }
  }

  // MARK: - Sending

  /// Whether everything so far has been passed to the network, so that the newest values should be sent now.
  var isReady: Bool { isWritable && outgoing.isEmpty && !isBroken }

  /// Queues a message. To be followed by `flush`.
  func queue(_ bytes: [UInt8], isText: Bool = false) {
    bytes.withUnsafeBufferPointer {
      var message = wslay_event_msg()
      message.opcode = UInt8((isText ? WSLAY_TEXT_FRAME : WSLAY_BINARY_FRAME).rawValue)
      (message.msg, message.msg_length) = ($0.baseAddress, $0.count)
      _ = wslay_event_queue_msg(context, &message)
    }
  }

  /// Sends a ping, which the peer must answer.
  func ping() {
    var message = wslay_event_msg()
    message.opcode = UInt8(WSLAY_PING.rawValue)
    _ = wslay_event_queue_msg(context, &message)
    flush()
  }

  /// Sends what is queued, as far as the network takes it. A peer that lets too much wait is cut off.
  func flush() {
    if isBroken { return }
    while wslay_event_want_write(context) != 0 {
      if wslay_event_send(context) != 0 { return fail() }
    }
    if outgoing.isEmpty { return }
    let sent = outgoing.withUnsafeBytes {
      send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL | MSG_DONTWAIT))
    }
    if sent < 0 && errno != EAGAIN && errno != EINTR { return fail() }
    if sent == outgoing.count { outgoing.removeAll(keepingCapacity: outgoing.capacity <= 16 << 10) }
    if sent > 0 && !outgoing.isEmpty { outgoing.removeFirst(sent) }
    if outgoing.count > WebSocket.waitingBytes { return fail() }
    isWritable = false
    loop.whenWritable(descriptor) { [weak self] in self?.wrote() }
  }

  private func wrote() {
    isWritable = true
    if !outgoing.isEmpty { flush() }
    if wslay_event_get_read_enabled(context) == 0 && outgoing.isEmpty { end() }
  }

  // MARK: - The end

  /// Sends a close frame, and ends the connection.
  func close(_ code: Code) {
    _ = wslay_event_queue_close(context, code.rawValue, nil, 0)
    flush()
    isBroken = true
    // Not within a call of the library.
    if !isReading { end() }
  }

  private func fail() {
    isBroken = true
    // Not within a call of the library.
    if !isReading { end() }
  }

  private func end() {
    guard context != nil, !hasEnded else { return }
    hasEnded = true
    loop.forget(descriptor)
    ended()
  }

  private var hasEnded = false
}

/// The handshake of a WebSocket (RFC 6455, section 4.2).
enum Handshake {
  /// The value of `Sec-WebSocket-Accept`: the SHA-1 of the key and a fixed text, in base 64.
  static func accept(_ key: String) -> String {
    var context = sha1_ctx()
    nettle_sha1_init(&context)
    let text = Array((key + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11").utf8)
    nettle_sha1_update(&context, text.count, text)
    var digest = [UInt8](repeating: 0, count: 20)
    nettle_sha1_digest(&context, digest.count, &digest)
    var encoded = [CChar](repeating: 0, count: 28)
    nettle_base64_encode_raw(&encoded, digest.count, digest)
    return String(decoding: encoded.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  /// The key of a request that asks for a WebSocket; nil for any other request. Throws the answer to a wrong one.
  static func key(of request: HTTPRequest) throws(Refused) -> String? {
    guard request.lists("websocket", in: "upgrade") else { return nil }
    guard request.method == .get, request.lists("upgrade", in: "connection"),
      let key = request["sec-websocket-key"], key.utf8.count == 24
    else { throw Refused(answer: HTTPResponse(400, "this is no request for a WebSocket")) }
    guard request["sec-websocket-version"] == "13" else {
      throw Refused(
        answer: HTTPResponse(426, "pipit speaks version 13 of WebSocket").with("Sec-WebSocket-Version", "13"))
    }
    return key
  }

  /// A wrong request, with its answer.
  struct Refused: Error { let answer: HTTPResponse }
}
