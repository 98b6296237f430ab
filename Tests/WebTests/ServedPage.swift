import Control
import Glibc
import Presets
import Scenes
import Scratch
import Surface
import Synth
import System
import Testing
@testable import Web

/// The control thread and the web server without the rest, run round by round by the test itself.
final class ServedPage {
  let link = Link(.initial)
  let loop: PollLoop
  let instrument: Instrument
  let surface: ControlSurface
  let server: WebServer
  let folder = Folder()
  /// The file that describes the Wi-Fi network of the machine. It does not exist at first.
  let accessPoint: String

  /// The number of changed inputs: 300, or a tenth of the environment's `PIPIT_INPUTS`, since each takes a connection.
  static let inputs = getenv("PIPIT_INPUTS").flatMap { Int(String(cString: $0)) }.map { $0 / 10 } ?? 300

  /// A server whose page is a folder of a few files.
  init(allow: String = "private", names: [String] = []) throws {
    let loop = try #require(PollLoop())
    accessPoint = folder.path + "/access-point"
    self.loop = loop
    instrument = Instrument(
      link: link, library: Library(database: nil, factory: nil, log: { _ in }), log: { _ in })
    instrument.join(loop)
    surface = ControlSurface(instrument, allow: try #require(AllowedNetworks(allow)), log: { _ in })
    surface.join(loop)
    _ = folder.file("index.html", "<!doctype html><title>pipit</title>")
    _ = folder.file("main.js", String(repeating: "export const answer = 42\n", count: 100))
    _ = folder.file("secret.conf", "not served")
    server = try WebServer(
      port: 0, surface: surface, loop: loop, state: folder.path, page: folder.path, names: names,
      version: "1", oscPort: { 8000 },
      replyPort: 9000, accessPoint: accessPoint, log: { _ in })
  }

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

  /// Runs for so many milliseconds.
  func run(_ milliseconds: Int) {
    let end = monotonic() + Int64(milliseconds) * 1_000_000
    while monotonic() < end { loop.round(limit: 1_000_000) }
  }

  /// A new connection to the server.
  func connect() throws -> Browser { try Browser(self) }

  /// The answer to a request on a connection of its own.
  func ask(_ line: String, _ fields: [String] = [], body: [UInt8] = []) throws -> Browser.Answer {
    let browser = try connect()
    browser.ask(line, fields, body: body)
    return try #require(browser.answer())
  }
}

/// The other end of a connection: bytes out and in, while the server's loop runs.
final class Browser {
  private let served: ServedPage
  private let descriptor: Int32
  private(set) var received: [UInt8] = []
  private(set) var hasEnded = false

  struct Answer {
    let status: Int
    let fields: [String: String]
    let body: [UInt8]
    var text: String { String(decoding: body, as: UTF8.self) }
  }

  /// An address of this machine in a network; nil without one.
  static let networkAddress: UInt32? = {
    var first: UnsafeMutablePointer<ifaddrs>?
    guard getifaddrs(&first) == 0 else { return nil }
    defer { freeifaddrs(first) }
    var next = first
    while let entry = next?.pointee {
      next = entry.ifa_next
      guard let address = entry.ifa_addr, address.pointee.sa_family == sa_family_t(AF_INET) else { continue }
      let host = address.withMemoryRebound(to: sockaddr_in.self, capacity: 1) {
        UInt32(bigEndian: $0.pointee.sin_addr.s_addr)
      }
      if host >> 24 != 127 { return host }
    }
    return nil
  }()

  /// Connects to the server at an address of this machine, which is then the address of the browser too.
  init(_ served: ServedPage, at host: UInt32 = 0x7F00_0001) throws {
    self.served = served
    descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = in_port_t(UInt16(served.server.port)).bigEndian
    address.sin_addr.s_addr = host.bigEndian
    let code = withSocketAddress(&address) { Glibc.connect(descriptor, $0, $1.pointee) }
    try #require(code == 0)
    _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
  }

  deinit { close(descriptor) }

  /// Ends the connection at once.
  func hangUp() { shutdown(descriptor, Int32(SHUT_RDWR)) }

  /// Sends bytes, while the server reads them.
  func send(_ bytes: [UInt8]) {
    var rest = bytes[...]
    served.run {
      let sent = rest.withUnsafeBytes {
        Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
      }
      if sent < 0 && errno != EAGAIN { return true }
      if sent > 0 { rest = rest.dropFirst(sent) }
      return rest.isEmpty
    }
  }

  /// Sends a request such as `GET /`.
  func ask(_ line: String, _ fields: [String] = [], body: [UInt8] = []) {
    var lines = ["\(line) HTTP/1.1"] + fields
    if !fields.contains(where: { $0.lowercased().hasPrefix("host:") }) {
      lines.append("Host: localhost:\(served.server.port)")
    }
    if !body.isEmpty { lines.append("Content-Length: \(body.count)") }
    send(Array((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8) + body)
  }

  private func receive() {
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while !hasEnded {
      let count = recv(descriptor, &buffer, buffer.count, 0)
      if count == 0 || count < 0 && errno != EAGAIN { hasEnded = true }
      if count <= 0 { return }
      received += buffer[..<count]
    }
  }

  /// Waits until so many bytes are there, or the connection has ended; they are removed.
  func bytes(_ count: Int) -> [UInt8]? {
    served.run {
      receive()
      return received.count >= count || hasEnded
    }
    guard received.count >= count else { return nil }
    defer { received.removeFirst(count) }
    return Array(received[..<count])
  }

  /// Waits for the end of the connection.
  func end() -> Bool {
    served.run {
      receive()
      return hasEnded
    }
  }

  /// Reads for so many milliseconds.
  func listen(_ milliseconds: Int) {
    served.run(milliseconds)
    receive()
  }

  /// Waits for the next answer of HTTP; nil if the connection ends before.
  func answer(hasBody: Bool = true) -> Answer? {
    var head = -1
    served.run {
      receive()
      let end = Array("\r\n\r\n".utf8)
      head = (0..<max(0, received.count - 3)).first { Array(received[$0..<$0 + 4]) == end } ?? -1
      return head >= 0 || hasEnded
    }
    guard head >= 0, let bytes = bytes(head + 4) else { return nil }
    let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\r\n")
    var fields: [String: String] = [:]
    for line in lines.dropFirst() {
      let parts = line.split(separator: ":", maxSplits: 1)
      fields[parts[0].lowercased()] = String(parts[1].drop { $0 == " " })
    }
    let count = hasBody ? Int(fields["content-length"] ?? "0") ?? 0 : 0
    guard let body = self.bytes(count), let status = Int(lines[0].split(separator: " ")[1]) else {
      return nil
    }
    return Answer(status: status, fields: fields, body: body)
  }
}
