import Surface

/// Messages whose time has not come: bundles may say when they are meant, up to a second ahead.
struct Later {
  struct Waiting {
    /// When it is meant, CLOCK_MONOTONIC.
    var moment: Int64
    let message: Packet.Incoming
    let peer: Peer
  }

  /// How long before its moment a message is acted on. The control thread's timer is up to a millisecond late;
  /// notes still sound on their sample, since they are stamped with their moment.
  static let lead: Int64 = 2_000_000

  // In the order of their time tags; of one tag, in the order in which they came.
  private var waiting: [Waiting] = []
  private let limit: Int

  /// Keeps up to `limit` messages.
  init(limit: Int) { self.limit = limit }

  /// Keeps a message for its moment. False when there is no room: then it is acted on at once.
  mutating func keep(_ message: Waiting) -> Bool {
    if waiting.count >= limit { return false }
    var place = waiting.count
    while place > 0 && waiting[place - 1].message.time.isLater(than: message.message.time) { place -= 1 }
    // The two clocks are read one after the other, so that the moments of one tag differ by a little. They become
    // one, and none lies before that of an earlier tag.
    var message = message
    if place > 0 {
      let before = waiting[place - 1]
      let isSame = before.message.time == message.message.time
      message.moment = isSame ? before.moment : max(before.moment, message.moment)
    }
    if place < waiting.count { message.moment = min(message.moment, waiting[place].moment) }
    waiting.insert(message, at: place)
    return true
  }

  /// Takes out what is due, in order.
  mutating func due(_ now: Int64) -> [Waiting] {
    let count = waiting.prefix { $0.moment - Later.lead <= now }.count
    if count == 0 { return [] }
    defer { waiting.removeFirst(count) }
    return Array(waiting[..<count])
  }

  /// When there is something to do next.
  var wake: Int64? { waiting.first.map { $0.moment - Later.lead } }
}
