/// What a channel of a song plays.
public struct SongChannel: Sendable, Equatable {
  /// The channel, 0…15.
  public let channel: UInt8
  /// Its parts, 0..<`Limits.songParts`. Those from `Limits.parts` on are parts that only songs use.
  public let parts: [Int]
  /// The name of the preset of its first part; empty if that has none.
  public let preset: String
}
