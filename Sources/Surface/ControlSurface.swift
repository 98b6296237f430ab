import Control
import Synth

/// What a tablet, a program or a page does to the instrument and is told of it, whatever carries its messages: finds
/// out what an address means, does it, and keeps every client up to date. Control thread only.
public final class ControlSurface {
  let control: Control
  let feedback: Feedback
  var clients = Clients()
  private let tree: NodeTree
  // A fader that sends to a pattern sends to the same one all the time.
  private var patterns: [String: [NodeAddress]] = [:]
  private var refusals = RateLimiter(burst: 20, perSecond: 10)

  /// The surface of `control`.
  public convenience init(_ control: Control) { self.init(control, .instrument) }

  init(_ control: Control, _ tree: NodeTree) {
    (self.control, self.tree) = (control, tree)
    feedback = Feedback(control, FeedbackMap(tree))
  }

  /// A message, who sent it by what way, when it came in, and when it is meant if that is later (CLOCK_MONOTONIC).
  /// Answers and refusals go back the same way.
  public func receive(
    _ address: String, _ arguments: Result<[OSCArgument], Refusal>, from peer: Peer,
    over transport: any Transport, now: Int64, moment: Int64? = nil
  ) {
    var message = Delivery(
      address: address, arguments: arguments, peer: peer, transport: transport, now: now, moment: moment)
    do {
      if let target = tree.find(address) {
        try act(on: target, &message)
      } else {
        for target in try targets(ofPattern: address) {
          message.address = tree.text(target)
          try act(on: target, &message)
        }
      }
    } catch {
      refuse("\(error)", address, to: peer, over: transport, now)
    }
    if !message.answers.isEmpty { transport.answer(message.answers, to: peer) }
  }

  /// A message on its way, and what is answered.
  private struct Delivery {
    var address: String
    let arguments: Result<[OSCArgument], Refusal>
    let peer: Peer
    let transport: any Transport
    let now: Int64
    let moment: Int64?
    var answers: [OSCMessage] = []
  }

  private func targets(ofPattern address: String) throws -> [NodeAddress] {
    if let known = patterns[address] { return known }
    guard Pattern.isPattern(address) else {
      throw Refusal("is no address" + (tree.nearest(to: address).map { "; did you mean \($0)?" } ?? ""))
    }
    guard let pattern = Pattern(address) else { throw Refusal("is too tangled a pattern") }
    let targets = pattern.matches(in: tree)
    if targets.isEmpty { throw Refusal("matches no knob") }
    if patterns.count >= ControlSurface.keptPatterns { patterns.removeAll() }
    patterns[address] = targets
    return targets
  }

  /// Patterns whose nodes are kept.
  private static let keptPatterns = 16

  private func act(on target: NodeAddress, _ message: inout Delivery) throws {
    let node = tree.nodes[target.node]
    if let ask = node.ask {
      message.answers += try ask(control, try message.arguments.get())
      return
    }
    // Who only asks how the instrument is need not be shown everything.
    if node.isQuestion, case .success([]) = message.arguments,
      clients.find(message.peer, over: message.transport) == nil
    {
      return answer(node, target, &message)
    }
    let client = heard(message.peer, over: message.transport, now: message.now)
    let arguments = try message.arguments.get()
    if let part = target.part, node.owner == .sound { feedback.open(part, for: client, now: message.now) }
    if arguments.isEmpty && node.read != nil { return answer(node, target, &message) }
    guard arguments.count <= max(1, node.arguments.count) else { throw Refusal("takes one value") }
    if node.list != nil { return answer(node, target, &message) }
    // A trigger acts on the press, a number that is not 0 or none at all, and not on the release.
    if node.isTrigger && arguments.first?.number == 0 { return }
    guard let write = node.write else { throw Refusal("is sent, never taken") }
    try write(
      Request(
        surface: self, target: target, arguments: arguments, client: client, peer: message.peer,
        now: message.now, moment: message.moment))
  }

  private func answer(_ node: Node, _ target: NodeAddress, _ message: inout Delivery) {
    if let list = node.list { message.answers += list(control) }
    guard let read = node.read else { return }
    let value = read(control, target.part ?? control.focus, target.number)
    message.answers.append(OSCMessage(message.address, value))
  }

  private func refuse(
    _ why: @autoclosure () -> String, _ address: String, to peer: Peer, over transport: any Transport,
    _ now: Int64
  ) {
    if !refusals.take(now) { return }
    // Whoever sends a long address need not get it back.
    let written = address.utf8.count <= 100 ? address : String(address.prefix(100)) + "…"
    let error = OSCMessage("/error", .string("\(written) \(why())"))
    transport.answer([error], to: peer)
    // A tablet does not listen where it sends from; a program may listen there only.
    guard let client = clients.find(peer, over: transport), client.peer != peer else { return }
    transport.answer([error], to: client.peer)
    // The tablet's label shows it in the place of the notice, which is sent again after a moment.
    if client.sender == nil, let notice = tree.find("/notice") {
      feedback.hold(
        notice, .string(control.notice), by: client, now: now, for: ControlSurface.errorTime)
    }
  }

  /// How long a tablet shows what was not taken, nanoseconds.
  static let errorTime: Int64 = 5_000_000_000

  /// Sends what is due to every client; returns when it wants to be called again.
  public func sendDue(_ now: Int64) -> Int64? { feedback.sendDue(to: clients.all, now) }
}
