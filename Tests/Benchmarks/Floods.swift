import Glibc
import System

/// What one client's flood does to another: round trips of a query, each 2 ms for ten seconds, beside floods over the
/// loopback. From the repository's folder, where the presets are. The bars are 5 ms in 99 of 100, and none lost.
func benchmarkFloods() {
  let floods: [Flood] = [
    Flood("no flood", [], 1),
    Flood("/presets/list, 100 a second", message("/presets/list"), 100),
    Flood("bundles of 100 /presets/list, 10 a second", bundle("/presets/list", 100), 10),
    Flood("bundles of 2,500 /preset/next, 4 a second", bundle("/preset/next", 2_500), 4),
    Flood("wrong addresses, 20,000 a second", message("/filter/cutof", 0.5), 20_000),
    Flood("/sync, 20,000 a second", message("/sync"), 20_000),
    Flood("knobs, 20,000 a second", message("/filter/cutoff", 0.5), 20_000),
  ]
  for flood in floods { flood.run() }
}

/// A datagram that one client sends so many times a second.
private struct Flood: Sendable {
  let name: String
  let datagram: [UInt8]
  let perSecond: Int

  init(_ name: String, _ datagram: [UInt8], _ perSecond: Int) {
    (self.name, self.datagram, self.perSecond) = (name, datagram, perSecond)
  }

  /// Ten seconds of it beside another client's queries.
  func run() {
    let instrument = Service(replyPort: 9, factory: "presets")
    guard let other = Wire(to: instrument.port) else { return print("floods: no socket") }
    let port = instrument.port
    let seconds = 10
    let flooder = start { if !datagram.isEmpty { send(to: port, seconds: seconds) } }
    let before = other.drops
    var times: [Int64] = []
    let end = monotonic() + Int64(seconds) * 1_000_000_000
    var asked = 0
    while monotonic() < end {
      asked += 1
      _ = other.drain()
      times += other.ask(times: 1)
      usleep(2_000)
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
      wire.send(datagram)
    }
  }
}

private func message(_ address: String, _ value: Float? = nil) -> [UInt8] {
  func padded(_ text: String) -> [UInt8] {
    let bytes = Array(text.utf8)
    return bytes + Array(repeating: 0, count: 4 - bytes.count % 4)
  }
  guard let value else { return padded(address) + padded(",") }
  return padded(address) + padded(",f") + withUnsafeBytes(of: value.bitPattern.bigEndian) { Array($0) }
}

private func bundle(_ address: String, _ count: Int) -> [UInt8] {
  let message = message(address)
  let element = withUnsafeBytes(of: UInt32(message.count).bigEndian) { Array($0) } + message
  return Array("#bundle\0".utf8) + [0, 0, 0, 0, 0, 0, 0, 1] + (0..<count).flatMap { _ in element }
}
