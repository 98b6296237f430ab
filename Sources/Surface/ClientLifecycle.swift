import Control
import Scenes

// The lifecycle of clients: a message, a connection or `/subscribe` adds one; silence or a disconnection removes it.

extension ControlSurface {
  /// The client that sent a message. A client that is new or was absent receives everything.
  /// - Parameter isListener: Whether a new client receives only the addresses that it listens to.
  func activeClient(
    _ peer: Peer, over transport: any Transport, now: Int64, isListener: Bool = false
  ) -> Client {
    let last = Limits.surfaceClients - 1
    lazy var temporary = Client(slot: last, transport: transport, peer: peer, receivedAt: now, feedback.map)
    if !transport.keepsClients { return temporary }
    guard let client = clients.find(peer, over: transport) else {
      guard let client = add(peer, at: transport.replyPort, over: transport, now: now) else {
        return temporary
      }
      if transport.replyPort == nil { client.sender = peer }
      client.isListener = isListener
      if isListener { return client }
      feedback.keepRefreshing(client, now)
      feedback.resendAll(to: client, now: now)
      return client
    }
    // A transport that loses nothing has delivered everything, however long the client was silent.
    let wasAway = transport.budget.isLossy && now - client.receivedAt > Clients.absence || client.isCutOff
    // Changes shortly before its last message may be lost.
    if wasAway { client.deliveredUntil = client.receivedAt - Feedback.refreshTime }
    (client.receivedAt, client.backoff) = (now, nil)
    if client.onlySender != peer { client.onlySender = nil }
    feedback.keepRefreshing(client, now)
    if wasAway { feedback.resendAll(to: client, now: now) }
    return client
  }

  /// Adds the client of a connection that has sent no message, and sends it everything.
  public func connect(_ peer: Peer, over transport: any Transport, now: Int64) {
    feedback.resendAll(to: activeClient(peer, over: transport, now: now), now: now)
  }

  /// Makes a connection listen to an address. Returns the current value, which the caller sends; feedback sends the
  /// later changes.
  public func listen(to target: NodeAddress, _ peer: Peer, over transport: any Transport, now: Int64)
    -> OSCValue?
  {
    let client = activeClient(peer, over: transport, now: now, isListener: true)
    feedback.addSound(at: target, tree[target], to: client, sends: false)
    guard let value = value(at: target) else { return nil }
    feedback.noteSent(target, value, to: client, now: now)
    return value
  }

  /// The number of clients.
  public var clientCount: Int { clients.all.count }

  /// Whether a peer may hold notes or pedals.
  public func isPlaying(_ peer: Peer, over transport: any Transport) -> Bool {
    clients.find(peer, over: transport)?.plays ?? false
  }

  /// Removes the client of a connection that has ended, and releases its notes.
  public func disconnected(_ peer: Peer, over transport: any Transport) {
    if let client = clients.find(peer, over: transport) { remove(client) }
    forgetLongAnswers(to: MessageSender(peer: peer, transport: transport))
  }

  /// Restores a client from before a restart if a slot is free, and sends it everything.
  func restore(_ record: ClientRecord, over transport: any Transport, receivedAt: Int64, now: Int64) {
    if record.subscribedPort != nil && now - receivedAt >= Clients.silence { return }
    let listener = Peer(record.host, port: record.listenPort ?? transport.replyPort ?? 0)
    var client = clients.find(at: listener, over: transport)
    if client == nil && clients.all.count < Limits.surfaceClients {
      client = clients.add(listener, at: listener, over: transport, now: receivedAt, feedback.map)?.new
      client?.onlySender = record.onlyPort.map { Peer(record.host, port: $0) }
      let sender = record.subscribedPort.map { Peer(record.host, port: $0) }
      client?.sender = listener.port == transport.replyPort ? nil : sender
      if let client { feedback.startBackoff(client, now: now) }
    }
    guard let client else { return }
    for part in record.parts { feedback.addSound(of: part, to: client, withDetails: false) }
    for part in record.detailedParts { feedback.addSound(of: part, to: client, withDetails: true) }
  }

  private func add(_ peer: Peer, at port: Int?, over transport: any Transport, now: Int64) -> Client? {
    let listener = port.map { Peer(peer.host, port: $0) } ?? peer
    guard
      let (client, evicted) = clients.add(peer, at: listener, over: transport, now: now, feedback.map)
    else { return nil }
    if let evicted { release(evicted) }
    return client
  }

  /// Removes a client, and releases its notes.
  private func remove(_ client: Client) {
    release(client)
    clients.remove(client)
  }

  /// Releases the notes and pedals that a client holds, and ends what it auditions.
  private func release(_ client: Client) {
    guard client.plays else { return }
    (client.plays, client.holdTimeout) = (false, Clients.silence)
    let source = Limits.surfaceSources + client.slot
    instrument.audition.end(source: source)
    instrument.performance.play(.sourceGone, source: source, part: 0)
  }

  /// Releases the notes of clients that have been silent for their timeout, and ends expired subscriptions.
  /// - Returns: The time of the next call; nil when nothing can expire.
  public func expire(_ now: Int64) -> Int64? {
    var next = Int64.max
    for client in clients.all {
      let silence = now - client.receivedAt
      // Only a subscription over UDP expires; a connection ends by itself.
      let isLease = client.sender != nil && client.transport.replyPort != nil
      if client.plays && silence >= client.holdTimeout { release(client) }
      if isLease && silence >= Clients.silence { remove(client) }
      if client.plays { next = min(next, client.receivedAt + client.holdTimeout) }
      if isLease && silence < Clients.silence { next = min(next, client.receivedAt + Clients.silence) }
    }
    return next == .max ? nil : next
  }

  /// `/subscribe`, with a port or without.
  func subscribe(_ request: Request) throws {
    let (client, peer, transport) = (request.client, request.peer, request.client.transport)
    guard transport.replyPort != nil else {
      throw Refusal("is for UDP; a connection gets feedback without it")
    }
    var listener = peer
    if let first = request.arguments.first {
      guard let number = first.number, (1...65_535).contains(number) else {
        throw Refusal("takes a port, 1…65535", not: first)
      }
      listener = Peer(peer.host, port: Int(clamping: number))
    }
    // A client whose messages all came from this port is the sender itself, and does not receive everything twice.
    let isSender = client.sender == peer || client.onlySender == peer
    let subscriber: Client
    if let existing = clients.find(at: listener, over: transport) {
      subscriber = existing
      if isSender && existing !== client { remove(client) }
    } else if isSender {
      subscriber = client
      client.peer = listener
    } else if let new = add(peer, at: listener.port, over: transport, now: request.now) {
      subscriber = new
    } else {
      throw Refusal("finds every slot in use; send it again")
    }
    // Tablets listen on the reply port, and are identified by their host.
    subscriber.sender = listener.port == transport.replyPort ? nil : peer
    (subscriber.receivedAt, subscriber.backoff) = (request.now, nil)
    feedback.keepRefreshing(subscriber, request.now)
    feedback.resendAll(to: subscriber, now: request.now)
  }

  /// `/unsubscribe`.
  func unsubscribe(_ request: Request) throws {
    // If a host has several senders, only a subscriber may end its feedback: the tablet may belong to another sender.
    guard request.client.sender != nil || request.client.onlySender == request.peer else {
      throw Refusal("ends nothing: there is no subscription from this port")
    }
    remove(request.client)
  }
}
