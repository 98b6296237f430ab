import Synth

/// When a client is shown everything anew although it was not heard, since nobody knows whether it hears: it comes
/// from before a restart, or the system sent nothing to it for a while. The first that goes out is lost in a
/// network that has just come up; so it is shown a few times, at growing intervals, until it is heard.
struct ResendBackoff {
  /// When next.
  var at: Int64
  /// The time until the one after.
  var pause: Int64
  /// There is none after this.
  var until: Int64
  /// The system refuses to send to it, as long as there is no network.
  var isCutOff = false

  /// The first pause, nanoseconds. Every pause is twice as long as the one before.
  static let first: Int64 = 8_000_000_000
  /// For so long a client that is not heard is shown everything again and again.
  static let longest: Int64 = 120_000_000_000
  /// The time between two attempts to send to where the network takes nothing: the first, and at most.
  static let cutOff = (first: Int64(1_000_000_000), most: Int64(30_000_000_000))
}

extension Feedback {
  /// Shows a client everything, now and a few times more.
  func startBackoff(_ client: Client, now: Int64) {
    client.backoff = ResendBackoff(at: now, pause: ResendBackoff.first, until: now + ResendBackoff.longest)
  }

  /// Shows it once more when it is time.
  func resendIfUnheard(_ client: Client, now: Int64) {
    guard var backoff = client.backoff, backoff.at <= now else { return }
    resendAll(to: client, now: now)
    // From when it was due: a loop that is a little late each time must not lose the last.
    backoff.at = max(backoff.at + backoff.pause, now)
    if !backoff.isCutOff { backoff.pause *= 2 }
    client.backoff = backoff.isCutOff || backoff.at <= backoff.until ? backoff : nil
  }

  /// A packet went out to the client.
  func reached(_ client: Client, now: Int64) {
    guard client.isCutOff else { return }
    // This was the first of everything there is to show; the first is easily lost.
    startBackoff(client, now: now)
    client.backoff?.at = now + ResendBackoff.first
    client.backoff?.pause *= 2
  }

  /// The system did not send: what the client shows is anyone's guess, and all of it is shown once it does. Until
  /// then one packet is tried now and then.
  func missed(_ client: Client, now: Int64) {
    for entry in client.pending { client[entry].isPending = false }
    client.pending.removeAll(keepingCapacity: true)
    (client.newsAt, client.refreshUntil, client.resentAt) = (.max, .min, .min / 2)
    var pause = ResendBackoff.cutOff.first
    if let backoff = client.backoff, backoff.isCutOff {
      pause = min(backoff.pause * 2, ResendBackoff.cutOff.most)
    }
    client.backoff = ResendBackoff(at: now + pause, pause: pause, until: .max, isCutOff: true)
  }
}
