import MIDI
import Synth

/// Which MIDI port is which source: numbers from 0, free again when the port has gone. Ports beyond the last
/// number share it.
struct SourceTable {
  /// A port of the sequencer.
  typealias Port = Device.Address

  private var numbers: [Port: UInt8] = [:]

  /// The numbers in use.
  var inUse: Set<UInt8> { Set(numbers.values) }

  /// The ports of a client, or all.
  func ports(of client: UInt8? = nil) -> [Port] {
    numbers.keys.filter { client == nil || $0.client == client }
  }

  /// True when the port has a number.
  func contains(_ port: Port) -> Bool { numbers[port] != nil }

  /// The number of a port, given on first sight.
  mutating func number(of port: Port) -> UInt8 {
    if let number = numbers[port] { return number }
    let taken = inUse
    let last = UInt8(Limits.surfaceSources - 1)
    let number = (0..<last).first { !taken.contains($0) } ?? last
    numbers[port] = number
    return number
  }

  /// Takes a port out; its number, or nil when it had none. Whoever shares the number loses held notes too:
  /// better than one that hangs.
  mutating func remove(_ port: Port) -> UInt8? { numbers.removeValue(forKey: port) }

  /// Takes all ports out; the numbers that were in use.
  mutating func removeAll() -> Set<UInt8> {
    let old = inUse
    numbers.removeAll()
    return old
  }
}
