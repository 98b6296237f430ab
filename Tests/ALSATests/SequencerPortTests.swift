import CALSA
import Testing

@testable import ALSA

@Suite struct SequencerPortTests {
  private static let readable = UInt32(SND_SEQ_PORT_CAP_READ | SND_SEQ_PORT_CAP_SUBS_READ)

  /// A MIDI 2.0 device of a program has a port for all of its groups, which would bring each note twice.
  @Test(arguments: [
    (readable, true), (readable | 1 << 9, false), (readable | 1 << 8, false),
    (readable | UInt32(SND_SEQ_PORT_CAP_NO_EXPORT), false), (readable | UInt32(SND_SEQ_PORT_CAP_WRITE), true),
    (UInt32(SND_SEQ_PORT_CAP_READ), false), (0, false),
  ])
  func whatBringsNotesOnceIsConnected(capabilities: UInt32, isAdmitted: Bool) {
    let type = UInt32(SND_SEQ_PORT_TYPE_MIDI_GENERIC | SND_SEQ_PORT_TYPE_HARDWARE)
    #expect(
      SequencerPort.admits(capabilities: capabilities, type: type, client: "Keyboard") == isAdmitted)
    #expect(!SequencerPort.admits(capabilities: capabilities, type: 0, client: "Keyboard"))
    #expect(!SequencerPort.admits(capabilities: capabilities, type: type, client: "Midi Through"))
  }
}
