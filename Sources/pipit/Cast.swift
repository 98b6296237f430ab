import MIDI
import Presets
import Song
import Synth

/// Which channels of a song have parts. There are fewer parts than channels: where a song has more, those that play
/// first have one, and so have General MIDI's drums.
struct Cast {
  /// The channel of each part in use, from the first part on, each 0…15 and the lowest first.
  let parts: [UInt8]
  /// Channels that are not played.
  let leftOut: [UInt8]

  /// A cast for these channels, in the order in which they first play.
  init(_ uses: [ChannelUse], order: ProgramOrder) {
    var waiting = uses.map(\.channel)
    let drums = UInt8(Limits.drumChannel)
    if order == .gm, let place = waiting.firstIndex(of: drums) {
      waiting.remove(at: place)
      waiting.insert(drums, at: 0)
    }
    parts = waiting.prefix(Limits.parts).sorted()
    leftOut = waiting.dropFirst(Limits.parts).sorted()
  }

  /// What is not played, as a sentence; nil when everything is.
  var sentence: String? {
    if leftOut.isEmpty { return nil }
    let names = leftOut.map { "\($0 + 1)" }.joined(separator: ", ")
    let channels = leftOut.count == 1 ? "channel \(names) is" : "channels \(names) are"
    return
      "\(parts.count + leftOut.count) channels have notes and there are \(Limits.parts) parts: \(channels) not played"
  }
}
