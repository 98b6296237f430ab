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
