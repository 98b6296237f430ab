import Control
import Synth

// Who is there: clients come by being heard, by a connection or by `/subscribe`, and go.

extension ControlSurface {
  /// The client that a message is from; whoever is new, or was away, is shown everything.
  func heard(_ peer: Peer, over transport: any Transport, now: Int64) -> Client {
    let last = Limits.surfaceClients - 1
    lazy var passerBy = Client(seat: last, transport: transport, peer: peer, heardAt: now, feedback.map)
    if !transport.keepsClients { return passerBy }
    guard let client = clients.find(peer, over: transport) else {
      guard let client = seat(peer, at: transport.replyPort, over: transport, now: now) else {
        return passerBy
      }
      if transport.replyPort == nil { client.sender = peer }
      feedback.keepRefreshing(client, now)
      feedback.resendAll(to: client, now: now)
      return client
    }
    // What was sent by a way that loses nothing has arrived, however long the other side was silent.
    let wasAway = transport.budget.isLossy && now - client.heardAt > Clients.absence || client.isCutOff
    // What was said shortly before its last word may not have arrived.
    if wasAway { client.toldUntil = client.heardAt - Feedback.refreshTime }
    (client.heardAt, client.backoff) = (now, nil)
    if client.onlySender != peer { client.onlySender = nil }
    feedback.keepRefreshing(client, now)
    if wasAway { feedback.resendAll(to: client, now: now) }
    return client
  }

  /// Whoever spoke over a connection is gone with it, and lets go of what it held.
  public func disconnected(_ peer: Peer, over transport: any Transport) {
    if let client = clients.find(peer, over: transport) { remove(client) }
  }

  /// Knows a client from before a restart again, and shows it everything, as long as there is a seat.
  func welcome(_ one: ClientRecord, over transport: any Transport, heardAt: Int64, now: Int64) {
    if one.sender != nil && now - heardAt >= Clients.silence { return }
    let place = Peer(one.host, port: one.listens ?? transport.replyPort ?? 0)
    var client = clients.find(at: place, over: transport)
    if client == nil && clients.all.count < Limits.surfaceClients {
      client = clients.seat(place, at: place, over: transport, now: heardAt, feedback.map)?.new
      client?.onlySender = one.onlyPort.map { Peer(one.host, port: $0) }
      let sender = one.sender.map { Peer(one.host, port: $0) }
      client?.sender = place.port == transport.replyPort ? nil : sender
      if let client { feedback.startBackoff(client, now: now) }
    }
    if let client { for part in one.parts { feedback.open(part, for: client, now: now) } }
  }

  private func seat(_ peer: Peer, at port: Int?, over transport: any Transport, now: Int64) -> Client? {
    let place = port.map { Peer(peer.host, port: $0) } ?? peer
    guard let (client, gone) = clients.seat(peer, at: place, over: transport, now: now, feedback.map)
    else { return nil }
    if let gone { release(gone) }
    return client
  }

  /// Ends the feedback of a client, and what it holds.
  private func remove(_ client: Client) {
    release(client)
    clients.remove(client)
  }

  /// Lets go of what a client holds.
  private func release(_ client: Client) {
    guard client.plays else { return }
    (client.plays, client.patience) = (false, Clients.silence)
    instrument.performance.play(.sourceGone, source: Limits.surfaceSources + client.seat, part: 0)
  }

  /// Lets go of what those hold who have not been heard for long; returns when to look again.
  public func expire(_ now: Int64) -> Int64? {
    var next = Int64.max
    for client in clients.all {
      let silence = now - client.heardAt
      // A connection ends by itself.
      let isLease = client.sender != nil && client.transport.replyPort != nil
      if client.plays && silence >= client.patience { release(client) }
      if isLease && silence >= Clients.silence { remove(client) }
      if client.plays { next = min(next, client.heardAt + client.patience) }
      if isLease && silence < Clients.silence { next = min(next, client.heardAt + Clients.silence) }
    }
    return next == .max ? nil : next
  }

  /// `/subscribe`, with a port or without.
  func subscribe(_ request: Request) throws {
    let (client, peer, transport) = (request.client, request.peer, request.client.transport)
    guard transport.replyPort != nil else { throw Refusal("is for UDP; a connection is told without it") }
    var place = peer
    if let first = request.arguments.first {
      guard let number = first.number, (1...65_535).contains(number) else {
        throw Refusal("takes a port, 1…65535", not: first)
      }
      place = Peer(peer.host, port: Int(number))
    }
    // Whoever was only ever heard from this port is the sender itself, and is not sent everything twice.
    let isOwn = client.sender == peer || client.onlySender == peer
    let subscriber: Client
    if let listener = clients.find(at: place, over: transport) {
      subscriber = listener
      if isOwn && listener !== client { remove(client) }
    } else if isOwn {
      subscriber = client
      client.peer = place
    } else if let new = seat(peer, at: place.port, over: transport, now: request.now) {
      subscriber = new
    } else {
      throw Refusal("finds every place taken; say it again")
    }
    // The reply port is where tablets listen, and they are known by their host.
    subscriber.sender = place.port == transport.replyPort ? nil : peer
    (subscriber.heardAt, subscriber.backoff) = (request.now, nil)
    feedback.keepRefreshing(subscriber, request.now)
    feedback.resendAll(to: subscriber, now: request.now)
  }

  /// `/unsubscribe`.
  func unsubscribe(_ request: Request) throws {
    // From a host with several senders, only a subscriber ends its own: the tablet may be another's.
    guard request.client.sender != nil || request.client.onlySender == request.peer else {
      throw Refusal("ends nothing: there is no subscription from this port")
    }
    remove(request.client)
  }
}
