/// Messages that wait to be acted on, in a queue for each sender. The queues are served round-robin, message by
/// message, so that a sender of many messages delays no other.
struct Inbox {
  private var queues: [SenderQueue] = []
  // The queue that had the last turn.
  private var turn = -1
  /// Messages that were dropped, since the start.
  private(set) var dropped = 0

  /// The most senders with waiting messages.
  static let senders = 64
  /// The most waiting messages of one sender: as many as one datagram holds.
  static let perSender = 4096
  /// The most waiting messages, shared among their senders.
  static let total = 2 * perSender
  /// The most bytes of one sender's waiting messages; of several senders, each has its share.
  static let bytesPerSender = 1 << 20

  /// True when no message waits.
  var isEmpty: Bool { queues.isEmpty }

  /// Whether a part of a packet was taken, and the rest waits.
  var isInPacket: Bool { queues.contains { $0.isInPacket } }

  /// Whether messages of a sender wait.
  func isWaiting(_ sender: MessageSender) -> Bool { queues.contains { $0.sender == sender } }

  /// Adds a message to the queue of its sender. False if the queue was full, or there were too many queues, and this or
  /// another message was dropped. Messages of a connection are never dropped, since their sender can be kept waiting.
  /// - Parameter isValue: Whether a message sets a value, so that only the last one at its address counts. Called when a
  ///   queue is full.
  mutating func add(
    _ message: IncomingMessage, from sender: MessageSender, isValue: (IncomingMessage) -> Bool
  ) -> Bool {
    let isLossy = sender.transport.budget.isLossy
    var queue = queues.firstIndex { $0.sender == sender }
    if queue == nil, queues.count < Inbox.senders || !isLossy {
      queue = queues.count
      queues.append(SenderQueue(sender))
    }
    let senders = max(1, queues.count)
    let limit = isLossy ? min(Inbox.perSender, Inbox.total / senders) : .max
    let mostBytes = isLossy ? Inbox.bytesPerSender / senders : .max
    if let queue, queues[queue].add(message, limit: limit, mostBytes: mostBytes, isValue: isValue) {
      return true
    }
    dropped += 1
    return false
  }

  /// Removes and returns the next message, of the sender whose turn it is.
  mutating func next() -> (sender: MessageSender, message: IncomingMessage)? {
    if queues.isEmpty { return nil }
    turn = (turn + 1) % queues.count
    guard let message = queues[turn].take() else { return nil }
    let sender = queues[turn].sender
    if queues[turn].count == 0 {
      queues.remove(at: turn)
      turn -= 1
    }
    return (sender, message)
  }
}
