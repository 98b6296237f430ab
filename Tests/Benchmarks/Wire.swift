import CLiblo
import Control
import Glibc
import OSC
import Presets
import Scenes
import Surface
import Synth
import System
import Web

/// OSC over the loopback: pipit against a bare liblo server that answers every message, in the same run, asked by
/// the same client, a socket that sends bytes prepared beforehand.
func benchmarkOSC() {
  guard let ear = Wire() else { return print("osc: no socket") }
  let echo = Echo()
  let instrument = Service(replyPort: ear.port)
  guard let bare = Wire(to: echo.port), let pipit = Wire(to: instrument.port) else {
    return print("osc: no sockets")
  }
  // In turns, since the machine has good and bad moments.
  var (bareTimes, pipitTimes): ([Int64], [Int64]) = ([], [])
  for _ in 0..<10 {
    bareTimes += bare.ask(times: 2_000)
    pipitTimes += pipit.ask(times: 2_000)
  }
  for (name, times) in [("bare liblo", bareTimes), ("pipit", pipitTimes)] {
    let sorted = times.sorted()
    print(
      "osc: query, \(name): p50 \(sorted[sorted.count / 2] / 1000) us, p99 \(sorted[sorted.count * 99 / 100] / 1000) us, "
        + "lost \(20_000 - times.count)")
  }
  for (name, wire) in [("bare liblo", bare), ("pipit", pipit)] {
    let before = instrument.processorSeconds
    let (sets, lost) = wire.set(seconds: 5)
    let spent = instrument.processorSeconds - before
    if spent > 0.1 {
      print("osc: pipit's processor time for a set: \(decimals(spent / sets / 5 * 1e6, 2)) us")
    }
    print("osc: sets in a closed loop of 64, \(name): \(Int(sets)) a second, lost \(lost)")
  }
  // What a tablet is still sent, once it has been still for ten seconds.
  _ = ear.drain()
  usleep(10_000_000)
  let settling = ear.drain()
  usleep(5_000_000)
  print("osc: sent to a still client: \(settling) bytes in the first 10 s, then \(ear.drain()) bytes in 5 s")
  instrument.stop()
  echo.stop()
}

/// The control thread with the OSC server and the web server, in a thread of their own.
final class Service: @unchecked Sendable {
  private(set) var port = 0
  private(set) var webPort = 0
  private var waker: Waker?
  private var thread = pthread_t()

  init(replyPort: Int, factory: String? = nil) {
    let ready = UnsafeMutablePointer<sem_t>.allocate(capacity: 1)
    sem_init(ready, 0, 0)
    thread = start { [unowned self] in
      guard let loop = PollLoop() else { return }
      let control = Instrument(
        link: Link(.initial), library: Library(database: nil, factory: factory, log: { _ in }), log: { _ in })
      control.join(loop)
      let surface = ControlSurface(control) { print("osc: \($0)") }
      surface.join(loop)
      let server = try? Server(
        port: 0, replyPort: replyPort, surface: surface, loop: loop, log: { print("osc: \($0)") })
      port = server?.port ?? 0
      let web = try? WebServer(
        port: 0, surface: surface, loop: loop, state: "/tmp", page: "", version: "", oscPort: { 0 },
        replyPort: replyPort,
        accessPoint: "", log: { print("web: \($0)") })
      webPort = web?.port ?? 0
      waker = loop.waker
      sem_post(ready)
      loop.run()
      withExtendedLifetime((server, web)) {}
    }
    sem_wait(ready)
  }

  /// What its thread has used.
  var processorSeconds: Double {
    var clock = clockid_t()
    var time = timespec()
    pthread_getcpuclockid(thread, &clock)
    clock_gettime(clock, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) * 1e-9
  }

  func stop() {
    waker?.stop()
    pthread_join(thread, nil)
  }
}

/// A liblo server that sends one float back for every message that has no argument.
private final class Echo: @unchecked Sendable {
  private let server = lo_server_thread_new_with_proto(nil, Int32(LO_UDP), nil)
  let port: Int

  init() {
    port = Int(lo_server_thread_get_port(server))
    lo_server_thread_add_method(
      server, nil, nil,
      { path, _, _, count, message, me in
        guard count == 0, let me, let answer = lo_message_new() else { return 0 }
        let echo = Unmanaged<Echo>.fromOpaque(me).takeUnretainedValue()
        lo_message_add_float(answer, 1)
        lo_send_message_from(
          lo_message_get_source(message), lo_server_thread_get_server(echo.server), path, answer)
        lo_message_free(answer)
        return 0
      }, Unmanaged.passUnretained(self).toOpaque())
    lo_server_thread_start(server)
  }

