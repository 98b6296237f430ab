import System

// The surface in the control thread's loop: what transports hand over waits here, and is acted on in the surface's turn.

extension ControlSurface {
  /// The time that one round may spend on what messages say, nanoseconds. A message that is begun is finished.
  static let share: Int64 = 500_000
  /// Machines that were not let in and are named in the log.
  static let namedStrangers = 32

  /// Takes its turn in every round of the loop from now on; before the transports take theirs.
  public func join(_ loop: PollLoop) { loop.afterEachRound { [weak self] now in self?.update(now) } }

  // MARK: - What transports call

  /// Whether a machine may speak; the log names whoever may not, once.
  public func admits(_ host: HostAddress) -> Bool {
    if allow.admits(host) { return true }
    if strangers.count < ControlSurface.namedStrangers, strangers.insert(host).inserted {
      log("takes nothing from \(host), which is not among the networks of the option 'allow'")
    }
    return false
  }

  /// Takes a message that is acted on when its sender has its turn, and not before its moment. The transport of a
  /// sender whose messages wait should not read more of it, if it can be kept waiting.
  public func enqueue(_ message: IncomingMessage, from peer: Peer, over transport: any Transport) {
    let sender = MessageSender(peer: peer, transport: transport)
    if !scheduled.keep(message, from: sender) { wait(message, sender) }
  }

  /// Whether messages of a peer wait for their turn.
  public func isWaiting(_ peer: Peer, over transport: any Transport) -> Bool {
    inbox.isWaiting(MessageSender(peer: peer, transport: transport))
  }

  private func wait(_ message: IncomingMessage, _ sender: MessageSender) {
    if inbox.add(message, from: sender, isValue: isValue) || !loggedDrops.take(monotonic()) { return }
    log(
      .warning(
        "dropped OSC of \(sender.peer), which sends more than can be acted on; /status/osc/dropped counts it")
    )
  }

  // MARK: - Its turn

  /// Acts on waiting messages, sends feedback and lets clients expire; returns the time of its next turn.
  func update(_ now: Int64) -> Int64? {
    for due in scheduled.due(now) { wait(due.message, due.sender) }
    let hasActed = work(now)
    let feedbackAt = sendDue(now)
    // What was acted on is published in the next round.
    return [scheduled.wake, hasActed ? now : nil, expire(now), feedbackAt].compactMap { $0 }.min()
  }

  /// Acts on waiting messages, one by one, until its share of the round is used up. False when none waited.
  private func work(_ now: Int64) -> Bool {
    if inbox.isEmpty { return false }
    let end = monotonic() + ControlSurface.share
    while let (sender, message) = inbox.next() {
      receive(
        message.address, message.arguments, from: sender.peer, over: sender.transport, now: now,
        moment: message.moment)
      if monotonic() >= end { break }
    }
    instrument.health.oscDropped = dropped
    return true
  }

  /// Sends what is due to every client; returns when it wants to be called again.
  func sendDue(_ now: Int64) -> Int64? { feedback.sendDue(to: clients.all, now) }
}
