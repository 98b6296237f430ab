import MIDI
import Synth

extension Song {
  /// True where it chooses sounds.
  public var hasPrograms: Bool {
    messages.contains { if case .program = $0.message { true } else { false } }
  }

  /// Whether its programs are General MIDI's. So it says itself, or it says nothing of the instrument that it is for and
  /// has programs as General MIDI has them: none of them behind a selected bank, or notes on channel 10.
  public func isGeneralMIDI(mpe: MPESetting = .auto) -> Bool {
    if let setUp { return setUp == .generalMIDI }
    // Channels on which a bank has been selected, one bit each.
    var selected: UInt32 = 0
    var (hasPrograms, hasBanks) = (false, false)
    for timed in messages {
      let channel = UInt32(1) << UInt32(timed.channel & 15)
      switch timed.message {
      case .controller(0, _), .controller(32, _): selected |= channel
      case .program:
        hasPrograms = true
        hasBanks = hasBanks || selected & channel != 0
      default: break
      }
    }
    if !hasPrograms { return false }
    // In an MPE zone the channel is that of a finger.
    return !hasBanks || uses(mpe: mpe).contains { Int($0.channel) == Limits.drumChannel }
  }
}
