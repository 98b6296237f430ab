/// The reason why a file or a name gives no wavetable.
public struct WavetableError: Error, Sendable, Equatable, CustomStringConvertible {
  /// The name of the file without its folder; empty for errors about no file.
  public let file: String
  /// The problem, a sentence without a full stop.
  public let problem: String

  init(file: String = "", _ problem: String) { (self.file, self.problem) = (file, problem) }

  /// For example `pad.wav: is cut off`.
  public var description: String { file.isEmpty ? problem : "\(file): \(problem)" }

  /// The error with the name of its file.
  func naming(_ file: String) -> WavetableError { WavetableError(file: file, problem) }
}
