import MIDI
import Scenes

/// The use of a channel or an MPE zone by a song.
public struct ChannelUse: Sendable, Equatable {
  /// A program change of MIDI.
  public struct Program: Hashable, Sendable {
    /// The bank: controller 0 times 128 plus controller 32.
    public let bank: Int
    /// The program, 0…127.
    public let program: Int
  }

  /// The channel, 0…15; for a zone, its manager channel.
  public let channel: UInt8
  /// The number of notes.
  public internal(set) var notes = 0
  /// The program of its first note; nil if no program change came before.
  public internal(set) var first: Program?
}

extension Song {
  /// The use of each channel that has notes, in the order of their first notes.
  public func uses(mpe: MPESetting = .auto) -> [ChannelUse] {
    let decoder = MIDIDecoder()
    _ = decoder.choose(mpe, source: 0, frame: 0)
    var uses = (0..<UInt8(Limits.channels)).map { ChannelUse(channel: $0) }
    var order: [Int] = []
    var latest: [ChannelUse.Program?] = Array(repeating: nil, count: Limits.channels)
    var waiting = exclusives[...]
    for (index, timed) in messages.enumerated() {
      // A reset ends zones.
      while let exclusive = waiting.first, exclusive.index <= index {
        waiting.removeFirst()
        _ = decoder.events(exclusive: exclusive.bytes, source: 0)
      }
      let event = decoder.event(ChannelMessage(timed.channel, timed.message), source: 0, frame: 0)
      if let event, event.kind == .program {
        let program = ChannelUse.Program(bank: Int(clamping: event.value), program: Int(event.note))
        latest[Int(event.target)] = program
      }
      guard case .noteOn = timed.message else { continue }
      let home = Int(decoder.zoneManager(of: timed.channel, source: 0))
      if uses[home].notes == 0 {
        uses[home].first = latest[home]
        order.append(home)
      }
      uses[home].notes += 1
    }
    return order.map { uses[$0] }
  }
}
