/// A MIDI port of a keyboard or of another program, present or known from before: its identity and its settings.
public struct Device: Hashable, Sendable {
  /// The address of a port of the sequencer.
  public struct Address: Hashable, Sendable {
    /// The sequencer's numbers of the client and of its port.
    public var (client, port): (UInt8, UInt8)

    /// A port of a client.
    public init(client: UInt8, port: UInt8) { (self.client, self.port) = (client, port) }
  }

  /// Identifies it for as long as it is known, even after a restart; from 1.
  public let id: Int
  /// The identity of its port, as it was seen last.
  public internal(set) var identity: PortIdentity
  public var settings = DeviceSettings()
  /// The address of its port; nil while it is not connected to the machine.
  public internal(set) var address: Address?
  /// The source of its events; nil while it is not played.
  public internal(set) var source: UInt8?
  /// Why it is connected but not played; empty when it is played.
  public internal(set) var reason = ""
  /// The number of times that it has been connected; each time, its lights are dark at first.
  public internal(set) var arrivals = 0
}
