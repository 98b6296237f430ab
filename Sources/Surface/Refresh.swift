import Control
import Synth

// Packets get lost, both ways. What pipit says it says several times (`Feedback.sayings`); but a fader whose message
// never arrived shows what nobody plays, and pipit cannot know of it. So whoever was just heard is shown round and
// round everything that a hand can move, until it has been still for five seconds. What pipit alone says, texts,
// lamps and figures, no lost message of a client can make wrong, and is not in it.
//
// One thing is left: a single touch after a long rest, all of whose messages are lost. Nobody hears of it, and
// nothing is sent to a still client; the next word from it, or `/here`, brings its picture back.

extension Feedback {
  /// For how long after the last word of a client it is refreshed, nanoseconds.
  static let refreshTime: Int64 = 5_000_000_000
  /// A hand moves while a client sends more often than this.
  private static let handInterval: Int64 = 50_000_000

  /// Something was said by a client.
  func keepRefreshing(_ client: Client, _ now: Int64) {
    guard client.transport.budget.isLossy else { return }
    let isRefreshing = now < client.refreshUntil
    client.refreshUntil = now + Feedback.refreshTime
    if isRefreshing { return }
    for entry in 0..<map.count where map.isMovable(entry) && client.isTold(entry) { schedule(entry, client) }
  }

  /// Why something is said, the most urgent first.
  enum Urgency: Int, CaseIterable {
    /// It has changed.
    case news
    /// A hand can move it, and it was not said since the client was last heard.
    case unconfirmed
    /// It has changed since the client was surely there, and is said again.
    case repeated
    /// The client shows it already, unless it has begun afresh.
    case routine
  }

  func urgency(_ entry: Int, _ client: Client) -> Urgency {
    let known = client[entry]
    if known.isNews || known.confirm { return .news }
    if map.isMovable(entry) && known.sentAt < client.heardAt { return .unconfirmed }
    return known.owed > 0 && known.changedAt > client.toldUntil ? .repeated : .routine
  }

  /// What comes first in a packet. While a hand moves, and there is always something unconfirmed, the rest has every
  /// other packet.
  func order(_ client: Client, _ now: Int64) -> [Urgency] {
    client.wasRefreshFirst.toggle()
    let isRestFirst = !client.wasRefreshFirst && now - client.heardAt < Feedback.handInterval
    return isRestFirst ? [.news, .repeated, .routine, .unconfirmed] : Urgency.allCases
  }
}
