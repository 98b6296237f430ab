/// A message as a transport took it in.
public struct IncomingMessage: Sendable {
  /// The address, or a pattern of addresses.
  public let address: String
  /// The arguments, as they came.
  public let arguments: [OSCArgument]
  /// When it is meant, CLOCK_MONOTONIC; nil for as soon as possible.
  public internal(set) var moment: Int64?
  /// The time tag that says so, a point on a circle of 2^64: the order of messages, whose moments are less exact.
  public let tag: UInt64

  /// A message.
  public init(_ address: String, _ arguments: [OSCArgument], moment: Int64? = nil, tag: UInt64 = 0) {
    (self.address, self.arguments, self.moment, self.tag) = (address, arguments, moment, tag)
  }

  /// Whether its time tag is later than another that is less than 68 years away.
  func isLater(than other: IncomingMessage) -> Bool { Int64(bitPattern: tag &- other.tag) > 0 }
}

/// Who sent a message, and the transport that carried it, by which the answers go back.
struct MessageSender: Equatable {
  let peer: Peer
  let transport: any Transport

  static func == (one: MessageSender, other: MessageSender) -> Bool {
    one.peer == other.peer && one.transport === other.transport
  }
}
