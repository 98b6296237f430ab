/// The assignment of a channel of a song.
public struct SongChannel: Sendable, Equatable {
  /// The channel, 0…15.
  public let channel: UInt8
  /// Its parts, 0..<`Limits.songParts`. Those from `Limits.parts` on are parts that only songs use.
  public let parts: [Int]
  /// The names of the presets of its parts, separated by ` + `; empty without one.
  public let preset: String
}
