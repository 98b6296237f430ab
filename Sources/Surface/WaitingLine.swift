/// The messages of one sender that wait, in the order in which they came.
///
/// When there is no room, a value displaces the older one at its address, or else the oldest message that is no value:
/// so a knob ends where it was turned to last. Any other message is dropped.
struct WaitingLine {
  let sender: MessageSender
  /// Messages that wait.
  private(set) var count = 0
  // Nil where a message was taken or displaced.
  private var messages: [IncomingMessage?] = []
  // Where the next message lies, and before where there is none but values.
  private var head = 0
  private var valuesEnd = 0
  // Where the newest value of each address lies; nil until the line was full.
  private var newest: [String: Int]?

  /// An empty line.
  init(_ sender: MessageSender) { self.sender = sender }

  /// Puts a message at the end. False when one was dropped for want of room, this one or another.
  mutating func add(_ message: IncomingMessage, limit: Int, isValue: (IncomingMessage) -> Bool) -> Bool {
    let isFull = count >= limit
    if isFull {
      if newest == nil || messages.count >= 4 * Inbox.perSender { tidy(isValue) }
      guard isValue(message), let place = newest?[message.address] ?? oldestOther(isValue) else {
        return false
      }
      messages[place] = nil
      count -= 1
    }
    if newest != nil && isValue(message) { newest?[message.address] = messages.count }
    messages.append(message)
    count += 1
    return !isFull
  }

  /// Takes out the first message.
  mutating func take() -> IncomingMessage? {
    while head < messages.count {
      defer { head += 1 }
      guard let message = messages[head] else { continue }
      messages[head] = nil
      count -= 1
      if newest?[message.address] == head { newest?[message.address] = nil }
      return message
    }
    return nil
  }

  /// Closes the gaps, and notes where values lie.
  private mutating func tidy(_ isValue: (IncomingMessage) -> Bool) {
    messages = messages[head...].filter { $0 != nil }
    (head, valuesEnd) = (0, 0)
    var newest: [String: Int] = [:]
    for (place, message) in messages.enumerated() {
      if let message, isValue(message) { newest[message.address] = place }
    }
    self.newest = newest
  }

  /// Where the oldest message lies that is no value.
  private mutating func oldestOther(_ isValue: (IncomingMessage) -> Bool) -> Int? {
    valuesEnd = max(valuesEnd, head)
    while valuesEnd < messages.count {
      if let message = messages[valuesEnd], !isValue(message) { return valuesEnd }
      valuesEnd += 1
    }
    return nil
  }
}
