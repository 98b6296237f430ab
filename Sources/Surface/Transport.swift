/// Carries messages to and from peers, such as UDP. Control thread only.
public protocol Transport: AnyObject {
  /// The name of the transport for people, as `UDP`.
  var name: String { get }
  /// The size and rate of packets to a peer.
  var budget: PacketBudget { get }
  /// The port where tablets listen, whatever port they send from. Nil if each connection is a peer, which receives
  /// feedback on that connection.
  var replyPort: Int? { get }
  /// Whether a peer that sends a message becomes a client, which receives feedback. False for a transport that only
  /// answers.
  var keepsClients: Bool { get }
  /// Whether a peer has proved that it receives packets at its address, so that the address is not forged.
  func isConfirmed(_ peer: Peer) -> Bool
  /// Marks a peer as confirmed, as it was before a restart.
  func confirm(_ peer: Peer, now: Int64)
  /// The reason why a peer may only query, a sentence without its subject; nil if it may change things.
  func refusesChanges(by peer: Peer) -> String?
  /// The longest message of an answer, bytes.
  var messageBytes: Int { get }
  /// Whether a packet can be sent to a peer. If not, feedback waits, with the latest value of each address, until the
  /// transport wakes the loop because it can write again.
  func isReady(for peer: Peer, now: Int64) -> Bool
  /// Sends messages in one packet, to take effect at once. False if the system refused.
  func send(_ messages: [OSCMessage], to peer: Peer) -> Bool
  /// Sends an answer to a peer, in as many packets as needed. False if it was dropped because the queue was full.
  func answer(_ messages: [OSCMessage], to peer: Peer) -> Bool
  /// A peer no longer waits for answers that took a while (`ControlSurface.isAnswering`).
  func hasAnswered(_ peer: Peer)
}

extension Transport {
  /// `OSC`.
  public var name: String { "OSC" }
  /// True, as for most transports.
  public var keepsClients: Bool { true }
  /// True: the addresses of most transports cannot be forged.
  public func isConfirmed(_ peer: Peer) -> Bool { true }
  /// Does nothing.
  public func confirm(_ peer: Peer, now: Int64) {}
  /// Nil: every peer of an allowed network may change things.
  public func refusesChanges(by peer: Peer) -> String? { nil }
  /// A little less than a datagram carries, 65,507 bytes.
  public var messageBytes: Int { 65_000 }
  /// Does nothing.
  public func hasAnswered(_ peer: Peer) {}
  /// True: datagrams are sent or refused at once.
  public func isReady(for peer: Peer, now: Int64) -> Bool { true }
}

/// The size and rate of the packets that a transport sends to a peer, and whether they may be lost.
public struct PacketBudget: Sendable {
  /// The largest packet, bytes.
  public let packetBytes: Int
  /// The least time between two packets to one peer, nanoseconds.
  public let interval: Int64
  /// Whether packets may be lost, so that values must be sent several times.
  public let isLossy: Bool

  /// Datagrams of one network frame, fifty a second: Wi-Fi loses half of a larger burst. A frame of 1,500 bytes has 48 for
  /// the headers of IPv6 and UDP.
  public static let datagrams = PacketBudget(packetBytes: 1_452, interval: 20_000_000, isLossy: true)

  /// A budget.
  public init(packetBytes: Int, interval: Int64, isLossy: Bool) {
    (self.packetBytes, self.interval, self.isLossy) = (packetBytes, interval, isLossy)
  }
}

/// Collects messages that fit into one packet.
public struct PacketBuilder {
  /// The messages added so far.
  public private(set) var messages: [OSCMessage] = []
  private var size = OSCMessage.bundleHead
  private let limit: Int

  /// An empty packet of at most `budget.packetBytes`.
  public init(_ budget: PacketBudget) { limit = budget.packetBytes }

  /// Adds a message, and returns true, if it fits or is the first.
  public mutating func add(_ message: OSCMessage) -> Bool {
    let more = message.size
    if size + more > limit && !messages.isEmpty { return false }
    messages.append(message)
    size += more
    return true
  }
}
