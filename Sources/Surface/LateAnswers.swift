import Control

// Queries whose answers take a while. Each answer is sent when it is ready; the control thread does not wait for it.

/// A query that is answered later.
struct LateQuery {
  let surface: ControlSurface
  /// Its arguments as text.
  let words: [String]
  /// When it arrived, CLOCK_MONOTONIC in nanoseconds.
  let now: Int64

  var instrument: Instrument { surface.instrument }
}

extension Node {
  /// A query with words as arguments whose answer takes a while. A number is passed as its text.
  /// - Parameter changes: Whether the query changes something, or answers with data that not every account may read.
  static func lateQuery(
    _ path: String, _ arguments: [ArgumentType], _ about: String, changes: Bool = false,
    inquire: @escaping Inquire
  ) -> Node {
    return Node(
      path, .instrument, arguments, about, isQuery: true, changes: changes,
      inquire: { query, reply in
        if let refusal = arguments.refusal(of: query.words.count) { throw refusal }
        try inquire(query, reply)
      })
  }

  /// A query whose answer takes the longer the more is stored. `prepare` takes what it needs from the instrument, and
  /// returns a function that makes the answer on any thread. Without arguments of its own, it ignores one.
  static func longQuery(
    _ path: String, _ arguments: [ArgumentType], _ about: String, isOfLibrary: Bool = false,
    prepare: @escaping @Sendable (Instrument, [String]) throws -> @Sendable () -> [OSCMessage]
  ) -> Node {
    Node(
      path, .instrument, arguments, about, isQuery: true, isOfLibrary: isOfLibrary,
      inquire: { query, reply in
        let make = try prepare(query.instrument, query.words)
        query.instrument.inBackground(make) { reply(.success($0)) }
      })
  }
}

/// A list of the library at an edition, and those who wait for it.
struct LibraryList {
  let edition: Int
  /// The messages; nil while they are made.
  var messages: [OSCMessage]?
  var waiting: [(sender: MessageSender, address: String, now: Int64)] = []
}

extension ControlSurface {
  /// The maximum number of queries that wait for their answers. Lists of the library do not count.
  static let lateAnswers = 32
  /// The maximum number of senders of datagrams that wait for one list, and of long answers that wait to be sent.
  static let longAnswersWaiting = 64

  /// Whether a peer waits for the answer to a query. Its transport keeps the connection until then.
  public func isAnswering(_ peer: Peer, over transport: any Transport) -> Bool {
    awaited.contains(MessageSender(peer: peer, transport: transport))
  }

  /// Begins to answer a query.
  func inquire(
    _ number: Int, _ address: String, _ arguments: [OSCArgument], _ sender: MessageSender, now: Int64
  ) throws {
    let node = tree.nodes[number]
    let words = try arguments.validated(for: node.arguments).map(\.words)
    // A button sends one argument whatever it is for.
    if words.count > 1, let refusal = node.refusal(of: words.count) { throw refusal }
    let query = LateQuery(surface: self, words: words, now: now)
    if node.isOfLibrary { return try list(number, node, query, address, sender) }
    if awaited.count >= ControlSurface.lateAnswers {
      throw Refusal("waits for \(awaited.count) answers already; ask again later")
    }
    awaited.append(sender)
    do {
      try node.inquire?(query) { [weak self] result in self?.deliver(result, address, to: sender, now) }
    } catch {
      forget(sender)
      throw error
    }
  }

  /// Answers with a list of the library, which is made once for each edition of the library.
  private func list(
    _ number: Int, _ node: Node, _ query: LateQuery, _ address: String, _ sender: MessageSender
  ) throws {
    let edition = instrument.library.edition
    if !hasRoom(for: sender, beside: lists[number]?.waiting.count ?? 0) { return }
    awaited.append(sender)
    if let messages = lists[number]?.messages, lists[number]?.edition == edition {
      return deliver(.success(messages), address, to: sender, query.now)
    }
    let isBeingMade = lists[number]?.edition == edition
    // Who waits for an older one gets this one.
    var list = LibraryList(edition: edition, waiting: lists[number]?.waiting ?? [])
    list.waiting.append((sender, address, query.now))
    lists[number] = list
    if isBeingMade { return }
    try node.inquire?(query) { [weak self] result in
      guard let self, let list = lists[number], list.edition == edition else { return }
      lists[number] = LibraryList(edition: edition, messages: try? result.get())
      for one in list.waiting { deliver(result, one.address, to: one.sender, one.now) }
    }
  }

  private func deliver(
    _ result: Result<[OSCMessage], any Error>, _ address: String, to sender: MessageSender, _ now: Int64
  ) {
    switch result {
    case .success(let messages):
      let waits = longAnswers.contains { $0.sender == sender }
      if isInLoop, waits || messages.count > LongAnswer.pieceCount {
        if !hasRoom(for: sender, beside: longAnswers.count) { break }
        return longAnswers.append(LongAnswer(messages, to: sender, address: address))
      }
      send(messages, address, to: sender.peer, over: sender.transport, now)
    case .failure(let error): refuse("\(error)", address, to: sender.peer, over: sender.transport, now)
    }
    answered(sender)
  }

  /// Whether one more answer may wait beside `count` others. One without room is counted. A connection needs none, since
  /// it sends nothing while it waits.
  private func hasRoom(for sender: MessageSender, beside count: Int) -> Bool {
    if !sender.transport.budget.isLossy || count < ControlSurface.longAnswersWaiting { return true }
    droppedAnswers += 1
    return false
  }

  /// Notes that a sender has the answer to a query.
  func answered(_ sender: MessageSender) {
    forget(sender)
    if !awaited.contains(sender) { sender.transport.hasAnswered(sender.peer) }
  }

  private func forget(_ sender: MessageSender) {
    if let index = awaited.firstIndex(of: sender) { awaited.remove(at: index) }
  }
}

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
