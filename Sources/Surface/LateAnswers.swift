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
}

extension ControlSurface {
  /// The maximum number of queries that wait for their answers.
  static let lateAnswers = 32

  /// Whether a peer waits for the answer to a query. Its transport keeps the connection until then.
  public func isAnswering(_ peer: Peer, over transport: any Transport) -> Bool {
    awaited.contains(MessageSender(peer: peer, transport: transport))
  }

  /// Begins to answer a query.
  func inquire(
    _ node: Node, _ address: String, _ arguments: [OSCArgument], _ sender: MessageSender, now: Int64
  ) throws {
    if awaited.count >= ControlSurface.lateAnswers {
      throw Refusal("waits for \(awaited.count) answers already; ask again later")
    }
    let words = try arguments.validated().map(\.words)
    let query = LateQuery(surface: self, words: words, now: now)
    awaited.append(sender)
    do {
      try node.inquire?(query) { [weak self] result in self?.deliver(result, address, to: sender, now) }
    } catch {
      forget(sender)
      throw error
    }
  }

  private func deliver(
    _ result: Result<[OSCMessage], any Error>, _ address: String, to sender: MessageSender, _ now: Int64
  ) {
    switch result {
    case .success(let messages): send(messages, address, to: sender.peer, over: sender.transport, now)
    case .failure(let error): refuse("\(error)", address, to: sender.peer, over: sender.transport, now)
    }
    forget(sender)
    if !awaited.contains(sender) { sender.transport.hasAnswered(sender.peer) }
  }

  private func forget(_ sender: MessageSender) {
    if let index = awaited.firstIndex(of: sender) { awaited.remove(at: index) }
  }
}
