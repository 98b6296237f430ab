import MIDI
import Scenes

/// The ports of a song (FF 21), each of which has sixteen channels. A song is played on sixteen in all.
enum SongPorts {
  /// The tracks with the channels of one port. Channels of further ports that have notes get those on which the first port
  /// has none, and their channel 10 is its channel 10, with the drums. Left out are channels for which none is free, which
  /// is said, and system exclusive messages of further ports, whose channels have other numbers.
  static func joined(_ tracks: [Track], _ findings: inout Findings) throws(SongError) -> [Track] {
    let ports = Set(tracks.map(\.port)).sorted()
    if ports.count < 2 { return tracks }
    let used = ports.map { port in
      tracks.filter { $0.port == port }.reduce(into: Set<UInt8>()) { $0.formUnion($1.channelsWithNotes) }
    }
    guard let first = used.firstIndex(where: { !$0.isEmpty }) else { return tracks }
    let drums = UInt8(Limits.drumChannel)
    var free = (0..<UInt8(Limits.channels)).filter { !used[first].contains($0) && $0 != drums }[...]
    var (tracks, missing) = (tracks, 0)
    for (port, used) in zip(ports, used) where port != ports[first] {
      var channels = [UInt8?](repeating: nil, count: Limits.channels)
      for channel in used.sorted() {
        channels[Int(channel)] = channel == drums ? drums : free.popFirst()
        if channels[Int(channel)] == nil { missing += 1 }
      }
      for index in tracks.indices where tracks[index].port == port { tracks[index].move(to: channels) }
    }
    if missing > 0, !findings.isStrict {
      let error = SongError("\(missing) more channels with notes than the 16 of a song", at: nil)
      try findings.note(.ports, error)
    }
    return tracks
  }
}

/// The channels that the parts of a GS or XG instrument receive, as system exclusive messages set them. A part is the
/// channel of its number; each receives its own until then.
struct ReceivedChannels {
  private static let own = (0..<UInt8(Limits.channels)).map { UInt8?($0) }
  private var channels = own
  /// Whether each part receives its own channel.
  var isPlain: Bool { channels == Self.own }
  // How many more messages may go to further parts: a small file must not become a song of many times its size.
  private var copies: Int

  /// Each part receives its own channel, and at most so many messages go to a second part, or a third.
  init(copies: Int) { self.copies = copies }

  /// The parts that receive a message of a channel, and those that must end what they hold, because each part receives its
  /// own channel from now on.
  mutating func parts(of channel: UInt8) -> (receiving: [UInt8], ending: [UInt8]) {
    let parts = (0..<UInt8(Limits.channels)).filter { channels[Int($0)] == channel }
    copies -= max(0, parts.count - 1)
    return copies >= 0 ? (parts, []) : ([channel], reset())
  }

  /// Takes a system exclusive message. Returns the parts whose notes and pedals must end, and true if the message only set
  /// a channel. A reset of the instrument gives each part its own channel.
  mutating func take(_ bytes: [UInt8]) -> (ending: [UInt8], isDone: Bool) {
    if SetUp(bytes) != nil { return (reset(), false) }
    guard let (part, channel) = Self.change(bytes) else { return ([], false) }
    if copies < 0 { return ([], true) }
    channels[Int(part)] = channel
    return ([part], true)
  }

  /// Gives each part its own channel. Returns those that had another.
  private mutating func reset() -> [UInt8] {
    defer { channels = Self.own }
    return (0..<UInt8(Limits.channels)).filter { channels[Int($0)] != $0 }
  }

  /// The part and its new channel, nil for none, that a message without F0 and F7 sets; nil for any other message.
  static func change(_ bytes: [UInt8]) -> (part: UInt8, channel: UInt8?)? {
    if bytes.count >= 9, bytes[0] == 0x41, bytes[2...4] == [0x42, 0x12, 0x40], bytes[5] >> 4 == 1,
      bytes[6] == 2
    {
      if bytes[4..<9].reduce(0, { $0 + Int($1) }) & 127 != 0 { return nil }
      let block = bytes[5] & 15
      return (block == 0 ? 9 : block < 10 ? block - 1 : block, bytes[7] < 16 ? bytes[7] : nil)
    }
    if bytes.count >= 7, bytes[0] == 0x43, bytes[1] >> 4 == 1, bytes[2...3] == [0x4C, 8], bytes[4] < 16,
      bytes[5] == 4
    {
      return (bytes[4], bytes[6] < 16 ? bytes[6] : nil)
    }
    return nil
  }
}
