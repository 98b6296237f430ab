import MIDI
import Scenes

/// Assigns source numbers to MIDI ports: from 0, and free again when the port is removed.
struct SourceTable {
  /// A port of the sequencer.
  typealias Port = Device.Address

  private var numbers: [Port: UInt8] = [:]

  /// The numbers in use.
  var inUse: Set<UInt8> { Set(numbers.values) }

  /// The ports of a client, or all ports.
  func ports(of client: UInt8? = nil) -> [Port] {
    numbers.keys.filter { client == nil || $0.client == client }
  }

  /// True if the port has a number.
  func contains(_ port: Port) -> Bool { numbers[port] != nil }

  /// The number of a port, assigned when it is first asked for; nil while all are in use.
  mutating func number(of port: Port) -> UInt8? {
    if let number = numbers[port] { return number }
    let taken = inUse
    guard let number = (0..<UInt8(Limits.surfaceSources)).first(where: { !taken.contains($0) }) else {
      return nil
    }
    numbers[port] = number
    return number
  }

  /// Whether a port has a number or can get one.
  func hasRoom(for port: Port) -> Bool { contains(port) || numbers.count < Limits.surfaceSources }

  /// Removes a port. Returns its number, or nil if it had none.
  mutating func remove(_ port: Port) -> UInt8? { numbers.removeValue(forKey: port) }

  /// Removes all ports. Returns the numbers that were in use.
  mutating func removeAll() -> Set<UInt8> {
    let old = inUse
    numbers.removeAll()
    return old
  }
}
