import Glibc
import Scratch
import Surface
import System
import Testing

@testable import Web

/// The life of connections: real sockets on the loopback interface against the server and its library, with a clock
/// of the test's and answers that wait for the test.
struct ConnectionTests {
  @Test("Half a head or half a body whose sender closes at once is noticed at once")
  func closedWithLastBytes() throws {
    let stand = try Stand()
    for bytes in [Request.halfHead, Request.halfBody, Request.wholeHead + "GET / HT"] {
      let peer = try stand.connect(from: 1)
      peer.send(bytes)
      peer.close()
      #expect(stand.run { stand.server.connectionCount == 0 }, "\(bytes)")
    }
  }

  @Test("However many WebSockets close together, the next browser is answered")
  func closedTogether() throws {
    let stand = try Stand()
    for _ in 0..<16 {
      var peers: [Peer] = []
      for number in 0..<80 {
        let peer = try stand.connect(from: 1 + number / 4)
        peer.send(Request.socket)
        peers.append(peer)
        stand.settle()
      }
      #expect(stand.run { stand.sockets.count == Slots.total })
      for peer in peers { peer.close() }
      let next = try stand.connect(from: 99)
      next.send(Request.wholeHead)
      #expect(stand.run { next.look() == .open && next.received.contains("200 OK") })
      next.close()
      #expect(stand.run { stand.server.connectionCount == 0 })
    }
  }

  @Test("WebSockets of four machines leave places to others, and each of the four keeps its share")
  func shares() throws {
    let stand = try Stand()
    var peers: [Peer] = []
    for number in 0..<80 {
      let peer = try stand.connect(from: 1 + number / 20)
      peer.send(Request.socket)
      peers.append(peer)
      stand.settle()
    }
    for host in 10..<20 {
      let other = try stand.connect(from: host)
      other.send(Request.wholeHead)
      #expect(stand.run { other.look() == .open && other.received.contains("200 OK") }, "\(host)")
      peers.append(other)
    }
    for host in 1...4 {
      let open = peers.count { $0.host == host && $0.look() == .open }
      #expect((12...20).contains(open), "\(host): \(open)")
    }
  }

  @Test("A server that stops ends every connection, also one whose answer is being made")
  func stopped() throws {
    let stand = try Stand()
    let peers = try (0..<20).map { number in
      let peer = try stand.connect(from: 1 + number % 3)
      peer.send(
        [Request.later, Request.halfBody, Request.socket, Request.file, Request.halfHead][number % 5])
      return peer
    }
    #expect(stand.run { stand.waiting.count == 4 && stand.sockets.count == 4 })
    let late = stand.waiting
    stand.server.stop()
    #expect(stand.server.connectionCount == 0)
    #expect(eventually { peers.allSatisfy { $0.look() == .ended } })
    // The answers come when nobody asks any more.
    for done in late { done(HTTPResponse(200, "late")) }
    stand.settle()
  }

  private var steps: Int {
    getenv("PIPIT_STEPS").flatMap { Int(String(cString: $0)) } ?? (runsLongTests ? 4_000 : 500)
  }

  @Test(
    "Connections of every kind: the server holds those that its peers hold, and rests when nothing happens")
  func model() throws {
    let model = try ConnectionModel(SeededRandom.ofRun)
    for step in 0..<steps {
      try model.step()
      if let wrong = model.wrong {
        Issue.record("step \(step): \(wrong)")
        return
      }
    }
    print("connections: \(model.counts.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" })")
    model.stand.server.stop()
    // Much of the files is still on its way.
    #expect(eventually { model.peers.allSatisfy { $0.look(1 << 20) == .ended } })
  }
}

/// Requests and beginnings of requests.
enum Request {
  private static let host = "Host: localhost\r\n"
  static let wholeHead = "GET / HTTP/1.1\r\n\(host)\r\n"
  static let halfHead = "GET / HTTP/1.1\r\nHost: loc"
  static let restOfHead = "alhost\r\n\r\n"
  static let halfBody = "PUT / HTTP/1.1\r\n\(host)Content-Length: 10\r\n\r\n01234"
  static let restOfBody = "56789"
  static let later = "GET /later HTTP/1.1\r\n\(host)\r\n"
  static let file = "GET /file HTTP/1.1\r\n\(host)\r\n"
  static let socket = "GET /socket HTTP/1.1\r\n\(host)\r\n"
}

/// The other end of a connection.
final class Peer {
  /// What it knows of the connection.
  enum Outcome { case open, ended }

  /// The last byte of its address, 127.0.0.x.
  let host: Int
  private let descriptor: Int32
  private(set) var received = ""
  private(set) var isClosed = false
  private var hasEnded = false

