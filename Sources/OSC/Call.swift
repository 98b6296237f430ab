import Synth

/// When a client is shown everything anew although it was not heard, since nobody knows whether it hears: it comes
/// from before a restart, or the system sent nothing to it for a while. The first that goes out is lost in a
/// network that has just come up; so it is shown a few times, at growing intervals, until it is heard.
struct Call {
  /// When next.
  var at: Int64
  /// The time until the one after.
  var pause: Int64
  /// There is none after this.
  var until: Int64
  /// The system refuses to send to it, as long as there is no network.
  var isCutOff = false
}

extension Feedback {
  /// The time between the first two pictures of a call, nanoseconds. Every pause is twice as long as the one before.
  static let callPause: Int64 = 8_000_000_000

  /// Shows a client everything, now and a few times more.
  func call(_ client: Client, now: Int64) {
    let end = now + Int64(Limits.callSeconds) * 1_000_000_000
    client.call = Call(at: now, pause: Feedback.callPause, until: end)
  }

  /// Shows it once more when it is time.
  func callAgain(_ client: Client, now: Int64) {
    guard var call = client.call, call.at <= now else { return }
    show(client, now: now)
    // From when it was due: a loop that is a little late each time must not lose the last.
    call.at = max(call.at + call.pause, now)
    if !call.isCutOff { call.pause *= 2 }
    client.call = call.isCutOff || call.at <= call.until ? call : nil
  }

  /// A packet went out to the client.
  func reached(_ client: Client, now: Int64) {
    guard client.isCutOff else { return }
    // This was the first of everything there is to show; the first is easily lost.
    call(client, now: now)
    client.call?.at = now + Feedback.callPause
    client.call?.pause *= 2
  }

  /// The system did not send: what the client shows is anyone's guess, and all of it is shown once it does. Until
  /// then one packet is tried now and then.
  func missed(_ client: Client, now: Int64) {
    for face in client.pending { client.known[face].waits = false }
    client.pending.removeAll(keepingCapacity: true)
    (client.newsAt, client.roundAt, client.livelyUntil) = (.max, .max, .min)
    let (first, most) = (Limits.reachSeconds.first, Limits.reachSeconds.most)
    var pause = Int64(first) * 1_000_000_000
    if let call = client.call, call.isCutOff { pause = min(call.pause * 2, Int64(most) * 1_000_000_000) }
    client.call = Call(at: now + pause, pause: pause, until: .max, isCutOff: true)
  }
}
