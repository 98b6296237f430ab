import Synth

/// The times at which a silent client receives everything again: one from before a restart, or one that the system
/// could not send to. A network that has just come up loses the first packets, so pipit repeats them a few times, at
/// growing intervals, until a message comes from the client.
struct ResendBackoff {
  /// The time of the next repetition.
  var at: Int64
  /// The pause after the next repetition, nanoseconds.
  var pause: Int64
  /// The end of the repetitions.
  var until: Int64
  /// True while the system refuses to send to the client, as without a network.
  var isCutOff = false

  /// The first pause, nanoseconds. Each pause doubles the one before.
  static let first: Int64 = 8_000_000_000
  /// How long a silent client receives everything again, nanoseconds.
  static let longest: Int64 = 120_000_000_000
  /// The first and the longest pause between attempts to send to a client that is cut off, nanoseconds.
  static let cutOff = (first: Int64(1_000_000_000), most: Int64(30_000_000_000))
}

extension Feedback {
  /// Sends a client everything, now and a few times more.
  func startBackoff(_ client: Client, now: Int64) {
    client.backoff = ResendBackoff(at: now, pause: ResendBackoff.first, until: now + ResendBackoff.longest)
  }

  /// Sends a client everything once more when its backoff is due.
  func resendIfDue(_ client: Client, now: Int64) {
    guard var backoff = client.backoff, backoff.at <= now else { return }
    resendAll(to: client, now: now)
    // Counted from the due time: a loop that is a little late each time must not lose the last repetition.
    backoff.at = max(backoff.at + backoff.pause, now)
    if !backoff.isCutOff { backoff.pause *= 2 }
    client.backoff = backoff.isCutOff || backoff.at <= backoff.until ? backoff : nil
  }

  /// Notes that a packet was sent to a client.
  func sendSucceeded(_ client: Client, now: Int64) {
    guard client.isCutOff else { return }
    // This was the first packet since the network came back, and may be lost.
    startBackoff(client, now: now)
    client.backoff?.at = now + ResendBackoff.first
    client.backoff?.pause *= 2
  }

  /// Notes that the system refused to send to a client. The client receives everything once the system sends again;
  /// until then one packet is tried at each pause.
  func sendFailed(_ client: Client, now: Int64) {
    for entry in client.pending { client[entry].isPending = false }
    client.pending.removeAll(keepingCapacity: true)
    (client.pendingDueAt, client.refreshUntil, client.resentAt) = (.max, .min, .min / 2)
    var pause = ResendBackoff.cutOff.first
    if let backoff = client.backoff, backoff.isCutOff {
      pause = min(backoff.pause * 2, ResendBackoff.cutOff.most)
    }
    client.backoff = ResendBackoff(at: now + pause, pause: pause, until: .max, isCutOff: true)
  }
}
