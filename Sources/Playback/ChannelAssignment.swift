import MIDI
import Presets
import Scenes
import Song

/// The assignment of a song's channels to parts. The channels that play first, and always the drum channel of General
/// MIDI, get parts of the instrument; the others get parts that only songs use.
public struct ChannelAssignment {
  /// The parts, 0..<`Limits.songParts`, of each channel that is played, 0…15. Those from `Limits.parts` on are parts
  /// that only songs use.
  public let parts: [UInt8: [Int]]

  /// Assigns channels, given in the order in which they first play: of those with parts of the instrument, the lowest
  /// channel gets the lowest part. If a player's `scene` is given, a part that is set to one of the channels plays
  /// that channel, and parts that are set to other channels are assigned last. If several parts are set to one
  /// channel and there are too few parts for all channels, the last of these parts are assigned to other channels.
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
        let channel = UInt8(clamping: scene[part].strip.channel - 1)
        if waiting.contains(channel) { parts[channel, default: []].append(part) }
      }
      waiting.removeAll { parts[$0] != nil }
      let used = parts.values.joined()
      free = free.filter { !configured.contains($0) } + configured.filter { !used.contains($0) }
      while waiting.count > free.count + Limits.songParts - Limits.parts,
        let layered = parts.filter({ $0.value.count > 1 }).max(by: {
          ($0.value.last ?? 0) < ($1.value.last ?? 0)
        })
      {
        if let part = parts[layered.key]?.popLast() { free.append(part) }
      }
    }
    let first = waiting.prefix(free.count).sorted()
    for (channel, part) in zip(first, free.prefix(first.count).sorted()) { parts[channel] = [part] }
    let others = waiting.dropFirst(free.count).sorted()
    for (channel, part) in zip(others, Limits.parts..<Limits.songParts) { parts[channel] = [part] }
    self.parts = parts
  }

  /// Whether channels have parts that only songs use.
  public var needsSongParts: Bool { parts.values.contains { $0.contains { $0 >= Limits.parts } } }

  /// The assignment as channel routes of the instrument. A channel whose part only songs use gets no part of the
  /// instrument.
  public var routes: ChannelRoutes {
    var routes = ChannelRoutes()
    for (channel, parts) in parts {
      routes[Int(channel)] = parts.reduce(0) { $1 < Limits.parts ? $0 | 1 << UInt8($1) : $0 }
    }
    return routes
  }

  /// A scene of the eight parts from `first` on, which is 0 or `Limits.parts`. Each assigned part plays only its
  /// channel, with the patch that `patch` returns for the channel; the others are off.
  public func scene(from first: Int = 0, patch: (UInt8) -> Patch) -> Scene {
    var scene = Scene.initial
    for part in 0..<Limits.parts { scene[part].strip.on = 0 }
    for (channel, parts) in parts.sorted(by: { $0.key < $1.key }) {
      for part in parts where first..<first + Limits.parts ~= part {
        (scene[part - first].strip.on, scene[part - first].strip.channel) = (1, Float(channel) + 1)
        scene[part - first].patch = patch(channel)
      }
    }
    return scene
  }
}
