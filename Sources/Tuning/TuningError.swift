/// The reason why a file or a name gives no tuning.
public struct TuningError: Error, Sendable, Equatable, CustomStringConvertible {
  /// The name of the file without its folder; empty for errors about no file.
  public let file: String
  /// The line, from 1; nil for errors about no single line.
  public let line: Int?
  /// The problem and the expected input, a sentence without a full stop.
  public let problem: String

  init(file: String = "", line: Int? = nil, _ problem: String) {
    (self.file, self.line, self.problem) = (file, line, problem)
  }

  /// For example `meantone.scl, line 7: "3:2" is no pitch; …`.
  public var description: String {
    let location = [file.isEmpty ? nil : file, line.map { "line \($0)" }].compactMap { $0 }.joined(
      separator: ", ")
    return location.isEmpty ? problem : "\(location): \(problem)"
  }

  /// The error with the name of its file.
  func naming(_ file: String) -> TuningError { TuningError(file: file, line: line, problem) }
}
