import CALSA
import MIDI

extension Sequencer {
  /// The keyboards and programs that pipit would play or leave alone with default settings, for lists. Starts no
  /// thread and does not set their ordinals. Empty without a sequencer.
  public static func keyboards() -> [(port: PortIdentity, isPlayed: Bool, reason: String)] {
    guard let listing = SequencerPort.openForListing() else { return [] }
    defer { listing.close() }
    return listing.ports().compactMap { address in
      guard let found = listing.describe(address) else { return nil }
      switch admit(found, DeviceSettings()) {
      case .ignore: return nil
      case .play: return (found.identity, true, "")
      case .leave(let reason): return (found.identity, false, reason)
      }
    }
  }
}

extension SequencerPort {
  /// Opens a client without ports that can only list other clients; nil without a sequencer.
  fileprivate static func openForListing() -> SequencerPort? {
    alsa_be_quiet()
    var opened: OpaquePointer?
    guard snd_seq_open(&opened, "default", SND_SEQ_OPEN_INPUT, Int32(SND_SEQ_NONBLOCK)) >= 0,
      let handle = opened
    else { return nil }
    return SequencerPort(
      handle: handle, client: UInt8(truncatingIfNeeded: snd_seq_client_id(handle)), port: 0, out: -1,
      isUMP: false)
  }
}
