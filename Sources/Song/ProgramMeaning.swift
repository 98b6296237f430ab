import MIDI
import Scenes

/// Whether the programs of a song are General MIDI's or those of pipit's banks, and what in the song says so.
public struct ProgramMeaning: Sendable, Equatable {
  /// Whether they are General MIDI's. False for those of pipit's banks.
  public let isGeneralMIDI: Bool
  /// The reason, such as `it sends GM System Off`.
  public let reason: String
}

extension Song {
  /// Whether it has program changes.
  public var hasPrograms: Bool {
    messages.contains { if case .program = $0.message { true } else { false } }
  }

  /// What its programs mean. They are General MIDI's, as on any other instrument, unless the song says that it is for
  /// pipit: by GM System Off, by a text event `pipit`, or by a program of a bank that only pipit has, 1 to 127 in
  /// controller 32. A song without programs then has the piano, and drums on channel 10.
  public func programMeaning(mpe: MPESetting = .auto) -> ProgramMeaning {
    func meaning(_ isGeneralMIDI: Bool, _ reason: String) -> ProgramMeaning {
      ProgramMeaning(isGeneralMIDI: isGeneralMIDI, reason: reason)
    }
    switch setUp {
    case .generalMIDI: return meaning(true, "it sends GM System On, or a reset of GS or XG")
    case .native: return meaning(false, "it sends GM System Off")
    case nil: break
    }
    if isForPipit { return meaning(false, "it has the text \"\(Track.mark)\"") }
    guard let bank = ownBank else { return meaning(true, "it does not say otherwise") }
    // Uses count an MPE zone as one channel, while its messages come on a channel for each finger.
    if uses(mpe: mpe).contains(where: { Int($0.channel) == Limits.drumChannel }) {
      return meaning(true, "it has notes on channel 10")
    }
    return meaning(false, "it selects bank \(bank)")
  }

  /// The first bank 1…127, selected by controller 32 with 0 in controller 0, of which it chooses a program.
  private var ownBank: Int? {
    var banks = Array(repeating: (coarse: 0, fine: 0), count: Limits.channels)
    for timed in messages {
      let channel = Int(timed.channel & 15)
      switch timed.message {
      case .controller(0, let value): banks[channel].coarse = Int(value.sevenBits)
      case .controller(32, let value): banks[channel].fine = Int(value.sevenBits)
      case .program: if case (0, 1...) = banks[channel] { return banks[channel].fine }
      default: break
      }
    }
    return nil
  }
}
