import Control
import System

// The surface in the control thread's loop: messages that transports enqueue wait here until the surface's turn.

extension ControlSurface {
  /// The time that one round may spend on messages, nanoseconds. A message that has begun is finished.
  static let turnTime: Int64 = 500_000
  /// The time that `finish` may take, nanoseconds.
  static let finishTime: Int64 = 500_000_000
  /// The most rejected machines that the log names.
  static let loggedHosts = 32

  /// From now on, runs `update` after every round of the loop. To be called before the transports join.
  public func join(_ loop: PollLoop) {
    isInLoop = true
    transfer.keep(in: instrument.health.state, by: Worker(loop))
    loop.afterEachRound { [weak self] now in self?.update(now) }
  }

  // MARK: - Calls by transports

  /// Whether a machine may control the instrument; the log names each one that may not, once.
  public func admits(_ host: HostAddress) -> Bool {
    if allow.admits(host) { return true }
    if rejectedHosts.count < ControlSurface.loggedHosts, rejectedHosts.insert(host).inserted {
      log("rejects OSC from \(host), which is not in the networks of the option 'allow'")
    }
    return false
  }

  /// The number of another packet, for its messages. What a packet changes is stored in the session together.
  public func nextPacket() -> UInt64 {
    packets += 1
    return packets
  }

  /// Enqueues a message, which is acted on in the turn of its sender, and not before its moment. While messages of a
  /// connection wait, its transport should not read more from it.
  public func enqueue(_ message: IncomingMessage, from peer: Peer, over transport: any Transport) {
    let sender = MessageSender(peer: peer, transport: transport)
    if message.moment != nil, scheduled.keep(message, from: sender) { return }
    if !inbox.add(message, from: sender, isValue: isValue) { logDrop(sender) }
  }

  /// Whether messages of a peer wait.
  public func isWaiting(_ peer: Peer, over transport: any Transport) -> Bool {
    inbox.isWaiting(MessageSender(peer: peer, transport: transport))
  }

  private func logDrop(_ sender: MessageSender) {
    if !loggedDrops.take(monotonic()) { return }
    log(
      .warning(
        "dropped OSC messages from \(sender.peer), which sends too many; /status/osc/dropped counts them")
    )
  }

  // MARK: - The turn

  /// Acts on waiting messages, sends feedback and expires clients. Returns the time of the next call.
  func update(_ now: Int64) -> Int64? {
    for due in scheduled.due(now) where !inbox.add(due.message, from: due.sender, isValue: isValue) {
      logDrop(due.sender)
    }
    let hasActed = work(now)
    // The sender of a packet may have gone before its last message.
    releaseWrites(now)
    let feedbackAt = sendDue(now)
    let lightsAt = pads.update(now)
    let answersAt = sendLongAnswers(now)
    // Changes are published in the next round.
    return [
      scheduled.wake, hasActed ? now : nil, expire(now), transfer.expire(now), feedbackAt, lightsAt,
      answersAt,
    ]
    .compactMap { $0 }.min()
  }

  /// Acts on waiting messages, one by one, for at most `turnTime`. False if none waited.
  private func work(_ now: Int64) -> Bool {
    if inbox.isEmpty { return false }
    let end = monotonic() + ControlSurface.turnTime
    while let next = inbox.next() {
      act(on: next, now)
      if monotonic() >= end { break }
    }
    instrument.health.oscDropped = dropped
    return true
  }

  /// Acts on the rest of each packet that was begun. To be called before the instrument ends, and saves the session.
  public func finish() {
    let end = monotonic() + ControlSurface.finishTime
    while inbox.isInPacket, monotonic() < end { act(on: inbox.next(), monotonic()) }
  }

  private func act(on next: (sender: MessageSender, message: IncomingMessage)?, _ now: Int64) {
    guard let (sender, message) = next else { return }
    holdWrites(now)
    receive(
      message.address, message.arguments, from: sender.peer, over: sender.transport, now: now,
      moment: message.moment)
    releaseWrites(now)
  }

  /// Before a message of which the packet has more: what a packet stores is written together.
  private func holdWrites(_ now: Int64) {
    if heldSince != nil || !inbox.isInPacket { return }
    heldSince = now
    instrument.library.documents.holdWrites()
  }

  /// After the last message of a packet, or after `Instrument.longestHold` in a flood.
  private func releaseWrites(_ now: Int64) {
    guard let since = heldSince, !inbox.isInPacket || now - since >= Instrument.longestHold else { return }
    heldSince = nil
    instrument.library.documents.releaseWrites()
  }

  /// Sends due feedback to every client. Returns the time of the next call.
  func sendDue(_ now: Int64) -> Int64? { feedback.sendDue(to: clients.all, now) }
}
