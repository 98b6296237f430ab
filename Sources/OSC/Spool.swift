import Surface

/// Sends answers of several packets one packet at a time: a network loses half of several hundred packets that are
/// sent at once. Each peer has a queue. A waiting answer is replaced by a newer one to the same query, so that ten
/// queries get one answer.
struct Spool {
  private struct Answer {
    var messages: [OSCMessage]
    // The number of messages sent.
    var sent = 0
  }
  private struct Queue {
    let peer: Peer
    var answers: [Answer]
    // When its next packet may be sent.
    var due = Int64.min
    // When the queue is dropped because its peer is still unconfirmed; nil while it may be sent.
    var end: Int64?
  }
  private var queues: [Queue] = []

  /// The most peers with a queue, and the most answers in each.
  static let peers = 64
  static let answers = 32
  /// How long an answer waits for its peer to be confirmed, nanoseconds.
  static let timeout: Int64 = 5_000_000_000

  /// Adds an answer. False if there are too many.
  mutating func add(_ messages: [OSCMessage], to peer: Peer) -> Bool {
    guard let queue = queues.firstIndex(where: { $0.peer == peer }) else {
      if queues.count >= Spool.peers { return false }
      queues.append(Queue(peer: peer, answers: [Answer(messages: messages)]))
      return true
    }
    let query = messages.first?.address
    if let index = queues[queue].answers.firstIndex(where: {
      $0.sent == 0 && $0.messages.first?.address == query
    }) {
      queues[queue].answers[index].messages = messages
      return true
    }
    if queues[queue].answers.count >= Spool.answers { return false }
    queues[queue].answers.append(Answer(messages: messages))
    return true
  }

  /// Sends the next packet of each due queue. Returns the time of the next call; nil when all is sent.
  /// - Parameters:
  ///   - allowance: The bytes that may be sent to a peer now.
  ///   - send: Sends a packet.
  mutating func send(
    _ now: Int64, _ budget: PacketBudget, allowance: (Peer) -> Int, send: ([OSCMessage], Peer) -> Void
  ) -> Int64? {
    for index in queues.indices where queues[index].due <= now {
      let (peer, answer) = (queues[index].peer, queues[index].answers[0])
      let allowance = min(allowance(peer), budget.packetBytes)
      let least = OSCMessage.bundleHead + answer.messages[answer.sent].size
      if allowance < min(least, budget.packetBytes) {
        if queues[index].end == nil { queues[index].end = now + Spool.timeout }
        continue
      }
      var packet = PacketBuilder(PacketBudget(packetBytes: allowance, interval: 0, isLossy: budget.isLossy))
      var next = answer.sent
      while next < answer.messages.count, packet.add(answer.messages[next]) { next += 1 }
      send(packet.messages, peer)
      queues[index].due = now + budget.interval
      queues[index].end = nil
      queues[index].answers[0].sent = next
      if next == answer.messages.count { queues[index].answers.removeFirst() }
    }
    queues.removeAll { $0.answers.isEmpty || $0.end.map { $0 <= now } ?? false }
    return queues.map { $0.end ?? $0.due }.min()
  }
}
