/// Why a file or a name gives no tuning.
public struct TuningError: Error, Sendable, Equatable, CustomStringConvertible {
  /// The file's name without its folder; empty when it is not about a file.
  public let file: String
  /// Counted from 1; nil when it is not about one line.
  public let line: Int?
  /// What is wrong, and what is expected: a sentence without a full stop.
  public let problem: String

  init(file: String = "", line: Int? = nil, _ problem: String) {
    (self.file, self.line, self.problem) = (file, line, problem)
  }

  /// As `meantone.scl, line 7: "3:2" is no pitch; …`.
  public var description: String {
    let place = [file.isEmpty ? nil : file, line.map { "line \($0)" }].compactMap { $0 }.joined(
      separator: ", ")
    return place.isEmpty ? problem : "\(place): \(problem)"
  }

  /// The same about a file.
  func naming(_ file: String) -> TuningError { TuningError(file: file, line: line, problem) }
}
