import Control
import Synth

// Packets get lost in both directions. pipit sends each of its values several times (`Feedback.sendCount`). But a fader
// whose own message was lost shows a value that pipit does not have, and pipit cannot know. So pipit sends every
// settable value repeatedly to a client that has just sent a message, until the client has been silent for five
// seconds. Texts, lamps and figures need no refresh: no message of a client can make them wrong.
//
// One case remains: a single touch after a long silence, all of whose messages are lost. pipit sends nothing to a
// silent client; the client's next message, or `/here`, makes its controls right again.

extension Feedback {
  /// How long a client is refreshed after its last message, nanoseconds.
  static let refreshTime: Int64 = 5_000_000_000
  /// A client whose last message is not older than this is moving a control, nanoseconds.
  private static let moveInterval: Int64 = 50_000_000

  /// Starts or extends the refresh of a client after a message from it.
  func keepRefreshing(_ client: Client, _ now: Int64) {
    guard client.transport.budget.isLossy else { return }
    let isRefreshing = now < client.refreshUntil
    client.refreshUntil = now + Feedback.refreshTime
    if isRefreshing { return }
    for entry in 0..<map.count where map.isSettable(entry) && client.receives(entry) {
      schedule(entry, client)
    }
  }

  /// The reason why an entry is sent, the most urgent first.
  enum Urgency: Int, CaseIterable {
    /// It has changed.
    case changed
    /// Clients can set it, and this one was never sent it.
    case newValue
    /// The client was never sent it.
    case newText
    /// Clients can set it, and it was not sent since the client's last message.
    case unconfirmed
    /// It changed after `Client.deliveredUntil`, and is sent again.
    case repeated
    /// The client shows its value already, unless the client has restarted.
    case routine
  }

  func urgency(_ entry: Int, _ client: Client) -> Urgency {
    let known = client[entry]
    if known.isChanged || known.confirm { return .changed }
    if known.value == nil { return map.isSettable(entry) ? .newValue : .newText }
    if map.isSettable(entry) && known.sentAt < client.receivedAt { return .unconfirmed }
    return known.sendsLeft > 0 && known.changedAt > client.deliveredUntil ? .repeated : .routine
  }

  /// The order of a packet. While the user moves a control, unconfirmed entries never run out, so every other packet
  /// puts the others before them.
  func order(_ client: Client, _ now: Int64) -> [Urgency] {
    client.wasRefreshFirst.toggle()
    let isRefreshLast = !client.wasRefreshFirst && now - client.receivedAt < Feedback.moveInterval
    return isRefreshLast
      ? [.changed, .newValue, .newText, .repeated, .routine, .unconfirmed] : Urgency.allCases
  }
}
