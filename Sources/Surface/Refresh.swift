import Synth

// Packets get lost, both ways. News from here is said again (`Feedback.repeats`); but a fader whose message never
// arrived shows what nobody plays, and pipit cannot know of it. So whoever was just heard is shown round and round, a
// packet at a time, everything that a hand can move, until it has been still for five seconds. What pipit alone
// says, texts, lamps and figures, no lost message of a client can make wrong, and is not in it.
//
// One thing is left: a single touch after a long rest, all of whose messages are lost. Nobody hears of it, and
// nothing is sent to a still client; the next word from it, or `/here`, brings its picture back.

extension Feedback {
  /// For how long after the last word of a client it is refreshed, nanoseconds.
  static let refreshTime: Int64 = 5_000_000_000
  /// How long a round takes, as long as the transport's budget allows it.
  private static let round: Int64 = 400_000_000
  /// The longest time between two packets.
  private static let longestRefreshInterval: Int64 = 100_000_000
  /// Messages that a packet holds at least, to reckon how many packets a round takes.
  private static let messagesPerPacket = 32

  /// Something was said by a client.
  func keepRefreshing(_ client: Client, _ now: Int64) {
    guard client.transport.budget.isLossy else { return }
    client.refreshUntil = now + Feedback.refreshTime
    guard client.refreshAt == .max else { return }
    let packets = Int64(map.movableCount(openParts: client.openParts.count) / Feedback.messagesPerPacket + 1)
    client.refreshInterval = max(
      client.transport.budget.interval, min(Feedback.round / packets, Feedback.longestRefreshInterval))
    client.refreshAt = now + client.refreshInterval
  }

  /// Goes once round as fast as the budget allows it, and before what else there is to say.
  func startUrgentRound(_ client: Client, _ now: Int64) {
    // From the bare addresses on, which are what a player looks at; but who asks again and again gets on as well.
    if client.urgentEntries == 0 { client.refreshed = 0 }
    (client.urgentEntries, client.refreshAt) = (map.count, now)
  }

  /// As many of the next entries of the round as a packet takes.
  func addRefresh(_ client: Client, _ now: Int64, to packet: inout Packing) {
    for _ in 0..<map.count {
      let entry = client.refreshed
      // Nothing is sent against a hand, nor too often.
      if client.isTold(entry), map.isMovable(entry), client[entry].heldUntil <= now,
        now - client[entry].sentAt >= Feedback.interval
      {
        let value = map.value(entry, control)
        guard packet.add(OSCMessage(map.text(entry), value)) else { break }
        client[entry].value = value
        client[entry].sentAt = now
        client[entry].confirm = false
        client[entry].repeats = max(0, client[entry].repeats - 1)
      }
      client.refreshed = (entry + 1) % map.count
      client.urgentEntries = max(0, client.urgentEntries - 1)
    }
    let interval = client.urgentEntries > 0 ? client.transport.budget.interval : client.refreshInterval
    client.refreshAt = now < client.refreshUntil ? now + interval : .max
  }
}