  init(port: Int, from host: Int) throws {
    self.host = host
    descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    // Little of an answer that nobody reads is on its way.
    var room: Int32 = 8192
    setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &room, socklen_t(MemoryLayout<Int32>.size))
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(127 << 24 | host).bigEndian
    let isBound = withSocketAddress(&address) { bind(descriptor, $0, $1.pointee) == 0 }
    address.sin_port = in_port_t(UInt16(port)).bigEndian
    address.sin_addr.s_addr = UInt32(127 << 24 | 1).bigEndian
    let isConnected = withSocketAddress(&address) { Glibc.connect(descriptor, $0, $1.pointee) == 0 }
    try #require(isBound && isConnected, "\(String(cString: strerror(errno)))")
    _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
  }

  deinit { if !isClosed { Glibc.close(descriptor) } }

  func send(_ text: String) { _ = send(Array(text.utf8)[...]) }

  /// Sends what the socket takes. Returns the number of bytes.
  func send(_ bytes: ArraySlice<UInt8>) -> Int {
    max(0, bytes.withUnsafeBytes { Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) })
  }

  /// Whether the other end has received everything that was sent.
  var isDelivered: Bool {
    var count: Int32 = 0
    return isClosed || ioctl(descriptor, UInt(TIOCOUTQ), &count) != 0 || count == 0
  }

  /// Forgets what has come so far.
  func forget() { received = "" }

  func close() {
    isClosed = true
    Glibc.close(descriptor)
  }

  /// Closes by a reset.
  func reset() {
    var atOnce = linger(l_onoff: 1, l_linger: 0)
    setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &atOnce, socklen_t(MemoryLayout<linger>.size))
    close()
  }

  /// Ends its own direction only.
  func halfClose() { shutdown(descriptor, Int32(SHUT_WR)) }

  /// Reads what has come, at most so many bytes.
  func look(_ most: Int = 4096) -> Outcome {
    if isClosed || hasEnded { return .ended }
    var bytes = [UInt8](repeating: 0, count: most)
    let count = recv(descriptor, &bytes, most, 0)
    if count > 0 {
      received = String((received + String(decoding: bytes[..<count], as: UTF8.self)).suffix(400))
    } else if count == 0 || errno != EAGAIN {
      hasEnded = true
    }
    return hasEnded ? .ended : .open
  }
}

/// The server with handlers of the test's: `/later` waits for the test, `/file` is longer than sockets hold, `/socket`
/// becomes a WebSocket, and everything else is answered at once.
final class Stand {
  private final class Clock { var now: Int64 = 1_000_000_000 }
  private let clock = Clock()
  let loop: PollLoop
  private let folder: Folder
  private(set) var waiting: [(HTTPResponse) -> Void] = []
  private(set) var sockets: [Int32: HTTPServer.Upgraded] = [:]
  private var made: HTTPServer?

  /// The size of the file, bytes.
  static let fileBytes = 256 << 20

  /// Bodies that were put to `/keep`.
  private(set) var kept: [FileContents] = []

  /// A server that takes bodies of so many bytes, which wait in a folder.
  init(bodyBytes: Int = 100, in folder: Folder = Folder()) throws {
    let clock = clock
    self.folder = folder
    loop = try #require(PollLoop { clock.now })
    made = try HTTPServer(
      port: 0, loop: loop, worker: Worker(loop), folder: folder.path, admits: { _ in true },
      refusal: { _ in nil },
      bodyLimit: { $0.method == .put ? bodyBytes : 0 },
      handle: { [unowned self] request in
        switch request.path {
        case "/keep":
          self.kept.append(request.body)
          return .now(HTTPResponse(200, "kept"))
        case "/later": return .later { self.waiting.append($0) }
        case "/file":
          let zeros = open("/dev/zero", O_RDONLY | O_CLOEXEC)
          let file = OpenFile(zeros, "/dev/zero")
          return .now(HTTPResponse(FileContents(file, count: Stand.fileBytes), type: "text/plain"))
        case "/socket": return .upgrade(key: "dGhlIHNhbXBsZSBub25jZQ==")
        default: return .now(HTTPResponse(200, "here"))
        }
      },
      upgrade: { [unowned self] _, _ in { self.take($0) } }, log: { _ in })
    // The library is loaded at the first connection.
    let first = try connect(from: 1)
    first.send(Request.wholeHead)
    try #require(run { first.look() == .open && first.received.contains("here") })
    first.close()
    try #require(run { self.server.connectionCount == 0 })
  }

  var server: HTTPServer {
    guard let made else { preconditionFailure("it is made at the beginning") }
    return made
  }

  var now: Int64 {
    get { clock.now }
    set { clock.now = newValue }
  }

  func connect(from host: Int) throws -> Peer { try Peer(port: server.port, from: host) }

  /// Answers one of the requests that wait.
  func answer(_ index: Int) { waiting.remove(at: index)(HTTPResponse(200, "late")) }

  private func take(_ upgraded: HTTPServer.Upgraded) {
    let descriptor = upgraded.descriptor
    sockets[descriptor] = upgraded
    loop.watch(descriptor) { [unowned self] in
      var bytes = [UInt8](repeating: 0, count: 100)
      if recv(descriptor, &bytes, bytes.count, Int32(MSG_DONTWAIT)) > 0 { return upgraded.isActive() }
      loop.forget(descriptor)
      sockets[descriptor] = nil
      upgraded.close()
    }
  }

  /// Runs rounds until nothing is left to do. False if there is no end of it.
  @discardableResult
  func settle() -> Bool { (0..<10_000).contains { _ in !loop.round(limit: 0) } }

  /// Runs rounds until `done`, for a minute at most. Returns whether it was done.
  @discardableResult
  func run(until done: () -> Bool) -> Bool {
    let end = monotonic() + 60_000_000_000
    while !done() {
      if monotonic() > end { return false }
      loop.round(limit: 1_000_000)
    }
    return true
  }
}
