import Glibc
import System

/// What one client's flood does to another: round trips of a query, each 2 ms for ten seconds, beside floods over the
/// loopback. From the repository's folder, where the presets are. The bars are 5 ms in 99 of 100, and none lost.
func benchmarkFloods() {
  let wavetable = message("/osc/1/wave", "wavetable")
  let tables = (0..<32).map { message("/osc/1/table", Float($0)) }
  let setups = (0..<1_000).map { message("/setup/save/new", "N\($0)") }
  let floods: [Flood] = [
    Flood("no flood", [], 1),
    Flood("/presets/list, 100 a second", [message("/presets/list")], 100),
    Flood("bundles of 100 /presets/list, 10 a second", [bundle("/presets/list", 100)], 10),
    Flood("bundles of 2,500 /preset/next, 4 a second", [bundle("/preset/next", 2_500)], 4),
    Flood("wrong addresses, 20,000 a second", [message("/filter/cutof", 0.5)], 20_000),
    Flood("/sync, 20,000 a second", [message("/sync")], 20_000),
    Flood("knobs, 20,000 a second", [message("/filter/cutoff", 0.5)], 20_000),
    Flood("/osc/1/table, 50 a second", [wavetable] + tables, 50),
    Flood("/osc/1/table, 500 a second", [wavetable] + tables, 500),
    Flood("/setup/save/new, 100 a second", setups, 100),
    Flood("the tree over HTTP, one after the other", pages: .tree),
    Flood("imports of 1,000 presets over HTTP, one after the other", pages: .imports),
    Flood("80 connections, opened and closed together", pages: .browsers),
    Flood(
      "wrong addresses, 100 a second, beside refused requests", [message("/filter/cutof", 0.5)], 100,
      query: message("/focus", 9), pause: 200_000),
  ]
  for flood in floods { flood.run() }
}

/// Datagrams that one client sends in turn, so many a second.
private struct Flood: Sendable {
  let name: String
  let datagrams: [[UInt8]]
  let perSecond: Int
  /// What the other client sends; nil for a query.
  let query: [UInt8]?
  /// The time between two queries of the other client, microseconds.
  let pause: UInt32
  let pages: Pages?

  /// What is asked of the page's server, again and again, each time on new connections.
  enum Pages {
    case tree
    case imports
    case browsers

    /// The number of connections that are open at once.
    var connections: Int { self == .browsers ? 80 : 1 }

    /// The request; empty if nothing is asked.
    var request: [UInt8] {
      switch self {
      case .tree: return Array("GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n".utf8)
      case .browsers: return []
      case .imports:
        let presets = (0..<1_000).map { "pipit preset 1\nname Sound \($0)\n/filter/cutoff/hz \($0 + 100)\n" }
        let body = Array(presets.joined().utf8)
        let head = "PUT /app/presets.txt HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Pipit: 1\r\nConnection: close\r\n"
        return Array((head + "Content-Length: \(body.count)\r\n\r\n").utf8) + body
      }
    }
  }

  init(
    _ name: String, _ datagrams: [[UInt8]] = [], _ perSecond: Int = 1, query: [UInt8]? = nil,
    pause: UInt32 = 2_000, pages: Pages? = nil
  ) {
    (self.name, self.datagrams, self.perSecond) = (name, datagrams, perSecond)
    (self.query, self.pause, self.pages) = (query, pause, pages)
  }

  /// Ten seconds of it beside another client's queries.
  func run() {
    let instrument = Service(replyPort: 9, factory: "presets")
    guard let other = Wire(to: instrument.port) else { return print("floods: no socket") }
    let (port, webPort, seconds) = (instrument.port, instrument.webPort, 10)
    let flooder = start {
      if let pages { ask(pages, webPort, seconds: seconds) }
      if !datagrams.isEmpty { send(to: port, seconds: seconds) }
    }
    let before = other.drops
    var times: [Int64] = []
    let end = monotonic() + Int64(seconds) * 1_000_000_000
    var asked = 0
    while monotonic() < end {
      asked += 1
      _ = other.drain()
      times += other.ask(query, times: 1)
      usleep(pause)
    }
    pthread_join(flooder, nil)
    let sorted = times.sorted()
    if sorted.isEmpty { return print("floods: \(name): no answer to \(asked) queries") }
    print(
      "floods: \(name): query p50 \(sorted[sorted.count / 2] / 1000) us, p99 \(sorted[sorted.count * 99 / 100] / 1000) us, "
        + "longest \(sorted[sorted.count - 1] / 1000) us, lost \(asked - times.count) of \(asked); the system dropped "
        + "\(other.drops - before) datagrams of both")
    instrument.stop()
  }

  private func send(to port: Int, seconds: Int) {
    guard let wire = Wire(to: port) else { return }
    let began = monotonic()
    for index in 0..<perSecond * seconds {
      let due = began + Int64(index) * 1_000_000_000 / Int64(perSecond)
      if due > monotonic() { sleep(until: due) }
      wire.send(datagrams[index % datagrams.count])
    }
  }

  private func ask(_ pages: Pages, _ port: Int, seconds: Int) {
    let end = monotonic() + Int64(seconds) * 1_000_000_000
    let request = pages.request
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while monotonic() < end {
      let descriptors = (0..<pages.connections).map { _ in connection(to: port) }
      defer { for descriptor in descriptors where descriptor >= 0 { close(descriptor) } }
      for descriptor in descriptors {
        if descriptor < 0 { return print("floods: no connection") }
        if request.isEmpty { continue }
        _ = Glibc.send(descriptor, request, request.count, 0)
        while recv(descriptor, &buffer, buffer.count, 0) > 0 {}
      }
    }
  }

  /// A new connection over the loopback; negative if there is none.
  private func connection(to port: Int) -> Int32 {
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var place = sockaddr_in()
    place.sin_family = sa_family_t(AF_INET)
    place.sin_port = in_port_t(UInt16(port)).bigEndian
    place.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    let isConnected = withUnsafePointer(to: &place) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
      }
    }
    if !isConnected { close(descriptor) }
    return isConnected ? descriptor : -1
  }
}

private func padded(_ text: String) -> [UInt8] {
  let bytes = Array(text.utf8)
  return bytes + Array(repeating: 0, count: 4 - bytes.count % 4)
}

private func message(_ address: String, _ value: Float? = nil) -> [UInt8] {
  guard let value else { return padded(address) + padded(",") }
  return padded(address) + padded(",f") + withUnsafeBytes(of: value.bitPattern.bigEndian) { Array($0) }
}

private func message(_ address: String, _ text: String) -> [UInt8] {
  padded(address) + padded(",s") + padded(text)
}

private func bundle(_ address: String, _ count: Int) -> [UInt8] {
  let message = message(address)
  let element = withUnsafeBytes(of: UInt32(message.count).bigEndian) { Array($0) } + message
  return Array("#bundle\0".utf8) + [0, 0, 0, 0, 0, 0, 0, 1] + (0..<count).flatMap { _ in element }
}
