import MIDI
import Synth

/// A Standard MIDI File as it is to be played: every channel message of every track, in order of time.
public struct Song: Sendable {
  /// A channel message and its time.
  public struct TimedMessage: Equatable, Sendable {
    /// Seconds from the start. The tempo map is summed up in whole numbers and divided once.
    public let seconds: Double
    /// MIDI channel 0…15.
    public let channel: UInt8
    /// What happens.
    public let message: MIDIMessage

    /// The frame at which it happens.
    public func frame(rate: Double) -> Int64 { Int64((seconds * rate).rounded()) }
  }

  /// The messages, in order of time; at one tick in order of the tracks, in a track in order of the file.
  public let messages: [TimedMessage]
  /// Seconds to the end of the longest track.
  public let length: Double

  /// The channels that have notes, 0…15, lowest first.
  public var channels: [UInt8] {
    var used = Set<UInt8>()
    for timed in messages {
      if case .noteOn = timed.message { used.insert(timed.channel) }
    }
    return used.sorted()
  }

  /// What the engine and the control thread are to do, in order, when the song is played at `rate` Hz by `source`.
  public func events(rate: Double, source: UInt8 = 0) -> [Event] {
    let decoder = MIDIDecoder()
    return messages.compactMap { timed in
      decoder.event(
        ChannelMessage(timed.channel, timed.message), source: source, frame: timed.frame(rate: rate))
    }
  }

  /// Reads a file of format 0 or 1. Throws for anything else, naming the byte; takes memory only for what is
  /// really there, whatever lengths the file claims.
  public init(_ bytes: [UInt8]) throws(SongError) {
    let file = try MIDIFile(bytes)
    var tempos = file.tracks.flatMap { $0.tempos }
    if file.tracks.count > 1 { tempos = inOrder(tempos) { $0.tick } }
    var items = file.tracks.flatMap { $0.items }
    if file.tracks.count > 1 { items = inOrder(items) { $0.tick } }

    var map = TempoMap(file.division, tempos: tempos)
    var messages: [TimedMessage] = []
    messages.reserveCapacity(items.count)
    for item in items {
      let seconds = try map.seconds(at: item.tick)
      let (channel, message) = (item.message.channel, item.message.message)
      messages.append(TimedMessage(seconds: seconds, channel: channel, message: message))
    }
    self.messages = messages
    length = try map.seconds(at: file.tracks.map { $0.end }.max() ?? 0)
  }
}

/// Sorted, and what is equal stays as it was.
private func inOrder<T>(_ items: [T], by tick: (T) -> Int) -> [T] {
  items.enumerated().sorted { (tick($0.element), $0.offset) < (tick($1.element), $1.offset) }
    .map { $0.element }
}
