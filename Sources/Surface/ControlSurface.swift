import Control
import Parameters
import Scenes
import System

/// The OSC control surface of the instrument, for any transport: finds the node of an address, carries out the message,
/// and sends feedback to every client. Control thread only.
///
/// It joins the loop before its transports. They enqueue the messages that they receive; once a round, the surface
/// acts on them, sends due feedback and expires clients.
public final class ControlSurface {
  /// The instrument that it controls.
  public let instrument: Instrument
  /// The networks that may control the instrument.
  let allow: AllowedNetworks
  let feedback: Feedback
  var clients = Clients()
  /// The tree of its addresses.
  public let tree: NodeTree
  // The targets of recent patterns: a fader that sends to a pattern uses it again and again.
  private var patterns: [String: [NodeAddress]] = [:]
  private var errors = ErrorLimits()
  /// The lists of the library by node.
  var lists: [Int: LibraryList] = [:]
  /// Long answers that are being sent, which of their senders had the last turn, and how many turns in a row could send
  /// nothing.
  var longAnswers: [LongAnswer] = []
  var (longAnswerTurn, longAnswersHeld) = (0, 0)
  /// Whether a loop calls `update`.
  var isInLoop = false
  /// The number of searches for a nearest address.
  private(set) var hintsSought = 0
  /// The pads of controllers.
  public private(set) lazy var pads = Pads(self)
  var scheduled = ScheduledMessages()
  var inbox = Inbox()
  // The packets that were numbered.
  var packets: UInt64 = 0
  let transfer = FileTransfer()
  /// The peers that wait for answers to a `LateQuery`, one entry for each answer.
  var awaited: [MessageSender] = []
  // Since when writes wait for the rest of a packet; nil if they do not.
  var heldSince: Int64?
  // Answers that a transport dropped because its queue was full.
  var droppedAnswers = 0
  var rejectedHosts: Set<HostAddress> = []
  var loggedDrops = RateLimiter(burst: 1, perSecond: 1 / 60)
  let log: (String) -> Void

  /// The surface of `instrument`; `log` receives a line about each machine that is rejected or sends too much.
  public convenience init(
    _ instrument: Instrument, allow: AllowedNetworks = .thisMachine, log: @escaping (String) -> Void
  ) {
    self.init(instrument, allow: allow, .instrument, log: log)
  }

  init(_ instrument: Instrument, allow: AllowedNetworks, _ tree: NodeTree, log: @escaping (String) -> Void) {
    (self.instrument, self.allow, self.tree, self.log) = (instrument, allow, tree, log)
    feedback = Feedback(instrument, FeedbackMap(tree))
    let isWatched = { [weak self] in self.map { !$0.clients.all.isEmpty || $0.pads.isShown } ?? false }
    (instrument.arpeggios.isWatched, instrument.clock.isWatched) = (isWatched, isWatched)
    instrument.isAmidPacket = { [weak self] in self?.inbox.isInPacket ?? false }
    feedback.listeners = { [unowned self] client in
      clients.all.filter { $0.isListener && $0 !== client && $0.peer.host == client.peer.host }
    }
    pads.join()
  }

  /// Messages and answers that were dropped because a queue was full, since the start.
  var dropped: Int { inbox.dropped + droppedAnswers }

  /// Acts on a message at once, and answers over the transport that carried it.
  /// - Parameters:
  ///   - now: When the message arrived, CLOCK_MONOTONIC in nanoseconds.
  ///   - moment: When the message takes effect, if later.
  public func receive(
    _ address: String, _ arguments: [OSCArgument], from peer: Peer, over transport: any Transport, now: Int64,
    moment: Int64? = nil
  ) {
    var answers: [OSCMessage] = []
    do {
      for target in try tree.find(address).map({ [$0] }) ?? targets(ofPattern: address) {
        let node = tree.nodes[target.node]
        if let ask = node.ask {
          if node.changes { try admitChange(to: node, arguments, by: peer, over: transport) }
          answers += try ask(instrument, arguments.validated(for: node.arguments))
          continue
        }
        if node.inquire != nil {
          if node.changes { try admitChange(to: node, arguments, by: peer, over: transport) }
          try inquire(
            target.node, address, arguments, MessageSender(peer: peer, transport: transport), now: now)
          continue
        }
        // A peer that only queries the status gets no feedback.
        if node.isQuery, arguments.isEmpty, clients.find(peer, over: transport) == nil {
          answers += answer(node, target)
          continue
        }
        let client = activeClient(peer, over: transport, now: now)
        let arguments = node.numbered(try arguments.validated(for: node.arguments))
        feedback.addSound(at: target, node, to: client)
        if node.list != nil, arguments.count > 1, let refusal = node.refusal(of: arguments.count) {
          throw refusal
        }
        if arguments.isEmpty && node.isReadable || node.list != nil {
          answers += answer(node, target)
          continue
        }
        // A trigger acts on the press, a number that is not 0 or none at all, and not on the release.
        if node.isTrigger, !node.actsOnRelease, arguments.first?.number == 0 { continue }
        guard node.isWritable else { throw Refusal("is read-only") }
        if let refusal = node.refusal(of: arguments.count) { throw refusal }
        do {
          try admitChange(to: node, arguments, by: peer, over: transport)
        } catch {
          feedback.correct(target, to: client, now: now)
          throw error
        }
        if node.isPerPart { instrument.audition.end(part: target.part ?? instrument.focus) }
        if instrument.learning.state > 0, instrument.learning.touch(tree.text(target), now: now) { continue }
        try node.perform(
          Request(
            surface: self, target: target, arguments: arguments, client: client, peer: peer, now: now,
            moment: moment))
      }
    } catch is NoAddress {
      refuse("is no address" + hint(address), address, to: peer, over: transport, now)
    } catch {
      refuse("\(error)", address, to: peer, over: transport, now)
    }
    send(answers, address, to: peer, over: transport, now)
  }

