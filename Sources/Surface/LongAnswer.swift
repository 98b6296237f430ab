/// An answer of many messages, sent in pieces, since a message takes some microseconds to write.
struct LongAnswer {
  let sender: MessageSender
  /// The address of the query.
  let address: String
  private let messages: [OSCMessage]
  // The number of messages whose size was checked, and of those that were sent.
  private var (checked, sent) = (0, 0)
  /// Whether nothing is left to do.
  private(set) var isDone = false
  /// Whether the sizes of all messages were checked.
  var isChecked: Bool { checked == messages.count }

  /// The most messages of a piece; an answer without more is sent at once.
  static let pieceCount = 64
  /// The most messages that are checked in a round.
  private static let checkedCount = 512
  /// The time until a connection that cannot take more is tried again, nanoseconds.
  static let pause: Int64 = 5_000_000

  init(_ messages: [OSCMessage], to sender: MessageSender, address: String) {
    (self.messages, self.sender, self.address) = (messages, sender, address)
  }

  /// The next piece to be sent; empty while the sizes are checked, or if the connection cannot take more now. A message
  /// that is too long for the connection is the last piece.
  mutating func next(_ now: Int64) -> ArraySlice<OSCMessage> {
    let transport = sender.transport
    if !isChecked {
      let range = checked..<min(checked + LongAnswer.checkedCount, messages.count)
      checked = range.upperBound
      let long = messages[range].filter { $0.size > transport.messageBytes }.prefix(1)
      isDone = !long.isEmpty
      return long
    }
    // Over a lossy transport, a queue sends one packet after the other.
    let isQueued = transport.budget.isLossy
    if !isQueued, !transport.isReady(for: sender.peer, now: now) { return [] }
    let piece = messages[
      sent..<(isQueued ? messages.count : min(sent + LongAnswer.pieceCount, messages.count))]
    sent = piece.endIndex
    isDone = sent == messages.count
    return piece
  }
}

extension ControlSurface {
  /// Sends a piece of a long answer, to another sender in each round. The answers to one sender follow one another, since
  /// it knows them by their addresses only. Returns the time of the next call; nil without any.
  func sendLongAnswers(_ now: Int64) -> Int64? {
    if longAnswers.isEmpty { return nil }
    let firsts = longAnswers.indices.filter { index in
      !longAnswers[..<index].contains { $0.sender == longAnswers[index].sender }
    }
    longAnswerTurn = (longAnswerTurn + 1) % firsts.count
    let index = firsts[longAnswerTurn]
    let (sender, wasChecked) = (longAnswers[index].sender, longAnswers[index].isChecked)
    let piece = longAnswers[index].next(now)
    if piece.count > LongAnswer.pieceCount {
      answer(Array(piece), to: sender.peer, over: sender.transport)
    } else {
      send(Array(piece), longAnswers[index].address, to: sender.peer, over: sender.transport, now)
    }
    if longAnswers[index].isDone {
      longAnswers.remove(at: index)
      answered(sender)
    }
    if longAnswers.isEmpty { return nil }
    longAnswersHeld = wasChecked && piece.isEmpty ? longAnswersHeld + 1 : 0
    return longAnswersHeld < firsts.count ? now : now + LongAnswer.pause
  }

  /// Ends the long answers to a sender whose connection has ended.
  func forgetLongAnswers(to sender: MessageSender) {
    for answer in longAnswers where answer.sender == sender { answered(answer.sender) }
    longAnswers.removeAll { $0.sender == sender }
  }
}
