/// Messages whose time has not come: bundles may say when they are meant, up to a second ahead.
struct ScheduledMessages {
  struct Scheduled {
    var moment: Int64
    let message: IncomingMessage
    let sender: MessageSender
  }

  /// How long before its moment a message is acted on, nanoseconds. The control thread's timer is up to a millisecond
  /// late; notes still sound on their sample, since they are stamped with their moment.
  static let lead: Int64 = 2_000_000
  /// Messages that are kept.
  static let limit = 1024

  // In the order of their time tags; of one tag, in the order in which they came.
  private var waiting: [Scheduled] = []

  /// Keeps a message for its moment. False when it has none, or when there is no room: then it is acted on at once.
  mutating func keep(_ message: IncomingMessage, from sender: MessageSender) -> Bool {
    guard var moment = message.moment, waiting.count < ScheduledMessages.limit else { return false }
    var place = waiting.count
    while place > 0 && waiting[place - 1].message.isLater(than: message) { place -= 1 }
    // The two clocks are read one after the other, so that the moments of one tag differ by a little. They become
    // one, and none lies before that of an earlier tag.
    if place > 0 {
      let before = waiting[place - 1]
      moment = before.message.tag == message.tag ? before.moment : max(before.moment, moment)
    }
    if place < waiting.count { moment = min(moment, waiting[place].moment) }
    var message = message
    message.moment = moment
    waiting.insert(Scheduled(moment: moment, message: message, sender: sender), at: place)
    return true
  }

  /// Takes out what is due, in order.
  mutating func due(_ now: Int64) -> [Scheduled] {
    let count = waiting.prefix { $0.moment - ScheduledMessages.lead <= now }.count
    if count == 0 { return [] }
    defer { waiting.removeFirst(count) }
    return Array(waiting[..<count])
  }

  /// When there is something to do next.
  var wake: Int64? { waiting.first.map { $0.moment - ScheduledMessages.lead } }
}
