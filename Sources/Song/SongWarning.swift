/// What in a file is not as the standard has it, and how it was played: once for a kind, at its first place.
public struct SongWarning: Equatable, CustomStringConvertible, Sendable {
  /// What is wrong; its text says what was made of it.
  public enum Kind: String, CaseIterable, Sendable {
    /// Something stands before the header.
    case before = "what is before it is left out"
    /// The header is too short, or too long for the file.
    case header = "read as one of 6 bytes"
    /// A format other than 0, 1 and 2.
    case format = "played as format 1"
    /// None, or several in format 0.
    case trackCount = "all that are there are played together"
    /// A tick of no length, or of film of an unknown speed.
    case division = "its tempo is a guess"
    /// The chunks do not fit together, or end before the last track.
    case chunks = "the tracks are found by their names"
    /// More tracks than the header tells.
    case moreTracks = "they are played too"
    /// A track that cannot be read to its end.
    case broken = "played up to there"
    /// A data byte that belongs to nothing.
    case strayData = "left out, up to the next status"
    /// A data byte with its top bit set.
    case topBit = "its top bit is ignored"
    /// A status that belongs on a cable, not in a file.
    case status = "left out"
    /// A number of more than four bytes.
    case quantity = "taken as 0 where it is larger than a file may have it"
    /// A tempo of no length, or without a value.
    case tempo = "the tempo stays what it was"
    /// More than a minute in which nothing happens.
    case pause = "made 10 seconds"
    /// Longer than the longest song.
    case length = "it ends there"
    /// More messages than the largest song has.
    case messages = "the rest is left out"

    /// False for what reading strictly does not mind.
    var isFault: Bool { self != .moreTracks && self != .pause }
  }

  /// What is wrong.
  public let kind: Kind
  /// The track it is in, from 1; nil where it is in none or `error` names it.
  public let track: Int?
  /// What is wrong in words, and at which byte: what reading strictly would have thrown.
  public let error: SongError
  /// How often it is wrong.
  public internal(set) var count = 1

  /// As `track 3, byte 27: 0x90 stands where a data byte of 0 to 127 must (12 times; its top bit is ignored)`.
  public var description: String {
    let place = track.map { "track \($0)" + (error.offset == nil ? ": " : ", ") } ?? ""
    return "\(place)\(error) (\(count > 1 ? "\(count) times; " : "")\(kind.rawValue))"
  }
}

/// What has been found wrong in a file while it is read.
struct Findings {
  /// Whether the first thing that is wrong ends it.
  let isStrict: Bool
  /// One of each kind, in the order in which they were met.
  private(set) var warnings: [SongWarning] = []

  init(isStrict: Bool) { self.isStrict = isStrict }

  /// The first thing for which reading strictly would have ended.
  var fault: SongError? { warnings.first { $0.kind.isFault }?.error }

  /// Whether something of this kind has been found.
  func has(_ kind: SongWarning.Kind) -> Bool { warnings.contains { $0.kind == kind } }

  /// Something is wrong: throws it when read strictly.
  mutating func note(
    _ kind: SongWarning.Kind, _ error: SongError, track: Int? = nil
  ) throws(SongError) {
    if isStrict { throw error }
    if let known = warnings.firstIndex(where: { $0.kind == kind }) {
      warnings[known].count += 1
    } else {
      warnings.append(SongWarning(kind: kind, track: track, error: error))
    }
  }
}
