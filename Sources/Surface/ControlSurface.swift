import Control
import Parameters
import Synth
import System

/// What a tablet, a program or a page does to the instrument and is told of it, whatever carries its messages: finds
/// out what an address means, does it, and keeps every client up to date. Control thread only.
///
/// It joins the loop by itself, before its transports: these hand over what they take in, and the surface acts on it in
/// its turn, sends what is due and lets clients expire.
public final class ControlSurface {
  /// What it is the surface of.
  public let instrument: Instrument
  /// Who may speak, by any transport.
  let allow: AllowedNetworks
  let feedback: Feedback
  var clients = Clients()
  /// Its addresses.
  public let tree: NodeTree
  // A fader that sends to a pattern sends to the same one all the time.
  private var patterns: [String: [NodeAddress]] = [:]
  private var refusals = RateLimiter(burst: 20, perSecond: 10)
  // What the library answers with, by node, as it was at an edition of the library.
  private var lists: [Int: (edition: Int, messages: [OSCMessage])] = [:]
  /// How often a nearest address was looked for.
  private(set) var hintsSought = 0
  var scheduled = ScheduledMessages()
  var inbox = Inbox()
  // Answers for which a transport had no room.
  private var droppedAnswers = 0
  var strangers: Set<HostAddress> = []
  var loggedDrops = RateLimiter(burst: 1, perSecond: 1 / 60)
  let log: (String) -> Void

  /// The surface of `control`; `log` takes a line about whoever is not let in or sends too much.
  public convenience init(
    _ instrument: Instrument, allow: AllowedNetworks = .thisMachine, log: @escaping (String) -> Void
  ) {
    self.init(instrument, allow: allow, .instrument, log: log)
  }

  init(_ instrument: Instrument, allow: AllowedNetworks, _ tree: NodeTree, log: @escaping (String) -> Void) {
    (self.instrument, self.allow, self.tree, self.log) = (instrument, allow, tree, log)
    feedback = Feedback(instrument, FeedbackMap(tree))
  }

  /// Messages and answers that were dropped for want of room, since the start.
  var dropped: Int { inbox.dropped + droppedAnswers }

  /// Acts on a message at once, and answers by the transport that carried it.
  /// - Parameters:
  ///   - now: When it came in, CLOCK_MONOTONIC.
  ///   - moment: When it is meant, if that is later.
  public func receive(
    _ address: String, _ arguments: [OSCArgument], from peer: Peer, over transport: any Transport, now: Int64,
    moment: Int64? = nil
  ) {
    var answers: [OSCMessage] = []
    do {
      for target in try tree.find(address).map({ [$0] }) ?? targets(ofPattern: address) {
        let node = tree.nodes[target.node]
        if node.isOfLibrary, arguments.isEmpty {
          answers += try listed(target.node)
          continue
        }
        if let ask = node.ask {
          if node.changes { try admitChange(by: peer, over: transport) }
          answers += try ask(instrument, arguments.taken())
          continue
        }
        // Who only asks how the instrument is need not be shown everything.
        if node.isQuestion, arguments.isEmpty, clients.find(peer, over: transport) == nil {
          answers += answer(node, target)
          continue
        }
        let client = heard(peer, over: transport, now: now)
        let arguments = node.numbered(try arguments.taken())
        if let part = target.part, node.owner == .sound { feedback.open(part, for: client, now: now) }
        let isAsked = arguments.isEmpty && node.read != nil
        if !isAsked && arguments.count > max(1, node.arguments.count) { throw Refusal("takes one value") }
        if isAsked || node.list != nil {
          answers += answer(node, target)
          continue
        }
        // A trigger acts on the press, a number that is not 0 or none at all, and not on the release.
        if node.isTrigger && arguments.first?.number == 0 { continue }
        guard let write = node.write else { throw Refusal("is sent, never taken") }
        try admitChange(by: peer, over: transport)
        if instrument.learning.state > 0, instrument.learning.touch(tree.text(target), now: now) { continue }
        try write(
          Request(
            surface: self, target: target, arguments: arguments, client: client, peer: peer, now: now,
            moment: moment))
      }
    } catch is NoAddress {
      refuse("is no address" + hint(address), address, to: peer, over: transport, now)
    } catch {
      refuse("\(error)", address, to: peer, over: transport, now)
    }
    if let long = answers.first(where: { $0.size > transport.messageBytes }) {
      return refuse(
        "has an answer of \(long.size) bytes, more than is sent here; 'pipit presets' prints it", address,
        to: peer, over: transport, now)
    }
    if !answers.isEmpty { answer(answers, to: peer, over: transport) }
  }

