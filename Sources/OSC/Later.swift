import Surface

/// Messages whose time has not come: bundles may say when they are meant, up to a second ahead.
struct Later {
  struct Waiting {
    /// When it is meant, CLOCK_MONOTONIC.
    let moment: Int64
    let message: Packet.Incoming
    let peer: Peer
  }

  /// How long before its moment a message is acted on. The control thread's timer is up to a millisecond late;
  /// notes still sound on their sample, since they are stamped with their moment.
  static let lead: Int64 = 2_000_000

  // In the order they are meant; of one moment, in the order they came.
  private var waiting: [Waiting] = []
  private let limit: Int

  /// Keeps up to `limit` messages.
  init(limit: Int) { self.limit = limit }

  /// Keeps a message for its moment. False when there is no room: then it is acted on at once.
  mutating func keep(_ message: Waiting) -> Bool {
    if waiting.count >= limit { return false }
    var place = waiting.count
    while place > 0 && waiting[place - 1].moment > message.moment { place -= 1 }
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
