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
