/// What carries messages to and from peers, such as UDP. The control thread's.
public protocol Transport: AnyObject {
  /// How much may be sent to a peer.
  var budget: PacketBudget { get }
  /// Where a peer listens that speaks from any port of its host, as a tablet does. Nil where each connection is a
  /// peer of its own, which is told of changes by the way that it speaks.
  var replyPort: Int? { get }
  /// Whether whoever speaks is kept up to date from then on, in a seat; what only answers keeps nobody.
  var keepsClients: Bool { get }
  /// Whether a peer has shown that it receives what it is sent, so that its messages do not come from a forger.
  func isConfirmed(_ peer: Peer) -> Bool
  /// A peer has shown that before a restart.
  func confirm(_ peer: Peer, now: Int64)
  /// Why a peer may only look, as a sentence without its subject; nil when it may change things.
  func refusesChanges(by peer: Peer) -> String?
  /// The longest message that can be answered with, in bytes.
  var messageBytes: Int { get }
  /// Whether there is room for a packet to a peer. Where there is none, what changes waits here, the latest value for
  /// each address, until the transport wakes the loop because it can write again.
  func isReady(for peer: Peer, now: Int64) -> Bool
  /// Sends messages in one packet, to be acted on at once. False when the system refused to.
  func send(_ messages: [OSCMessage], to peer: Peer) -> Bool
  /// Sends what a peer has asked for, in as many packets as it takes. False when it was dropped for want of room.
  func answer(_ messages: [OSCMessage], to peer: Peer) -> Bool
}

extension Transport {
  /// Most keep whom they hear.
  public var keepsClients: Bool { true }
  /// Most cannot be reached by a forger.
  public func isConfirmed(_ peer: Peer) -> Bool { true }
  /// Nothing is to be remembered then.
  public func confirm(_ peer: Peer, now: Int64) {}
  /// Whoever is let in may do everything, where nothing tells one from another.
  public func refusesChanges(by peer: Peer) -> String? { nil }
  /// A datagram carries 65,507.
  public var messageBytes: Int { 65_000 }
  /// Datagrams find room or are refused.
  public func isReady(for peer: Peer, now: Int64) -> Bool { true }
}

/// How much a transport sends to a peer, and whether it arrives.
public struct PacketBudget: Sendable {
  /// The largest packet, in bytes.
  public let packetBytes: Int
  /// The least time between two packets to one peer, nanoseconds.
  public let interval: Int64
  /// True when packets may get lost, so that what they say must be said again.
  public let isLossy: Bool

  /// A budget.
  public init(packetBytes: Int, interval: Int64, isLossy: Bool) {
    (self.packetBytes, self.interval, self.isLossy) = (packetBytes, interval, isLossy)
  }
}
