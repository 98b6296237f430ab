/// A deviation of a file from the standard: one for each kind, at its first occurrence.
public struct SongWarning: Equatable, CustomStringConvertible, Sendable {
  /// The kind of a deviation. Its text says how the file was read.
  public enum Kind: String, CaseIterable, Sendable {
    /// Bytes before the header.
    case before = "the bytes before it are skipped"
    /// A header that is too short, or too long for the file.
    case header = "read as 6 bytes"
    /// A format other than 0, 1 and 2.
    case format = "played as format 1"
    /// No tracks, or several in format 0.
    case trackCount = "all tracks are played together"
    /// A quarter note or film frame of 0 ticks, or an unknown number of film frames per second.
    case division = "the tempo is a guess"
    /// Invalid lengths of chunks, or missing tracks.
    case chunks = "the tracks are found by their names"
    /// More tracks than the header states.
    case moreTracks = "played as well"
    /// A track that cannot be read to its end.
    case broken = "played up to there"
    /// A data byte without a status.
    case strayData = "skipped, up to the next status"
    /// A data byte with its top bit set.
    case topBit = "its top bit is ignored"
    /// A status byte that is allowed on a MIDI cable only.
    case status = "skipped"
    /// A variable-length number of more than four bytes.
    case quantity = "read as 0 if it is too large"
    /// A tempo of 0, or with too few bytes.
    case tempo = "the tempo does not change"
    /// A pause of more than a minute.
    case pause = "shortened to 10 seconds"
    /// A song that is longer than the limit.
    case length = "it ends there"
    /// More channels on several ports than a song may have.
    case ports = "those of the last ports are left out"
    /// More messages than the limit.
    case messages = "the rest is skipped"

    /// Whether strict reading throws for it.
    var isFault: Bool { self != .moreTracks && self != .pause && self != .ports }
  }

  /// The kind of the deviation.
  public let kind: Kind
  /// Its track, from 1; nil if it is in none, or `error` names it.
  public let track: Int?
  /// The error that strict reading would throw.
  public let error: SongError
  /// The number of occurrences.
  public internal(set) var count = 1

  /// The warning, as `track 3, byte 27: 0x90 instead of a data byte of 0 to 127 (12 times; its top bit is ignored)`.
  public var description: String {
    let location = track.map { "track \($0)" + (error.offset == nil ? ": " : ", ") } ?? ""
    return "\(location)\(error) (\(count > 1 ? "\(count) times; " : "")\(kind.rawValue))"
  }
}

/// The deviations found in a file so far.
struct Findings {
  /// Whether the first one is thrown.
  let isStrict: Bool
  /// The warnings, one for each kind, in the order in which they were found.
  private(set) var warnings: [SongWarning] = []

  init(isStrict: Bool) { self.isStrict = isStrict }

  /// The first error that strict reading would throw; nil without one.
  var fault: SongError? { warnings.first { $0.kind.isFault }?.error }

  /// Whether a deviation of this kind was found.
  func has(_ kind: SongWarning.Kind) -> Bool { warnings.contains { $0.kind == kind } }

  /// Adds a deviation; throws it if reading is strict.
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

/// An error in a Standard MIDI File.
public struct SongError: Error, Equatable, CustomStringConvertible, Sendable {
  /// The error, a sentence without a full stop.
  public let reason: String
  /// The byte of the file, from 0; nil for the whole file.
  public let offset: Int?

  init(_ reason: String, at offset: Int? = nil) {
    self.reason = reason
    self.offset = offset
  }

  /// The error with its byte, as `byte 27: 0x90 instead of a data byte of 0 to 127`.
  public var description: String { offset.map { "byte \($0): \(reason)" } ?? reason }
}
