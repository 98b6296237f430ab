import Surface

/// Answers that take several packets, sent a packet at a time: a network that is given hundreds at once loses half of
/// them. Each peer has a line and a pace of its own. An answer that waits is replaced by a newer one to the same
/// question, so that whoever asks ten times gets one.
struct Spool {
  private struct Answer {
    var messages: [OSCMessage]
    // How many of them are sent.
    var sent = 0
  }
  private struct Line {
    let peer: Peer
    var answers: [Answer]
    // When its next packet may leave.
    var due = Int64.min
    // When it is given up, since the peer has not shown that it is there.
    var end: Int64?
  }
  private var lines: [Line] = []

  /// Peers that are answered at once, and answers that wait for each.
  static let peers = 64
  static let answers = 32
  /// How long an answer waits for a peer to show that it is there, nanoseconds.
  static let patience: Int64 = 5_000_000_000

  /// Takes an answer. False when there is no room for it.
  mutating func add(_ messages: [OSCMessage], to peer: Peer) -> Bool {
    guard let line = lines.firstIndex(where: { $0.peer == peer }) else {
      if lines.count >= Spool.peers { return false }
      lines.append(Line(peer: peer, answers: [Answer(messages: messages)]))
      return true
    }
    let question = messages.first?.address
    if let place = lines[line].answers.firstIndex(where: {
      $0.sent == 0 && $0.messages.first?.address == question
    }) {
      lines[line].answers[place].messages = messages
      return true
    }
    if lines[line].answers.count >= Spool.answers { return false }
    lines[line].answers.append(Answer(messages: messages))
    return true
  }

  /// Sends the next packet of each line that is due; returns when there is more to do.
  /// - Parameters:
  ///   - room: How many bytes may be sent to a peer now.
  ///   - send: Sends a packet.
  mutating func send(
    _ now: Int64, _ budget: PacketBudget, room: (Peer) -> Int, send: ([OSCMessage], Peer) -> Void
  ) -> Int64? {
    for index in lines.indices where lines[index].due <= now {
      let (peer, answer) = (lines[index].peer, lines[index].answers[0])
      let room = min(room(peer), budget.packetBytes)
      let least = OSCMessage.bundleHead + answer.messages[answer.sent].size
      if room < min(least, budget.packetBytes) {
        if lines[index].end == nil { lines[index].end = now + Spool.patience }
        continue
      }
      var packet = Packing(PacketBudget(packetBytes: room, interval: 0, isLossy: budget.isLossy))
      var next = answer.sent
      while next < answer.messages.count, packet.add(answer.messages[next]) { next += 1 }
      send(packet.messages, peer)
      lines[index].due = now + budget.interval
      lines[index].end = nil
      lines[index].answers[0].sent = next
      if next == answer.messages.count { lines[index].answers.removeFirst() }
    }
    lines.removeAll { $0.answers.isEmpty || $0.end.map { $0 <= now } ?? false }
    return lines.map { $0.end ?? $0.due }.min()
  }
}
