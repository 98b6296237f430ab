import MIDI
import Presets
import Song
import Synth

/// Which parts play the channels of a song. There are fewer parts than channels: where a song has more, those that play
/// first have one, and so have General MIDI's drums.
struct Cast {
  /// The parts, 0…7, of each channel that is played, 0…15.
  let parts: [UInt8: [Int]]
  /// Channels that are not played.
  let leftOut: [UInt8]

  /// A cast for these channels, in the order in which they first play: the lowest channel has the lowest part. In the
  /// `scene` of a player, parts that answer to one of the channels alone play that one, and parts that answer to another
  /// come last.
  init(_ uses: [ChannelUse], order: ProgramOrder, in scene: Scene? = nil) {
    var waiting = uses.map(\.channel)
    let drums = UInt8(Limits.drumChannel)
    if order == .gm, let place = waiting.firstIndex(of: drums) {
      waiting.remove(at: place)
      waiting.insert(drums, at: 0)
    }
    var (free, parts) = (Array(0..<Limits.parts), [UInt8: [Int]]())
    if let scene {
      let own = free.filter { scene[$0].strip.on >= 0.5 && scene[$0].strip.channel >= 1 }
      for part in own {
        let channel = UInt8(scene[part].strip.channel) - 1
        if waiting.contains(channel) { parts[channel, default: []].append(part) }
      }
      waiting.removeAll { parts[$0] != nil }
      let taken = parts.values.joined()
      free = free.filter { !own.contains($0) } + own.filter { !taken.contains($0) }
    }
    let played = waiting.prefix(free.count).sorted()
    for (channel, part) in zip(played, free.prefix(played.count).sorted()) { parts[channel] = [part] }
    (self.parts, leftOut) = (parts, waiting.dropFirst(free.count).sorted())
  }

  /// What is not played, as a sentence; nil when everything is.
  var sentence: String? {
    if leftOut.isEmpty { return nil }
    let names = leftOut.map { "\($0 + 1)" }.joined(separator: ", ")
    let channels = leftOut.count == 1 ? "channel \(names) is" : "channels \(names) are"
    return
      "\(parts.count + leftOut.count) channels have notes and there are \(Limits.parts) parts: \(channels) not played"
  }

  /// The same for the playing instrument.
  var routes: ChannelRoutes {
    var routes = ChannelRoutes()
    for (channel, parts) in parts { routes[Int(channel)] = parts.reduce(0) { $0 | 1 << UInt8($1) } }
    for channel in leftOut { routes[Int(channel)] = 0 }
    return routes
  }
}
