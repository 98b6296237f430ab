import Synth

/// A client as stored across restarts: a line such as `192.168.1.20 heard 1763724000 sends 50000 part 3`.
struct ClientRecord: Equatable {
  let host: HostAddress
  /// When its last message arrived, seconds since 1970 by the wall clock; up to `ClientStore.tolerance` too early.
  var received: Int64
  /// The port that its messages came from; nil if they came from several.
  var onlyPort: Int?
  /// The port that it listens on, and the port that it subscribed from; nil for a tablet, which uses the reply port.
  var listenPort: Int?
  var subscribedPort: Int?
  /// Parts whose sound it receives, from 0.
  var parts: [Int] = []
  /// Parts whose details it receives, from 0.
  var detailedParts: [Int] = []

  /// The record of a client. `received` is the arrival of its last message, seconds since 1970 by the wall clock.
  init(_ client: Client, received: Int64) {
    host = client.peer.host
    self.received = received
    onlyPort = client.onlySender?.port
    subscribedPort = client.sender?.port
    listenPort = client.sender == nil ? nil : client.peer.port
    (parts, detailedParts) = (client.soundParts, client.detailedParts)
  }

  // MARK: - As text

  private static let head = "pipit clients "

  /// Records as text, with a version line on top.
  static func text(_ all: [ClientRecord]) -> String {
    head + "1\n" + all.map { $0.line + "\n" }.joined()
  }

  private var line: String {
    var words = ["\(host) heard \(received)"]
    if let onlyPort { words.append("sends \(onlyPort)") }
    if let listenPort { words.append("listens \(listenPort)") }
    if let subscribedPort { words.append("subscribed \(subscribedPort)") }
    words += parts.map { "part \($0 + 1)" } + detailedParts.map { "details \($0 + 1)" }
    return words.joined(separator: " ")
  }

  /// The records of a text, no more than there are slots, and the number of lines that cannot be read.
  static func read(_ text: String) -> (all: [ClientRecord], wrong: Int) {
    if text.isEmpty { return ([], 0) }
    guard text.utf8.count <= Limits.textBytes, text.hasPrefix(head) else { return ([], 1) }
    let lines = text.split(separator: "\n").dropFirst()
    let all = lines.compactMap { ClientRecord(line: $0) }
    return (Array(all.prefix(Limits.surfaceClients)), lines.count - all.count)
  }

  /// A record from its line. An unknown word was written by a newer pipit, and is skipped.
  private init?(line: Substring) {
    let words = line.split(separator: " ")
    guard let first = words.first, let host = HostAddress(first), words.count % 2 == 1 else { return nil }
    (self.host, received) = (host, -1)
    for index in stride(from: 1, to: words.count, by: 2) {
      guard let number = Int(words[index + 1]), number >= 0 else { return nil }
      switch words[index] {
      case "heard": received = Int64(number)
      case "sends": onlyPort = number
      case "listens": listenPort = number
      case "subscribed": subscribedPort = number
      case "part", "details":
        guard (1...Limits.parts).contains(number) else { return nil }
        if words[index] == "part" { parts.append(number - 1) } else { detailedParts.append(number - 1) }
      default: break
      }
    }
    let ports = [onlyPort, listenPort, subscribedPort].compactMap { $0 }
    guard received >= 0, ports.allSatisfy({ (1...65_535).contains($0) }),
      (listenPort == nil) == (subscribedPort == nil)
    else { return nil }
  }
}