  /// Sends the answers to a message at an address, or an error if one of them is too long for the transport.
  func send(
    _ answers: [OSCMessage], _ address: String, to peer: Peer, over transport: any Transport, _ now: Int64
  ) {
    if let long = answers.first(where: { $0.size > transport.messageBytes }) {
      return refuse(
        "has an answer of \(long.size) bytes, too long for this connection; 'pipit presets' prints it",
        address,
        to: peer, over: transport, now)
    }
    if !answers.isEmpty { answer(answers, to: peer, over: transport) }
  }

  func answer(_ messages: [OSCMessage], to peer: Peer, over transport: any Transport) {
    if !transport.answer(messages, to: peer) { droppedAnswers += 1 }
  }

  /// Whether a message sets one value, so that a newer one at its address may replace it.
  func isValue(_ message: IncomingMessage) -> Bool {
    guard message.arguments.count == 1, message.arguments[0].number != nil else { return false }
    guard let target = tree.find(message.address) else { return Pattern.isPattern(message.address) }
    let node = tree.nodes[target.node]
    return node.isWritable && node.ask == nil && !node.isTrigger
  }

  /// The error of an unknown address.
  private struct NoAddress: Error {}

  /// The nearest address, as a question; empty if none is near.
  private func hint(_ address: String) -> String {
    hintsSought += 1
    return tree.nearest(to: address).map { "; did you mean \($0)?" } ?? ""
  }

  private func admitChange(
    to node: Node, _ arguments: [OSCArgument], by peer: Peer, over transport: any Transport
  ) throws {
    if let why = transport.refusesChanges(by: peer) { throw Refusal(why) }
    if instrument.lock.isOn, transport.keepsClients, !node.isOnStage, !node.isRelease(arguments) {
      throw Refusal("is locked for the stage; hold the lock for a second")
    }
  }

  private func targets(ofPattern address: String) throws -> [NodeAddress] {
    if let known = patterns[address] { return known }
    guard Pattern.isPattern(address) else { throw NoAddress() }
    guard let pattern = Pattern(address) else { throw Refusal("is too complex a pattern") }
    var targets = pattern.matches(in: tree)
    if targets.isEmpty, let present = FormerNames.address(address) {
      targets = Pattern(present)?.matches(in: tree) ?? []
    }
    if targets.isEmpty { throw Refusal("matches no knob") }
    if patterns.count >= ControlSurface.keptPatterns { patterns.removeAll() }
    patterns[address] = targets
    return targets
  }

  /// The most patterns whose targets are kept.
  private static let keptPatterns = 16

  private func answer(_ node: Node, _ target: NodeAddress) -> [OSCMessage] {
    let list = node.list?(instrument) ?? []
    guard let value = value(at: target) else { return list }
    return list + [OSCMessage(tree.text(target), value)]
  }

  /// The current value at an address, of the part in focus for a bare address; nil if it has no value to read.
  public func value(at target: NodeAddress) -> OSCValue? {
    tree[target].value(instrument, part: target.part ?? instrument.focus, number: target.number)
  }

  /// Sends the sender of a request an `/error` with its address and `words`.
  func sendError(_ words: String, _ request: Request) {
    refuse(
      words, tree.text(request.target), to: request.peer, over: request.client.transport, request.now)
  }

  /// Sends a peer an `/error` with an address and a reason, unless the limit of its errors is reached.
  func refuse(
    _ why: @autoclosure () -> String, _ address: String, to peer: Peer, over transport: any Transport,
    _ now: Int64
  ) {
    guard errors.take(MessageSender(peer: peer, transport: transport), now) else { return }
    // A long address is cut off.
    let written = address.utf8.count <= 100 ? address : String(address.prefix(100)) + "…"
    let error = OSCMessage("/error", .string("\(written) \(why())"))
    answer([error], to: peer, over: transport)
    // A tablet does not listen on the port that it sends from; a program may listen only there.
    guard let client = clients.find(peer, over: transport), client.peer != peer else { return }
    answer([error], to: client.peer, over: transport)
    // The tablet's label shows the error instead of the notice, which is sent again later.
    if client.sender == nil, let notice = tree.find("/notice") {
      feedback.hold(
        notice, .string(instrument.notices.label), by: client, now: now, for: ControlSurface.errorTime)
    }
  }

  /// How long a tablet shows an error, nanoseconds.
  static let errorTime: Int64 = 5_000_000_000
}
