/// Messages that fit into one packet.
public struct Packing {
  /// Those that it has taken.
  public private(set) var messages: [OSCMessage] = []
  private var size = OSCMessage.bundleHead
  private let limit: Int

  /// An empty packet of a budget.
  public init(_ budget: PacketBudget) { limit = budget.packetBytes }

  /// Takes a message if there is room; one always finds some.
  public mutating func add(_ message: OSCMessage) -> Bool {
    let more = message.size
    if size + more > limit && !messages.isEmpty { return false }
    messages.append(message)
    size += more
    return true
  }
}
