/// The identity of a port of another client, as far as it is known. Client numbers are no part of it: they change
/// with every plug.
public struct PortIdentity: Hashable, Sendable {
  /// The names of the client and of its port, as the sequencer has them.
  public var (client, port): (String, String)
  /// The number of the port in its client.
  public var index: Int
  /// Its index, from 0, among the present ports with these names.
  public var ordinal = 0
  /// Vendor and product of a USB device, as `1235:0102`; empty for other devices.
  public var usb: String
  /// The serial number that it reports; empty for none.
  public var serial: String
  /// The socket that it is in, as the kernel names it: `1-1.2`.
  public var path: String

  /// A port; without `usb` it is known by its names alone.
  public init(
    client: String, port: String, index: Int = 0, usb: String = "", serial: String = "", path: String = ""
  ) {
    (self.client, self.port, self.index) = (client, port, index)
    (self.usb, self.serial, self.path) = (usb, serial, path)
  }

  /// False for a serial number that stands for none: all zeros, or nothing.
  var hasSerial: Bool { serial.contains { $0 != "0" && $0 != " " && $0 != "-" } }

  /// The model and the serial number, which all ports of a device share.
  var unit: String { usb + " " + serial }

  /// For people: the names of client and port, each once.
  public var name: String {
    if port.isEmpty || port == client { return client }
    return port.hasPrefix(client) ? port : "\(client): \(port)"
  }

  /// Its other distinguishing features, for display; empty if it has only a name.
  public var mark: String {
    let words = [usb.isEmpty ? "" : "USB \(usb)", serial.isEmpty ? "" : "serial \(serial)", path]
    return words.filter { !$0.isEmpty }.joined(separator: ", ")
  }
}
