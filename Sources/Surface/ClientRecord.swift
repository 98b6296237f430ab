import Synth

/// A client as it is kept over a restart: a line such as `192.168.1.20 heard 1763724000 sends 50000 part 3`.
struct ClientRecord: Equatable {
  let host: HostAddress
  /// When it was last heard, seconds since 1970 by the wall clock; up to `ClientStore.tolerance` too early.
  var heard: Int64
  /// The one port that it was heard from, if it was one.
  var onlyPort: Int?
  /// Where it listens, and the port that it subscribed from; nil for a tablet, which listens on the reply port.
  var listens: Int?
  var sender: Int?
  /// Parts whose sound it is told of, from 0.
  var parts: [Int] = []

  /// A client as it is now, last heard at a time of the wall clock.
  init(_ client: Client, heard: Int64) {
    host = client.peer.host
    self.heard = heard
    onlyPort = client.onlySender?.port
    sender = client.sender?.port
    listens = client.sender == nil ? nil : client.peer.port
    parts = client.openParts
  }

  // MARK: - As text

  private static let head = "pipit clients "

  /// All as text, with a version line on top.
  static func text(_ all: [ClientRecord]) -> String {
    head + "1\n" + all.map { $0.line + "\n" }.joined()
  }

  private var line: String {
    var words = ["\(host) heard \(heard)"]
    if let onlyPort { words.append("sends \(onlyPort)") }
    if let listens { words.append("listens \(listens)") }
    if let sender { words.append("subscribed \(sender)") }
    words += parts.map { "part \($0 + 1)" }
    return words.joined(separator: " ")
  }

  /// What can be read of a text, no more than there are seats, and how many lines cannot.
  static func read(_ text: String) -> (all: [ClientRecord], wrong: Int) {
    if text.isEmpty { return ([], 0) }
    guard text.utf8.count <= Limits.textBytes, text.hasPrefix(head) else { return ([], 1) }
    let lines = text.split(separator: "\n").dropFirst()
    let all = lines.compactMap { ClientRecord(line: $0) }
    return (Array(all.prefix(Limits.surfaceClients)), lines.count - all.count)
  }

  /// A word that is not known was written by a newer pipit, and is left out.
  private init?(line: Substring) {
    let words = line.split(separator: " ")
    guard let first = words.first, let host = HostAddress(first), words.count % 2 == 1 else { return nil }
    (self.host, heard) = (host, -1)
    for index in stride(from: 1, to: words.count, by: 2) {
      guard let number = Int(words[index + 1]), number >= 0 else { return nil }
      switch words[index] {
      case "heard": heard = Int64(number)
      case "sends": onlyPort = number
      case "listens": listens = number
      case "subscribed": sender = number
      case "part":
        guard (1...Limits.parts).contains(number) else { return nil }
        parts.append(number - 1)
      default: break
      }
    }
    let ports = [onlyPort, listens, sender].compactMap { $0 }
    guard heard >= 0, ports.allSatisfy({ (1...65_535).contains($0) }), (listens == nil) == (sender == nil)
    else { return nil }
  }
}
