import Surface

/// Messages that wait to be acted on, a line for each sender. The lines take turns, message by message, so that whoever
/// sends much holds up nobody else.
struct Inbox {
  private var lines: [WaitingLine] = []
  // Lines in which messages wait.
  private var waiting = 0
  private var turn = 0
  private let total: Int

  /// Messages that were dropped, since the start.
  private(set) var dropped = 0

  /// Senders that are kept apart.
  static let senders = 64
  /// Messages that wait for one sender: as many as one datagram holds.
  static let perSender = 4096
  /// Messages that wait in all, shared among the senders that have some.
  static let total = 2 * perSender

  /// An inbox for so many messages in all.
  init(total: Int = Inbox.total) { self.total = total }

  /// True when no message waits.
  var isEmpty: Bool { waiting == 0 }

  /// Whether messages of a sender wait.
  func isWaiting(_ peer: Peer) -> Bool { lines.contains { $0.peer == peer && $0.count > 0 } }

  /// Puts a message into the line of its sender. False when that line, or the last line, was full and a message was
  /// dropped: this one or another.
  /// - Parameter isValue: Whether a message sets a value, so that only the last one at its address counts. Asked when
  ///   a line is full.
  mutating func add(_ message: WaitingMessage, from peer: Peer, isValue: (WaitingMessage) -> Bool) -> Bool {
    guard let line = line(of: peer) else {
      dropped += 1
      return false
    }
    let wasEmpty = lines[line].count == 0
    if wasEmpty { waiting += 1 }
    if lines[line].add(message, limit: min(Inbox.perSender, total / waiting), isValue: isValue) {
      return true
    }
    dropped += 1
    return false
  }

  /// Takes out the next message, of the sender whose turn it is.
  mutating func next() -> (peer: Peer, message: WaitingMessage)? {
    for _ in lines.indices {
      turn = (turn + 1) % lines.count
      guard let message = lines[turn].take() else { continue }
      if lines[turn].count == 0 { waiting -= 1 }
      return (lines[turn].peer, message)
    }
    return nil
  }

  /// The line of a sender, a new one or one that is empty if need be; nil when there is none.
  private mutating func line(of peer: Peer) -> Int? {
    if let line = lines.firstIndex(where: { $0.peer == peer }) { return line }
    if lines.count < Inbox.senders {
      lines.append(WaitingLine(peer))
      return lines.count - 1
    }
    guard let free = lines.firstIndex(where: { $0.count == 0 }) else { return nil }
    lines[free] = WaitingLine(peer)
    return free
  }
}
