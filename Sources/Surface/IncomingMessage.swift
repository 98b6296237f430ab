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