  func stop() { lo_server_thread_free(server) }
}

func start(_ body: @escaping () -> Void) -> pthread_t {
  final class Box {
    let body: () -> Void
    init(_ body: @escaping () -> Void) { self.body = body }
  }
  var thread = pthread_t()
  pthread_create(
    &thread, nil,
    { box in
      if let box { Unmanaged<Box>.fromOpaque(box).takeRetainedValue().body() }
      return nil
    }, Unmanaged.passRetained(Box(body)).toOpaque())
  return thread
}

/// A socket that waits for its answers for a second at most.
final class Wire {
  let port: Int
  // The port that it speaks to.
  private let server: Int?
  private let descriptor: Int32
  private var buffer = [UInt8](repeating: 0, count: 65_536)

  /// A socket that speaks to a port, or to nobody.
  init?(to server: Int? = nil) {
    let descriptor = socket(AF_INET, Int32(SOCK_DGRAM.rawValue), 0)
    (self.descriptor, self.server) = (descriptor, server)
    var limit = timeval(tv_sec: 1, tv_usec: 0)
    setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    func with(
      _ port: Int, _ body: (UnsafeMutablePointer<sockaddr>) -> Int32
    ) -> (status: Int32, port: Int) {
      var place = sockaddr_in()
      place.sin_family = sa_family_t(AF_INET)
      place.sin_port = UInt16(port).bigEndian
      place.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
      let status = withUnsafeMutablePointer(to: &place) {
        $0.withMemoryRebound(to: sockaddr.self, capacity: 1, body)
      }
      return (status, Int(UInt16(bigEndian: place.sin_port)))
    }
    let isBound = with(0) { bind(descriptor, $0, size) }.status == 0
    port = with(0) { getsockname(descriptor, $0, &size) }.port
    if !isBound { return nil }
    if let server, with(server, { connect(descriptor, $0, size) }).status != 0 { return nil }
  }

  deinit { close(descriptor) }

  private let query = Array("/filter/cutoff\0\0,\0\0\0".utf8)

  /// Round trips of a message that is answered, a query by default, one after the other, in nanoseconds.
  func ask(_ message: [UInt8]? = nil, times: Int) -> [Int64] {
    (0..<times).compactMap { _ in
      let start = monotonic()
      send(message ?? query)
      return recv(descriptor, &buffer, buffer.count, 0) > 0 ? monotonic() - start : nil
    }
  }

  /// Sets a second, never more than 64 under way, and how many were lost: the 64th asks, and its answer says that
  /// those before it were read, if the system's count for the socket says that it dropped none.
  func set(seconds: Int) -> (perSecond: Double, lost: Int) {
    var bytes = Array("/filter/cutoff\0\0,f\0\0".utf8) + [0, 0, 0, 0]
    let before = drops
    let start = monotonic()
    let end = start + Int64(seconds) * 1_000_000_000
    var (sets, unanswered) = (0, 0)
    while monotonic() < end {
      for index in 0..<63 {
        let value = (Float((sets + index) % 1_000) / 1_000).bitPattern.bigEndian
        withUnsafeBytes(of: value) { bytes.replaceSubrange(20..<24, with: $0) }
        send(bytes)
      }
      send(query)
      if recv(descriptor, &buffer, buffer.count, 0) <= 0 { unanswered += 1 }
      sets += 63
    }
    let spent = Double(monotonic() - start) * 1e-9
    return (Double(sets) / spent, unanswered * 63 + drops - before)
  }

  /// Datagrams that the system has dropped for the server's socket.
  var drops: Int {
    guard let server else { return 0 }
    guard let file = fopen("/proc/net/udp", "r") else { return 0 }
    defer { fclose(file) }
    var line = [CChar](repeating: 0, count: 512)
    let hexadecimal = String(server, radix: 16, uppercase: true)
    let wanted = ":" + String(repeating: "0", count: 4 - hexadecimal.count) + hexadecimal
    while fgets(&line, Int32(line.count), file) != nil {
      let text = String(decoding: line.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
      let words = text.split(whereSeparator: { $0 == " " || $0 == "\n" })
      if words.count > 12, words[1].hasSuffix(wanted) { return Int(words[12]) ?? 0 }
    }
    return 0
  }

  /// Sends a datagram.
  func send(_ bytes: [UInt8]) { _ = Glibc.send(descriptor, bytes, bytes.count, 0) }

  /// Bytes that have come in.
  func drain() -> Int {
    var bytes = 0
    while true {
      let count = recv(descriptor, &buffer, buffer.count, Int32(MSG_DONTWAIT))
      if count < 0 { return bytes }
      bytes += count
    }
  }
}
