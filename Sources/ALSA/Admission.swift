import CALSA
import MIDI

/// A port of another client, as the sequencer describes it.
struct OfferedPort: Equatable {
  var identity: PortIdentity
  /// Bits of `SND_SEQ_PORT_CAP_…` and `SND_SEQ_PORT_TYPE_…`.
  var (capabilities, type): (UInt32, UInt32)
}

/// The treatment of a port.
enum Admission: Equatable {
  /// The port is connected and played.
  case play
  /// The port could be played but is not connected, for the given reason.
  case leave(String)
  /// The port sends no notes, or repeats the notes of another port.
  case ignore
}

// SND_SEQ_PORT_CAP_INACTIVE: a group that a MIDI 2.0 keyboard does not use. Debian 12 has no name for it.
private let inactive: UInt32 = 1 << 8
// SND_SEQ_PORT_CAP_UMP_ENDPOINT, also without a name in Debian 12: a port that carries all groups of a MIDI 2.0
// device. Each group also has a port of its own, in MIDI 2.0 and in MIDI 1.0, with a name, channels and settings.
// pipit plays those ports and ignores this one, which would send each note a second time.
private let endpoint: UInt32 = 1 << 9

/// Decides how to treat a port under the settings of its device. The player's setting overrides the rule for known
/// ports.
func admit(_ port: OfferedPort, _ settings: DeviceSettings) -> Admission {
  let readable = UInt32(SND_SEQ_PORT_CAP_READ | SND_SEQ_PORT_CAP_SUBS_READ)
  guard port.capabilities & readable == readable,
    port.capabilities & (UInt32(SND_SEQ_PORT_CAP_NO_EXPORT) | inactive | endpoint) == 0,
    port.type & UInt32(SND_SEQ_PORT_TYPE_MIDI_GENERIC) != 0,
    // Midi Through repeats messages from other ports, which pipit may already receive.
    port.identity.client != "Midi Through",
    // The output of another pipit, which only sends to lamps. A USB keyboard may have any name.
    !(port.identity.usb.isEmpty && port.identity.client == SequencerPort.name
      && port.identity.port == SequencerPort.outName)
  else { return .ignore }
  switch settings.isAllowed {
  case true?: return .play
  case false?: return .leave("not allowed")
  case nil: return KnownPorts.reason(port.identity).map { .leave($0) } ?? .play
  }
}
