import CALSA
import MIDI
import Testing

@testable import ALSA

@Suite("The admission of ports") struct AdmissionTests {
  private static let readable = UInt32(SND_SEQ_PORT_CAP_READ | SND_SEQ_PORT_CAP_SUBS_READ)
  private static let generic = UInt32(SND_SEQ_PORT_TYPE_MIDI_GENERIC | SND_SEQ_PORT_TYPE_HARDWARE)

  private func offered(
    _ client: String = "Keyboard", _ port: String = "Keyboard MIDI 1", index: Int = 0, usb: String = "1:2",
    capabilities: UInt32 = readable, type: UInt32 = generic
  ) -> OfferedPort {
    OfferedPort(
      identity: PortIdentity(client: client, port: port, index: index, usb: usb), capabilities: capabilities,
      type: type)
  }

  /// A MIDI 2.0 device of a program has a port for all of its groups, which would bring each note twice.
  @Test(
    "A port is played only if pipit can read its events and each note arrives just once",
    arguments: [
      (readable, true), (readable | 1 << 9, false), (readable | 1 << 8, false),
      (readable | UInt32(SND_SEQ_PORT_CAP_NO_EXPORT), false),
      (readable | UInt32(SND_SEQ_PORT_CAP_WRITE), true),
      (UInt32(SND_SEQ_PORT_CAP_READ), false), (0, false),
    ])
  func playedPorts(capabilities: UInt32, isPlayed: Bool) {
    #expect(admit(offered(capabilities: capabilities), DeviceSettings()) == (isPlayed ? .play : .ignore))
    #expect(admit(offered(capabilities: capabilities, type: 0), DeviceSettings()) == .ignore)
    #expect(admit(offered("Midi Through", capabilities: capabilities), DeviceSettings()) == .ignore)
    // Another pipit's lamps. A keyboard of that name is one.
    let lamps = offered("pipit", "MIDI Out", usb: "", capabilities: capabilities)
    #expect(admit(lamps, DeviceSettings()) == .ignore)
    let keys = offered("pipit", "MIDI Out", capabilities: capabilities)
    #expect(admit(keys, DeviceSettings()) == (isPlayed ? .play : .ignore))
    // What brings nothing does not for being allowed.
    var allowed = DeviceSettings()
    allowed.isAllowed = true
    #expect(admit(offered(capabilities: capabilities), allowed) == (isPlayed ? .play : .ignore))
  }

  @Test(
    "Ports for a DAW are not played unless the player allows the device",
    arguments: [
      ("Launchkey MK3 49", "Launchkey MK3 49 LKMK3 MIDI In", 0, true),
      ("Launchkey MK3 49", "Launchkey MK3 49 LKMK3 DAW In", 1, false),
      ("Launchkey MK4 61", "Launchkey MK4 61 Launchkey MK4 ", 0, true),
      ("Launchkey MK4 61", "Launchkey MK4 61 Launchkey MK4 ", 1, false),
      ("Keystation 88 MK3", "Keystation 88 MK3 Keystation 88", 0, true),
      ("Keystation 88 MK3", "Keystation 88 MK3 Keystation 88", 1, false),
      ("Komplete Kontrol M32", "Komplete Kontrol M32 MIDI 1", 0, true),
      ("Komplete Kontrol M32", "Komplete Kontrol M32 DAW", 1, false),
      ("Minilab3", "Minilab3 MIDI", 0, true), ("Minilab3", "Minilab3 MCU", 2, false),
      ("Oxygen Pro 49", "Oxygen Pro 49 Mackie/HUI", 2, false),
      ("Osmose", "Osmose MIDI 1", 0, true), ("Osmose", "Osmose MIDI 2", 1, false),
      ("UM-ONE", "UM-ONE MIDI 1", 0, true), ("USB MIDI Interface", "USB MIDI Interface MIDI 2", 1, true),
      ("DAWn Synth", "DAWn Synth MIDI 1", 0, true),
    ])
  func dawPorts(client: String, port: String, index: Int, isPlayed: Bool) {
    var settings = DeviceSettings()
    let byRule = admit(offered(client, port, index: index), settings)
    #expect(byRule == (isPlayed ? .play : .leave("the port for a DAW")))
    // What the player says goes before.
    settings.isAllowed = true
    #expect(admit(offered(client, port, index: index), settings) == .play)
    settings.isAllowed = false
    #expect(admit(offered(client, port, index: index), settings) == .leave("not allowed"))
    // Of a program nothing is known.
    settings.isAllowed = nil
    #expect(admit(offered(client, port, index: index, usb: ""), settings) == .play)
  }
}
