import MIDI
import Synth

extension Song {
  /// Whether it has program changes.
  public var hasPrograms: Bool {
    messages.contains { if case .program = $0.message { true } else { false } }
  }

  /// Whether its programs are those of General MIDI: it says so, or it names no kind of instrument and has programs
  /// without bank selection, or with banks and notes on channel 10.
  public func isGeneralMIDI(mpe: MPESetting = .auto) -> Bool {
    if let setUp { return setUp == .generalMIDI }
    // One bit for each channel with a bank selection.
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
    // Uses count an MPE zone as one channel, while its messages come on a channel for each finger.
    return !hasBanks || uses(mpe: mpe).contains { Int($0.channel) == Limits.drumChannel }
  }
}
