import Control
import Parameters
import Synth

/// What a message does: finds out what its address means and does it. Answers go to the sender.
final class Dispatch {
  let control: Control
  let feedback: Feedback
  var clients: Clients
  private var routes = Routes()
  private var refusals = Allowance(burst: 20, perSecond: 10)

  init(_ control: Control, replyPort: Int) {
    self.control = control
    feedback = Feedback(control)
    clients = Clients(replyPort: replyPort)
  }

  /// One message.
  func message(
    _ address: String, _ arguments: Result<[Argument], Refusal>, from source: Source, now: Int64,
    reply: ([Message]) -> Void
  ) {
    func refuse(_ why: @autoclosure () -> String) {
      if !refusals.take(now) { return }
      // Whoever sends a long address need not get it back.
      let shown = address.utf8.count <= 100 ? address : String(address.prefix(100)) + "…"
      reply([Message("/error", .string("\(shown) \(why())"))])
    }
    var answer: [Message] = []
    defer { if !answer.isEmpty { reply(answer) } }
    var addresses = [address]
    if Routes.isPattern(address) {
      guard let matching = routes.matching(address) else { return refuse("is too tangled a pattern") }
      if matching.isEmpty { return refuse("matches no address") }
      addresses = matching
    }
    for address in addresses {
      guard let route = routes[address] else {
        return refuse("is no address" + (routes.near(address).map { "; did you mean \($0)?" } ?? ""))
      }
      let client = heard(source, route, now: now)
      switch arguments {
      case .failure(let refusal): return refuse(refusal.why)
      case .success(let arguments):
        switch perform(route, address, arguments, client, source, now: now) {
        case .success(let messages): answer += messages
        case .failure(let refusal): return refuse(refusal.why)
        }
      }
    }
  }

  // MARK: - Who speaks

  private func heard(_ source: Source, _ route: Routes.Route, now: Int64) -> Client {
    if let client = clients.known(source) {
      if now - client.heardAt > Clients.absence { feedback.show(client, now: now) }
      client.heardAt = now
      if client.onlyPort != source.port { client.onlyPort = nil }
      return client
    }
    let client = seat(source, now: now)
    feedback.show(client, now: now)
    return client
  }

  private func seat(_ source: Source, port: String? = nil, now: Int64) -> Client {
    let (client, gone) = clients.seat(source, port: port, now: now)
    if let gone { release(gone) }
    return client
  }

  private func remove(_ client: Client) {
    release(client)
    clients.remove(client)
  }

  /// Lets go of what a client holds.
  private func release(_ client: Client) {
    guard client.plays else { return }
    client.plays = false
    control.play(.sourceGone, source: Limits.oscSources + client.seat, part: 0)
  }

  /// Lets go of what those hold who have not been heard for long; returns when to look again.
  func expire(_ now: Int64) -> Int64? {
    var next = Int64.max
    for client in clients.all where client.plays || client.subscriber != nil {
      if now - client.heardAt < Clients.silence {
        next = min(next, client.heardAt + Clients.silence)
        continue
      }
      if client.subscriber != nil { remove(client) } else { release(client) }
    }
    return next == .max ? nil : next
  }

  // MARK: - What is said

  private func perform(
    _ route: Routes.Route, _ address: String, _ arguments: [Argument], _ client: Client, _ source: Source,
    now: Int64
  ) -> Result<[Message], Refusal> {
    switch route {
    case .knob(let row, let part, let spelling, let face):
      let knob = Knob(row: row, part: part ?? control.focus)
      let kind = Table.rows[row].kind
      if arguments.isEmpty {
        return .success([Message(address, Face.shown(control.stage.scene[knob], kind, spelling))])
      }
      guard arguments.count == 1 else { return .failure(Refusal("takes one value")) }
      switch kind.value(arguments[0], spelling) {
      case .failure(let refusal): return .failure(refusal)
      case .success(let value):
        if let face {
          feedback.touched(face, Face.shown(value, kind, spelling), by: client, now: now)
        }
        control.set(knob, to: value)
        return .success([])
      }
    case .command(let verb, let part, let number):
      return perform(verb, part, number, address, arguments, client, source, now: now)
    }
  }

  private func perform(
    _ verb: Command.Verb, _ part: Int?, _ number: Int?, _ address: String, _ arguments: [Argument],
    _ client: Client, _ source: Source, now: Int64
  ) -> Result<[Message], Refusal> {
    if verb.played != nil {
      let hand = Limits.oscSources + client.seat
      client.plays = true
      if let refusal = control.play(verb, number: number, arguments, part: part, source: hand) {
        return .failure(refusal)
      }
      return .success([])
    }
    if arguments.isEmpty, let shown = verb.shown(control, part: part ?? control.focus) {
      return .success([Message(address, shown)])
    }
    if arguments.count > 1 { return .failure(Refusal("takes one value")) }
    // A trigger acts on the press, a number that is not 0 or none at all, and not on the release.
    if verb.isTrigger && arguments.first?.number == 0 { return .success([]) }
    switch verb {
    case .panic:
      control.play(.panic, source: Limits.oscSources + client.seat, part: 0)
    case .sync:
      feedback.show(client, now: now)
    case .focus:
      guard let number = arguments.first?.number, (1...Double(Limits.parts)).contains(number) else {
        return .failure(Refusal("takes a part, 1…\(Limits.parts)"))
      }
      control.focus = Int(number) - 1
    case .subscribe:
      return subscribe(arguments, client, source, now: now)
    case .unsubscribe:
      remove(client)
    default:
      return control.preset(verb, arguments.first, part: part ?? control.focus)
    }
    return .success([])
  }

  private func subscribe(
    _ arguments: [Argument], _ client: Client, _ source: Source, now: Int64
  ) -> Result<[Message], Refusal> {
    var port = source.port
    if let first = arguments.first {
      guard let number = first.number, (1...65_535).contains(number) else {
        return .failure(Refusal("takes a port, 1…65535"))
      }
      port = "\(Int(number))"
    }
    // Whoever was only ever heard from this port is the sender itself, and is not sent everything twice.
    let isOwn = client.subscriber == source.port || client.onlyPort == source.port
    let subscriber: Client
    if let listener = clients.listener(host: source.host, port: port) {
      subscriber = listener
      if isOwn && listener !== client { remove(client) }
    } else if isOwn {
      subscriber = client
      client.move(to: port)
    } else {
      subscriber = seat(source, port: port, now: now)
    }
    // The reply port is where tablets listen, and they are known by their host.
    subscriber.subscriber = port == clients.replyPort ? nil : source.port
    subscriber.heardAt = now
    feedback.show(subscriber, now: now)
    return .success([])
  }
}
