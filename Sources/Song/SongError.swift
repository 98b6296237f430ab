/// What is wrong with a Standard MIDI File, and where.
public struct SongError: Error, Equatable, CustomStringConvertible, Sendable {
  /// A sentence without a full stop.
  public let reason: String
  /// The byte of the file that it is about, from 0; nil when it is about the whole.
  public let offset: Int?

  init(_ reason: String, at offset: Int? = nil) {
    self.reason = reason
    self.offset = offset
  }

  /// As `byte 27: 0x90 stands where a data byte of 0 to 127 must`.
  public var description: String { offset.map { "byte \($0): \(reason)" } ?? reason }
}
