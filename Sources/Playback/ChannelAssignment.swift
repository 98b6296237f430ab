import MIDI
import Presets
import Song
import Synth

/// The assignment of a song's channels to parts. There are fewer parts than channels: in a song with more channels,
/// those that play first have a part, and General MIDI's drums have one always.
public struct ChannelAssignment {
  /// The parts, 0…7, of each channel that is played, 0…15.
  public let parts: [UInt8: [Int]]
  /// The channels without a part, which are not played.
  public let leftOut: [UInt8]

  /// Assigns channels, given in the order in which they first play: the lowest channel gets the lowest part. In the
  /// `scene` of a player, parts that are set to one of the channels play that one, and parts that are set to another
  /// channel come last.
  public init(_ uses: [ChannelUse], order: ProgramOrder, in scene: Scene? = nil) {
    var waiting = uses.map(\.channel)
    let drums = UInt8(Limits.drumChannel)
    if order == .gm, let index = waiting.firstIndex(of: drums) {
      waiting.remove(at: index)
      waiting.insert(drums, at: 0)
    }
    var (free, parts) = (Array(0..<Limits.parts), [UInt8: [Int]]())
    if let scene {
      let configured = free.filter { scene[$0].strip.on >= 0.5 && scene[$0].strip.channel >= 1 }
      for part in configured {
        let channel = UInt8(scene[part].strip.channel) - 1
        if waiting.contains(channel) { parts[channel, default: []].append(part) }
      }
      waiting.removeAll { parts[$0] != nil }
      let used = parts.values.joined()
      free = free.filter { !configured.contains($0) } + configured.filter { !used.contains($0) }
    }
    let played = waiting.prefix(free.count).sorted()
    for (channel, part) in zip(played, free.prefix(played.count).sorted()) { parts[channel] = [part] }
    (self.parts, leftOut) = (parts, waiting.dropFirst(free.count).sorted())
  }

  /// A sentence that names the channels that are not played; nil when all are.
  public var sentence: String? {
    if leftOut.isEmpty { return nil }
    let names = leftOut.map { "\($0 + 1)" }.joined(separator: ", ")
    let channels = leftOut.count == 1 ? "channel \(names) is" : "channels \(names) are"
    return
      "\(parts.count + leftOut.count) channels have notes and there are \(Limits.parts) parts: \(channels) not played"
  }

  /// The assignment as routes of the playing instrument.
  public var routes: ChannelRoutes {
    var routes = ChannelRoutes()
    for (channel, parts) in parts { routes[Int(channel)] = parts.reduce(0) { $0 | 1 << UInt8($1) } }
    for channel in leftOut { routes[Int(channel)] = 0 }
    return routes
  }
}
