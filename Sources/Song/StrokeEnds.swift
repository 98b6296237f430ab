import MIDI
import Scenes

/// Decides which note offs of a song end a key that was struck again before its end: each off ends the oldest stroke
/// of its key, whatever the order of notes in one tick. The last stroke has taken over the voice of the others, so only
/// its off is played.
///
/// This needs the whole song: a stroke without an off to come is not waited for. Live, where it cannot be known, every
/// off ends its key, so that a lost off leaves no note hanging.
enum StrokeEnds {
  /// The items without the note offs of older strokes. They are in order.
  static func only(_ items: [Track.Item]) -> [Track.Item] {
    var keys = KeyCounts()
    // From the end: the offs to come of each key.
    var endsLater = [Bool](repeating: false, count: items.count)
    for index in items.indices.reversed() {
      switch items[index].content {
      case .message(let played):
        switch played.message {
        case .noteOff(let note, _): keys[played.channel, note] += 1
        case .noteOn(let note, _) where keys[played.channel, note] > 0:
          keys[played.channel, note] -= 1
          endsLater[index] = true
        default: keys.forget(after: played)
        }
      case .exclusive(let bytes): keys.forget(after: bytes)
      case .loop, .meter, .text: break
      }
    }
    // From the start: the strokes of each key that have not ended.
    keys = KeyCounts()
    var kept: [Track.Item] = []
    kept.reserveCapacity(items.count)
    for (index, item) in items.enumerated() {
      switch item.content {
      case .message(let played):
        switch played.message {
        case .noteOn(let note, _) where endsLater[index]: keys[played.channel, note] += 1
        case .noteOff(let note, _):
          let count = keys[played.channel, note]
          keys[played.channel, note] = max(0, count - 1)
          if count > 1 { continue }
        default: keys.forget(after: played)
        }
      case .exclusive(let bytes): keys.forget(after: bytes)
      case .loop, .meter, .text: break
      }
      kept.append(item)
    }
    return kept
  }
}

/// A number for each key of each channel.
private struct KeyCounts {
  private static let keys = 128
  private var counts = [Int](repeating: 0, count: Limits.channels * keys)
  // Whether all numbers of a channel are 0, so that a song of nothing but resets takes no time.
  private var areZero = [Bool](repeating: true, count: Limits.channels)

  subscript(channel: UInt8, note: UInt8) -> Int {
    get { counts[Int(channel) * Self.keys + Int(note)] }
    set {
      counts[Int(channel) * Self.keys + Int(note)] = newValue
      areZero[Int(channel)] = false
    }
  }

  /// Sets a channel to 0 if a message ends all of its notes.
  mutating func forget(after played: ChannelMessage) {
    switch played.message {
    case .controller(120, _), .controller(123...127, _): forget(played.channel)
    default: break
    }
  }

  /// Sets all to 0 if a system exclusive message resets the instrument.
  mutating func forget(after exclusive: [UInt8]) {
    if SetUp(exclusive) == nil { return }
    for channel in 0..<UInt8(Limits.channels) { forget(channel) }
  }

  private mutating func forget(_ channel: UInt8) {
    if areZero[Int(channel)] { return }
    areZero[Int(channel)] = true
    let first = Int(channel) * Self.keys
    for index in first..<first + Self.keys { counts[index] = 0 }
  }
}

extension SetUp {
  /// The kind of instrument that a system exclusive message states, without F0; nil for any other message.
  init?(_ bytes: [UInt8]) {
    let setUp = bytes.withUnsafeBufferPointer { buffer in
      buffer.baseAddress.flatMap { SetUp($0, count: buffer.count) }
    }
    guard let setUp else { return nil }
    self = setUp
  }
}
