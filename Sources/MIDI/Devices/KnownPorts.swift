/// Ports of known controllers that are for a DAW: they repeat the keys, or send notes for pads and buttons.
public enum KnownPorts {
  /// Words in the name of a port of hardware that are for a DAW: of Novation, Native Instruments, Arturia, M-Audio,
  /// Akai, Korg and others.
  static let words = ["daw", "mcu", "hui", "mackie", "incontrol", "haken", "transport"]

  /// Controllers whose second port is for a DAW, or for an editor, by the beginning of their names: kernels give both
  /// ports one name.
  static let secondPorts = ["launchkey", "flkey", "keystation", "osmose"]

  /// Why a port is not played unless the player allows it; nil for one that is played. Only the ports of hardware are
  /// known.
  public static func reason(_ port: PortIdentity) -> String? {
    if port.usb.isEmpty { return nil }
    let client = port.client.lowercased()
    let name = port.port.lowercased()
    // The words of the port alone, without the name of the device.
    let rest = name.hasPrefix(client) ? name.dropFirst(client.count) : name[...]
    let spoken = rest.split { !$0.isLetter }.map(String.init)
    let isSecond =
      port.index == 1
      && secondPorts.contains { beginning in
        client.indices.contains { (" " + client)[$0...].hasPrefix(" " + beginning) }
      }
    return isSecond || spoken.contains { words.contains($0) } ? "the port for a DAW" : nil
  }
}
