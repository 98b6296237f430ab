/// Messages that wait to be acted on, in a queue for each sender. The queues are served round-robin, message by
/// message, so that a sender of many messages delays no other.
struct Inbox {
  private var queues: [SenderQueue] = []
  // The queue that had the last turn.
  private var turn = -1
  /// Messages that were dropped, since the start.
  private(set) var dropped = 0

  /// The most senders with waiting messages.
  static let senders = 64
  /// The most waiting messages of one sender: as many as one datagram holds.
  static let perSender = 4096
  /// The most waiting messages, shared among their senders.
  static let total = 2 * perSender
  /// The most bytes of one sender's waiting messages; of several senders, each has its share.
  static let bytesPerSender = 1 << 20

  /// True when no message waits.
  var isEmpty: Bool { queues.isEmpty }

  /// Whether a part of a packet was taken, and the rest waits.
  var isInPacket: Bool { queues.contains { $0.isInPacket } }

  /// Whether messages of a sender wait.
  func isWaiting(_ sender: MessageSender) -> Bool { queues.contains { $0.sender == sender } }

  /// Adds a message to the queue of its sender. False if the queue was full, or there were too many queues, and this or
  /// another message was dropped. Messages of a connection are never dropped, since their sender can be kept waiting.
  /// - Parameter isValue: Whether a message sets a value, so that only the last one at its address counts. Called when a
  ///   queue is full.
  mutating func add(
    _ message: IncomingMessage, from sender: MessageSender, isValue: (IncomingMessage) -> Bool
  ) -> Bool {
    let isLossy = sender.transport.budget.isLossy
    var queue = queues.firstIndex { $0.sender == sender }
    if queue == nil, queues.count < Inbox.senders || !isLossy {
      queue = queues.count
      queues.append(SenderQueue(sender))
    }
    let senders = max(1, queues.count)
    let limit = isLossy ? min(Inbox.perSender, Inbox.total / senders) : .max
    let mostBytes = isLossy ? Inbox.bytesPerSender / senders : .max
    if let queue, queues[queue].add(message, limit: limit, mostBytes: mostBytes, isValue: isValue) {
      return true
    }
    dropped += 1
    return false
  }

  /// Removes and returns the next message, of the sender whose turn it is.
  mutating func next() -> (sender: MessageSender, message: IncomingMessage)? {
    if queues.isEmpty { return nil }
    turn = (turn + 1) % queues.count
    guard let message = queues[turn].take() else { return nil }
    let sender = queues[turn].sender
    if queues[turn].count == 0 {
      queues.remove(at: turn)
      turn -= 1
    }
    return (sender, message)
  }
}

/// The waiting messages of one sender, in the order of arrival.
///
/// When the queue is full, a value replaces the older one of its address, or else the oldest message that is not a value,
/// so that the last value of a knob counts. Any other message is dropped.
struct SenderQueue {
  let sender: MessageSender
  /// The number of waiting messages, and the bytes of all.
  private(set) var (count, bytes) = (0, 0)
  // Nil for a message that was removed or replaced.
  private var messages: [IncomingMessage?] = []
  // The index of the next message, and the index before which all messages are values.
  private var head = 0
  private var valuesEnd = 0
  // The index of the newest value of each address; nil until the queue is first full.
  private var newest: [String: Int]?
  // The packet of the message that was taken last.
  private var packet: UInt64 = 0

  /// Whether the packet of the message that was taken last has further messages.
  var isInPacket: Bool {
    packet != 0 && messages[head...].lazy.compactMap { $0 }.first?.packet == packet
  }

  /// An empty queue.
  init(_ sender: MessageSender) { self.sender = sender }

  /// Adds a message at the end. False if the queue was full, and this or another message was dropped: there are `limit`
  /// messages, or with this one more than `mostBytes`.
  mutating func add(
    _ message: IncomingMessage, limit: Int, mostBytes: Int, isValue: (IncomingMessage) -> Bool
  ) -> Bool {
    if bytes + message.bytes > mostBytes { return false }
    let isFull = count >= limit
    if isFull {
      if newest == nil || messages.count >= 4 * Inbox.perSender { compact(isValue) }
      guard isValue(message), let index = newest?[message.address] ?? oldestOther(isValue) else {
        return false
      }
      remove(index)
    }
    if newest != nil && isValue(message) { newest?[message.address] = messages.count }
    messages.append(message)
    (count, bytes) = (count + 1, bytes + message.bytes)
    return !isFull
  }

  /// Removes and returns the first message.
  mutating func take() -> IncomingMessage? {
    while head < messages.count {
      defer { head += 1 }
      guard let message = messages[head] else { continue }
      remove(head)
      packet = message.packet
      if newest?[message.address] == head { newest?[message.address] = nil }
      return message
    }
    return nil
  }

  private mutating func remove(_ index: Int) {
    (count, bytes) = (count - 1, bytes - (messages[index]?.bytes ?? 0))
    messages[index] = nil
  }

  /// Removes the gaps, and finds the newest values.
  private mutating func compact(_ isValue: (IncomingMessage) -> Bool) {
    messages = messages[head...].filter { $0 != nil }
    (head, valuesEnd) = (0, 0)
    var newest: [String: Int] = [:]
    for (index, message) in messages.enumerated() {
      if let message, isValue(message) { newest[message.address] = index }
    }
    self.newest = newest
  }

  /// The index of the oldest message that is not a value.
  private mutating func oldestOther(_ isValue: (IncomingMessage) -> Bool) -> Int? {
    valuesEnd = max(valuesEnd, head)
    while valuesEnd < messages.count {
      if let message = messages[valuesEnd], !isValue(message) { return valuesEnd }
      valuesEnd += 1
    }
    return nil
  }
}

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

/// A message that a transport received.
public struct IncomingMessage: Sendable {
  /// The address, or a pattern of addresses.
  public let address: String
  /// The arguments as received.
  public let arguments: [OSCArgument]
  /// When it takes effect, CLOCK_MONOTONIC in nanoseconds; nil for as soon as possible.
  public internal(set) var moment: Int64?
  /// Its time tag as one number, which wraps around at 2^64. It orders messages, since their moments are less exact.
  public let tag: UInt64
  /// The number of the packet that carried it, from `ControlSurface.nextPacket`; 0 for a message on its own.
  public let packet: UInt64

  /// A message.
  public init(
    _ address: String, _ arguments: [OSCArgument], moment: Int64? = nil, tag: UInt64 = 0, packet: UInt64 = 0
  ) {
    (self.address, self.arguments, self.moment) = (address, arguments, moment)
    (self.tag, self.packet) = (tag, packet)
  }

  /// The memory that its strings take, about, in bytes.
  var bytes: Int {
    arguments.reduce(64 + address.utf8.count) { sum, argument in
      if case .string(let text) = argument { sum + text.utf8.count } else { sum + 32 }
    }
  }

  /// Whether its time tag is later than that of `other`, which is less than 68 years away.
  func isLater(than other: IncomingMessage) -> Bool { Int64(bitPattern: tag &- other.tag) > 0 }
}

/// The sender of a message, and the transport that carried it and carries the answers.
struct MessageSender: Equatable {
  let peer: Peer
  let transport: any Transport

  static func == (one: MessageSender, other: MessageSender) -> Bool {
    one.peer == other.peer && one.transport === other.transport
  }
}
