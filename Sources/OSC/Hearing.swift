import Control
import Synth

// Who speaks: clients come by being heard or by `/subscribe`, and go.

extension Dispatch {
  /// The client that a message is from; whoever is new, or was away, is shown everything.
  func heard(_ source: Source, now: Int64) -> Client {
    if let client = clients.known(source) {
      if now - client.heardAt > Clients.absence || client.isCutOff { feedback.show(client, now: now) }
      (client.heardAt, client.call) = (now, nil)
      if client.onlyPort != source.port { client.onlyPort = nil }
      feedback.stir(client, now)
      return client
    }
    let client = seat(source, now: now)
    feedback.show(client, now: now)
    return client
  }

  /// Knows a client from before a restart again, and shows it everything, as long as there is a seat.
  func welcome(_ one: Remembered, heardAt: Int64, now: Int64) {
    if one.subscriber != nil && now - heardAt >= Clients.silence { return }
    let place = Source(address: one.address, port: one.listens ?? clients.replyPort)
    var client = clients.listener(place)
    if client == nil && clients.all.count < Limits.oscClients {
      let source = Source(address: one.address, port: one.onlyPort ?? 0)
      let new = clients.seat(source, port: place.port, now: heardAt).new
      new.onlyPort = one.onlyPort
      new.subscriber = place.port == clients.replyPort ? nil : one.subscriber
      feedback.call(new, now: now)
      client = new
    }
    if let client { for part in one.parts { feedback.open(part, for: client, now: now) } }
  }

  private func seat(_ source: Source, port: Int? = nil, now: Int64) -> Client {
    let (client, gone) = clients.seat(source, port: port, now: now)
    if let gone { release(gone) }
    return client
  }

  /// Ends the feedback of a client, and what it holds.
  func remove(_ client: Client) {
    release(client)
    clients.remove(client)
  }

  /// Lets go of what a client holds.
  private func release(_ client: Client) {
    guard client.plays else { return }
    (client.plays, client.patience) = (false, Clients.silence)
    control.play(.sourceGone, source: Limits.oscSources + client.seat, part: 0)
  }

  /// Lets go of what those hold who have not been heard for long; returns when to look again.
  func expire(_ now: Int64) -> Int64? {
    var next = Int64.max
    for client in clients.all {
      let silence = now - client.heardAt
      if client.plays && silence >= client.patience { release(client) }
      if client.subscriber != nil && silence >= Clients.silence { remove(client) }
      if client.plays { next = min(next, client.heardAt + client.patience) }
      if client.subscriber != nil && silence < Clients.silence {
        next = min(next, client.heardAt + Clients.silence)
      }
    }
    return next == .max ? nil : next
  }

  /// `/subscribe`, with a port or without.
  func subscribe(_ said: Said) -> Result<[Message], Refusal> {
    let (client, source) = (said.client, said.source)
    var place = source
    if let first = said.arguments.first {
      guard let number = first.number, (1...65_535).contains(number) else {
        return .failure(Refusal("takes a port, 1…65535"))
      }
      place = Source(address: source.address, port: Int(number))
    }
    // Whoever was only ever heard from this port is the sender itself, and is not sent everything twice.
    let isOwn = client.subscriber == source.port || client.onlyPort == source.port
    let subscriber: Client
    if let listener = clients.listener(place) {
      subscriber = listener
      if isOwn && listener !== client { remove(client) }
    } else if isOwn {
      subscriber = client
      client.listens = place
    } else {
      subscriber = seat(source, port: place.port, now: said.now)
    }
    // The reply port is where tablets listen, and they are known by their host.
    subscriber.subscriber = place.port == clients.replyPort ? nil : source.port
    (subscriber.heardAt, subscriber.call) = (said.now, nil)
    feedback.show(subscriber, now: said.now)
    return .success([])
  }
}
