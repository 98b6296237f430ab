import MIDI
import Synth

/// What a song does on a channel, or in an MPE zone.
public struct ChannelUse: Sendable, Equatable {
  /// A program change, as MIDI has it.
  public struct Program: Hashable, Sendable {
    /// Controller 0 times 128 and controller 32.
    public let bank: Int
    /// 0…127.
    public let program: Int
  }

  /// The channel 0…15; of a zone its manager's.
  public let channel: UInt8
  /// How many notes there are.
  public internal(set) var notes = 0
  /// What its first note is played with; nil when no program has come by then.
  public internal(set) var first: Program?
}

extension Song {
  /// What the song does on each channel that has notes, in the order in which they first play.
  public func uses(mpe: MPESetting = .auto) -> [ChannelUse] {
    let decoder = MIDIDecoder()
    _ = decoder.choose(mpe, source: 0, frame: 0)
    var uses = (0..<UInt8(Limits.channels)).map { ChannelUse(channel: $0) }
    var order: [Int] = []
    var latest: [ChannelUse.Program?] = Array(repeating: nil, count: Limits.channels)
    for timed in messages {
      let event = decoder.event(ChannelMessage(timed.channel, timed.message), source: 0, frame: 0)
      if let event, event.kind == .program {
        let program = ChannelUse.Program(bank: Int(event.value), program: Int(event.note))
        latest[Int(event.target)] = program
      }
      guard case .noteOn = timed.message else { continue }
      let home = Int(decoder.home(of: timed.channel, source: 0))
      if uses[home].notes == 0 {
        uses[home].first = latest[home]
        order.append(home)
      }
      uses[home].notes += 1
    }
    return order.map { uses[$0] }
  }
}
