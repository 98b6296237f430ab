import MIDI

/// The keys and pedals that are down after a series of messages.
struct HeldNotes {
  /// The controllers of sustain, sostenuto and the second hold pedal.
  private static let pedals: [UInt8] = [64, 66, 69]

  // A bit for each of the 128 keys of 16 channels; empty before the first note.
  private var keys: [UInt64] = []
  // A bit for each channel, for each pedal.
  private var down: [UInt16] = [0, 0, 0]

  /// Updates the state with a message.
  mutating func take(_ played: ChannelMessage) {
    switch played.message {
    case .noteOn(let note, _):
      if keys.isEmpty { keys = [UInt64](repeating: 0, count: 32) }
      keys[HeldNotes.word(played.channel, note)] |= 1 << UInt64(note & 63)
    case .noteOff(let note, _):
      if !keys.isEmpty { keys[HeldNotes.word(played.channel, note)] &= ~(1 << UInt64(note & 63)) }
    case .controller(let number, let value):
      guard let pedal = HeldNotes.pedals.firstIndex(of: number) else { break }
      let channel: UInt16 = 1 << UInt16(played.channel & 15)
      if value.unit >= 0.5 { down[pedal] |= channel } else { down[pedal] &= ~channel }
    default: break
    }
  }

  /// The messages that release all keys, in order of channel and key, and then the pedals.
  var releases: [ChannelMessage] {
    var messages: [ChannelMessage] = []
    for (word, var bits) in keys.enumerated() {
      while bits != 0 {
        let note = UInt8(word & 1) << 6 | UInt8(bits.trailingZeroBitCount)
        bits &= bits - 1
        messages.append(
          ChannelMessage(UInt8(word >> 1), .noteOff(note: note, velocity: MIDIValue(64, bits: 7))))
      }
    }
    for (number, var bits) in zip(HeldNotes.pedals, down) {
      while bits != 0 {
        let value = MIDIValue(0, bits: 7)
        messages.append(ChannelMessage(UInt8(bits.trailingZeroBitCount), .controller(number, value)))
        bits &= bits - 1
      }
    }
    return messages
  }

  private static func word(_ channel: UInt8, _ note: UInt8) -> Int {
    Int(channel & 15) << 1 | Int(note & 127) >> 6
  }
}
