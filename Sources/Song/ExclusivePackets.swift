import Synth

/// Assembles the system exclusive messages of a track. An F0 packet begins a message, and F7 packets continue it
/// until one ends with F7. An F7 packet that continues no message may hold any bytes.
struct ExclusivePackets {
  // The bytes so far, without F0, and the tick of the last packet; nil between messages.
  private var begun: (tick: Int, bytes: [UInt8])?

  /// Reads a packet. Returns the messages that it ends, with their ticks, without F0 and F7.
  mutating func add(_ packet: ArraySlice<UInt8>, isFirst: Bool, at tick: Int) -> [(tick: Int, bytes: [UInt8])]
  {
    var found: [(tick: Int, bytes: [UInt8])] = []
    if isFirst {
      found = end()
      begun = (tick, Array(packet))
    } else if let bytes = begun?.bytes {
      begun = (tick, Array((bytes + packet).prefix(Limits.exclusiveBytes)))
    } else if packet.first == 0xF0 {
      begun = (tick, Array(packet.dropFirst()))
    }
    if begun?.bytes.last == 0xF7 { found += end() }
    return found
  }

  /// Reads a packet of type 3 of a clip, which says whether it is whole (0), begins (1), continues (2) or ends (3).
  mutating func add(
    _ packet: [UInt8], status: UInt32, at tick: Int
  ) -> [(tick: Int, bytes: [UInt8])] {
    if status < 2 { begun = (tick, packet) }
    if status >= 2, let bytes = begun?.bytes {
      begun = (tick, Array((bytes + packet).prefix(Limits.exclusiveBytes)))
    }
    return status == 0 || status == 3 ? end() : []
  }

  /// Ends a message that has begun, because another event follows: many programs leave out the last F7.
  mutating func end() -> [(tick: Int, bytes: [UInt8])] {
    guard var message = begun else { return [] }
    begun = nil
    if message.bytes.last == 0xF7 { message.bytes.removeLast() }
    return message.bytes.contains { $0 > 127 } ? [] : [message]
  }
}
