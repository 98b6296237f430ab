/// Messages that wait to be acted on, a line for each sender that has some. The lines take turns, message by message, so
/// that whoever sends much holds up nobody else.
struct Inbox {
  private var lines: [WaitingLine] = []
  // The line that had the last turn.
  private var turn = -1
  /// Messages that were dropped, since the start.
  private(set) var dropped = 0

  /// Senders whose messages wait at a time.
  static let senders = 64
  /// Messages that wait for one sender: as many as one datagram holds.
  static let perSender = 4096
  /// Messages that wait in all, shared among their senders.
  static let total = 2 * perSender

  /// True when no message waits.
  var isEmpty: Bool { lines.isEmpty }

  /// Whether messages of a sender wait.
  func isWaiting(_ sender: MessageSender) -> Bool { lines.contains { $0.sender == sender } }

  /// Puts a message into the line of its sender. False when that line was full, or there are too many, and a message
  /// was dropped: this one or another. What came over a connection is never dropped, since its sender can be kept
  /// waiting.
  /// - Parameter isValue: Whether a message sets a value, so that only the last one at its address counts. Asked when
  ///   a line is full.
  mutating func add(
    _ message: IncomingMessage, from sender: MessageSender, isValue: (IncomingMessage) -> Bool
  ) -> Bool {
    let isLossy = sender.transport.budget.isLossy
    var line = lines.firstIndex { $0.sender == sender }
    if line == nil, lines.count < Inbox.senders || !isLossy {
      line = lines.count
      lines.append(WaitingLine(sender))
    }
    let limit = isLossy ? min(Inbox.perSender, Inbox.total / max(1, lines.count)) : .max
    if let line, lines[line].add(message, limit: limit, isValue: isValue) { return true }
    dropped += 1
    return false
  }

  /// Takes out the next message, of the sender whose turn it is.
  mutating func next() -> (sender: MessageSender, message: IncomingMessage)? {
    if lines.isEmpty { return nil }
    turn = (turn + 1) % lines.count
    guard let message = lines[turn].take() else { return nil }
    let sender = lines[turn].sender
    if lines[turn].count == 0 {
      lines.remove(at: turn)
      turn -= 1
    }
    return (sender, message)
  }
}
