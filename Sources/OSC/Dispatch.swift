import Control
import Glibc
import Parameters
import Synth

/// What a message does: finds out what its address means and does it. Answers go to the sender.
final class Dispatch {
  let control: Control
  let feedback: Feedback
  var clients: Clients
  private var routes = Routes()
  // Whether faults may be put on for a proof.
  private let isTrial = getenv("PIPIT_DEBUG").map { String(cString: $0) == "1" } ?? false
  private var refusals = RateLimiter(burst: 20, perSecond: 10)

  init(_ control: Control, replyPort: Int) {
    self.control = control
    feedback = Feedback(control)
    clients = Clients(replyPort: replyPort)
  }

  /// A message, who sent it, when it came in, and when it is meant if it is meant for later.
  struct Said {
    let address: String
    let arguments: [Argument]
    let client: Client
    let source: Source
    let now: Int64
    let moment: Int64?
  }

  /// One message. `answer` is called with what is to be sent back, and where to.
  func message(
    _ address: String, _ arguments: Result<[Argument], Refusal>, from source: Source, now: Int64,
    moment: Int64? = nil, answer: ([Message], Source) -> Void
  ) {
    func refuse(_ why: @autoclosure () -> String) {
      if !refusals.take(now) { return }
      // Whoever sends a long address need not get it back.
      let shown = address.utf8.count <= 100 ? address : String(address.prefix(100)) + "…"
      let error = Message("/error", .string("\(shown) \(why())"))
      answer([error], source)
      // A tablet does not listen where it sends from; a program may listen there only.
      if let client = clients.known(source), client.listens != source { answer([error], client.listens) }
    }
    var messages: [Message] = []
    defer { if !messages.isEmpty { answer(messages, source) } }
    var addresses = [address]
    if Routes.isPattern(address) {
      guard let matching = routes.matching(address) else { return refuse("is too tangled a pattern") }
      if matching.isEmpty { return refuse("matches no knob") }
      addresses = matching
    }
    for address in addresses {
      guard let route = routes[address] else {
        return refuse("is no address" + (routes.near(address).map { "; did you mean \($0)?" } ?? ""))
      }
      // Who only asks how the instrument is need not be shown everything.
      if case .command(let verb, _, _) = route, verb.isHealth, clients.known(source) == nil,
        case .success([]) = arguments
      {
        messages += verb.health(control)
        continue
      }
      let client = heard(source, now: now)
      switch arguments {
      case .failure(let refusal): return refuse(refusal.why)
      case .success(let arguments):
        let said = Said(
          address: address, arguments: arguments, client: client, source: source, now: now, moment: moment)
        switch perform(route, said) {
        case .success(let answers): messages += answers
        case .failure(let refusal): return refuse(refusal.why)
        }
      }
    }
  }

  // MARK: - What is said

  private func perform(_ route: Routes.Route, _ said: Said) -> Result<[Message], Refusal> {
    switch route {
    case .knob(let row, let part, let spelling, let face):
      return turn(Knob(row: row, part: part ?? control.focus), named: part, spelling, face, said)
    case .command(let verb, let part, let number):
      return perform(verb, part, number, said)
    }
  }

  private func turn(
    _ knob: Knob, named part: Int?, _ spelling: Address.Spelling, _ face: Int?, _ said: Said
  ) -> Result<[Message], Refusal> {
    let row = Table.rows[knob.row]
    if let part, row.field.scope == .patch { feedback.open(part, for: said.client, now: said.now) }
    if said.arguments.isEmpty {
      return .success([Message(said.address, Face.shown(control.stage.scene[knob], row.kind, spelling))])
    }
    guard said.arguments.count == 1 else { return .failure(Refusal("takes one value")) }
    switch row.kind.value(said.arguments[0], spelling) {
    case .failure(let refusal): return .failure(refusal)
    case .success(let value):
      if let face {
        feedback.touched(face, Face.shown(value, row.kind, spelling), by: said.client, now: said.now)
      }
      control.set(knob, to: value)
      return .success([])
    }
  }

  private func perform(
    _ verb: Command.Verb, _ part: Int?, _ number: Int?, _ said: Said
  ) -> Result<[Message], Refusal> {
    let (client, arguments) = (said.client, said.arguments)
    let hand = Limits.oscSources + client.seat
    if verb.played != nil {
      client.plays = true
      let refusal = control.play(
        verb, number: number, arguments, part: part, source: hand, at: said.moment)
      return refusal.map { .failure($0) } ?? .success([])
    }
    if arguments.isEmpty, let shown = verb.shown(control, part: part ?? control.focus, number: number) {
      return .success([Message(said.address, shown)])
    }
    if arguments.count > 1 { return .failure(Refusal("takes one value")) }
    // A trigger acts on the press, a number that is not 0 or none at all, and not on the release.
    if verb.isTrigger && arguments.first?.number == 0 { return .success([]) }
    switch verb {
    case .status:
      return .success(verb.health(control))
    case .freeze, .slow:
      guard isTrial else { return .failure(Refusal("is for proofs; start pipit with PIPIT_DEBUG=1 for it")) }
      let number = arguments.first?.number ?? 1
      if verb == .freeze { control.link.faultInjection.isFrozen = number != 0 }
      if verb == .slow { control.link.faultInjection.slowness = Int(max(1, min(number, 100))) }
    case .panic:
      control.play(.panic, source: hand, part: 0)
    case .sync:
      feedback.show(client, now: said.now)
    case .here:
      break
    case .hold:
      let longest = Double(Clients.silence) * 1e-9
      guard let seconds = arguments.first?.number, (1...longest).contains(seconds) else {
        return .failure(Refusal("takes seconds, 1…\(Int(longest))"))
      }
      client.patience = Int64(seconds * 1e9)
    case .focus:
      guard let number = arguments.first?.number, (1...Double(Limits.parts)).contains(number) else {
        return .failure(Refusal("takes a part, 1…\(Limits.parts)"))
      }
      control.focus = Int(number) - 1
    case .subscribe:
      return subscribe(said)
    case .unsubscribe:
      // From a host with several senders, only a subscriber ends its own: the tablet may be another's.
      guard client.subscriber != nil || client.onlyPort == said.source.port else {
        return .failure(Refusal("ends nothing: there is no subscription from this port"))
      }
      remove(client)
    default:
      return control.preset(verb, number, arguments.first, part: part ?? control.focus)
    }
    return .success([])
  }
}
