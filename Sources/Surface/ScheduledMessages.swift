/// Messages of bundles whose time tags lie in the future, by a second at most.
struct ScheduledMessages {
  struct Scheduled {
    var moment: Int64
    let message: IncomingMessage
    let sender: MessageSender
  }

  /// How long before its moment a message is acted on, nanoseconds. The timer of the control thread is up to a
  /// millisecond late. Notes still start on their sample, since they carry their moment.
  static let lead: Int64 = 2_000_000
  /// The most messages that wait.
  static let limit = 1024

  // In the order of their time tags; those of one tag in the order of arrival.
  private var waiting: [Scheduled] = []

  /// Keeps a message until its moment. False if it has none or the list is full; it is then to be acted on at once.
  mutating func keep(_ message: IncomingMessage, from sender: MessageSender) -> Bool {
    guard var moment = message.moment, waiting.count < ScheduledMessages.limit else { return false }
    var index = waiting.count
    while index > 0 && waiting[index - 1].message.isLater(than: message) { index -= 1 }
    // The two clocks are read one after the other, so the moments of one tag differ a little. Messages of one tag get
    // one moment, and none that is before the moment of an earlier tag.
    if index > 0 {
      let before = waiting[index - 1]
      moment = before.message.tag == message.tag ? before.moment : max(before.moment, moment)
    }
    if index < waiting.count { moment = min(moment, waiting[index].moment) }
    var message = message
    message.moment = moment
    waiting.insert(Scheduled(moment: moment, message: message, sender: sender), at: index)
    return true
  }

  /// Removes and returns the due messages, in order.
  mutating func due(_ now: Int64) -> [Scheduled] {
    let count = waiting.prefix { $0.moment - ScheduledMessages.lead <= now }.count
    if count == 0 { return [] }
    defer { waiting.removeFirst(count) }
    return Array(waiting[..<count])
  }

  /// When the next message is due; nil without messages.
  var wake: Int64? { waiting.first.map { $0.moment - ScheduledMessages.lead } }
}
