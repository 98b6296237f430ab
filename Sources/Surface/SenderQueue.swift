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