  private func answer(_ messages: [OSCMessage], to peer: Peer, over transport: any Transport) {
    if !transport.answer(messages, to: peer) { droppedAnswers += 1 }
  }

  /// Whether a message sets one value, so that it may give way to a newer one at its address.
  func isValue(_ message: IncomingMessage) -> Bool {
    guard message.arguments.count == 1, message.arguments[0].number != nil else { return false }
    guard let target = tree.find(message.address) else { return Pattern.isPattern(message.address) }
    let node = tree.nodes[target.node]
    return node.write != nil && node.ask == nil && !node.isTrigger
  }

  /// An address that means nothing.
  private struct NoAddress: Error {}

  /// The nearest address, as a question; looked for only when it will be said, since that takes a while.
  private func hint(_ address: String) -> String {
    hintsSought += 1
    return tree.nearest(to: address).map { "; did you mean \($0)?" } ?? ""
  }

  /// What a list of the library answers with, which is made anew when the library has changed.
  private func listed(_ node: Int) throws -> [OSCMessage] {
    let edition = instrument.library.edition
    if let list = lists[node], list.edition == edition { return list.messages }
    let messages = try tree.nodes[node].ask?(instrument, []) ?? tree.nodes[node].list?(instrument) ?? []
    lists[node] = (edition, messages)
    return messages
  }

  private func admitChange(by peer: Peer, over transport: any Transport) throws {
    if let why = transport.refusesChanges(by: peer) { throw Refusal(why) }
  }

  private func targets(ofPattern address: String) throws -> [NodeAddress] {
    if let known = patterns[address] { return known }
    guard Pattern.isPattern(address) else { throw NoAddress() }
    guard let pattern = Pattern(address) else { throw Refusal("is too tangled a pattern") }
    var targets = pattern.matches(in: tree)
    if targets.isEmpty, let present = FormerNames.address(address) {
      targets = Pattern(present)?.matches(in: tree) ?? []
    }
    if targets.isEmpty { throw Refusal("matches no knob") }
    if patterns.count >= ControlSurface.keptPatterns { patterns.removeAll() }
    patterns[address] = targets
    return targets
  }

  /// Patterns whose nodes are kept.
  private static let keptPatterns = 16

  private func answer(_ node: Node, _ target: NodeAddress) -> [OSCMessage] {
    let list = node.list?(instrument) ?? []
    guard let value = value(at: target) else { return list }
    return list + [OSCMessage(tree.text(target), value)]
  }

  /// The value at an address as it is now, of the part in focus for a bare address; nil when there is none to read.
  public func value(at target: NodeAddress) -> OSCValue? {
    tree[target].read?(instrument, target.part ?? instrument.focus, target.number)
  }

  /// Tells who has sent a message what has become of it.
  func tell(_ words: String, _ request: Request) {
    refuse(
      words, tree.text(request.target), to: request.peer, over: request.client.transport, request.now)
  }

  private func refuse(
    _ why: @autoclosure () -> String, _ address: String, to peer: Peer, over transport: any Transport,
    _ now: Int64
  ) {
    if !refusals.take(now) { return }
    // Whoever sends a long address need not get it back.
    let written = address.utf8.count <= 100 ? address : String(address.prefix(100)) + "…"
    let error = OSCMessage("/error", .string("\(written) \(why())"))
    answer([error], to: peer, over: transport)
    // A tablet does not listen where it sends from; a program may listen there only.
    guard let client = clients.find(peer, over: transport), client.peer != peer else { return }
    answer([error], to: client.peer, over: transport)
    // The tablet's label shows it in the place of the notice, which is sent again after a moment.
    if client.sender == nil, let notice = tree.find("/notice") {
      feedback.hold(
        notice, .string(instrument.notices.shown), by: client, now: now, for: ControlSurface.errorTime)
    }
  }

  /// How long a tablet shows what was not taken, nanoseconds.
  static let errorTime: Int64 = 5_000_000_000
}
