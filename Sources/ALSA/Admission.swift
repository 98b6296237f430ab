import CALSA
import MIDI

/// A port of another client, as the sequencer describes it.
struct OfferedPort: Equatable {
  var identity: PortIdentity
  /// Bits of `SND_SEQ_PORT_CAP_…` and `SND_SEQ_PORT_TYPE_…`.
  var (capabilities, type): (UInt32, UInt32)
}

/// What becomes of a port.
enum Admission: Equatable {
  /// It is connected and played.
  case play
  /// It could be played, and is left alone for a reason.
  case leave(String)
  /// It brings no notes, or those of another port once more.
  case ignore
}

// SND_SEQ_PORT_CAP_INACTIVE: a group that a MIDI 2.0 keyboard does not use. Debian 12 has no name for it.
private let inactive: UInt32 = 1 << 8
// SND_SEQ_PORT_CAP_UMP_ENDPOINT, neither: all groups of a MIDI 2.0 device at once. Each has a port of its own, by MIDI 2.0 as
// by MIDI 1.0, with a name, channels and settings: those are played, and not this, which would bring each note twice.
private let endpoint: UInt32 = 1 << 9

/// What becomes of a port with what was set for its device: what the player says goes before the rule for known ports.
func admit(_ port: OfferedPort, _ settings: DeviceSettings) -> Admission {
  let readable = UInt32(SND_SEQ_PORT_CAP_READ | SND_SEQ_PORT_CAP_SUBS_READ)
  guard port.capabilities & readable == readable,
    port.capabilities & (UInt32(SND_SEQ_PORT_CAP_NO_EXPORT) | inactive | endpoint) == 0,
    port.type & UInt32(SND_SEQ_PORT_TYPE_MIDI_GENERIC) != 0,
    // It repeats what others send to it, which we may get already.
    port.identity.client != "Midi Through",
    // Another pipit's, which speaks to lamps alone. A keyboard may have any name.
    !(port.identity.usb.isEmpty && port.identity.client == SequencerPort.name
      && port.identity.port == SequencerPort.outName)
  else { return .ignore }
  switch settings.isAllowed {
  case true?: return .play
  case false?: return .leave("not allowed")
  case nil: return KnownPorts.reason(port.identity).map { .leave($0) } ?? .play
  }
}
