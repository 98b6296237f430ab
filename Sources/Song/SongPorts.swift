import MIDI
import Synth

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
  private var channels: [UInt8?] = (0..<UInt8(Limits.channels)).map { $0 }
  private var isPlain = true

  /// The parts that receive a channel.
  func parts(of channel: UInt8) -> [UInt8] {
    if isPlain { return [channel] }
    return (0..<UInt8(Limits.channels)).filter { channels[Int($0)] == channel }
  }

  /// Takes a message. Returns the part whose channel it changes; nil for any other message. A reset restores all.
  mutating func take(_ bytes: [UInt8]) -> UInt8? {
    if SetUp(bytes) != nil { self = ReceivedChannels() }
    guard let (part, channel) = Self.change(bytes) else { return nil }
    (channels[Int(part)], isPlain) = (channel, false)
    return part
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
