/// The lines of a Scala file but for its comments, which begin with an exclamation mark. The files are older than
/// UTF-8: bytes above 127 are letters that nothing depends on.
struct ScalaLines {
  private let bytes: [UInt8]
  private var place: Int
  /// The number of the line that was taken last, from 1.
  private(set) var number = 0

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
    place = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
  }

  /// The next line that is no comment; nil at the end. Lines end with LF, CR LF, or CR as on the oldest machines.
  mutating func next() -> ScalaLine? {
    while place < bytes.count {
      var end = place
      while end < bytes.count, bytes[end] != 10, bytes[end] != 13 { end += 1 }
      let line = ScalaLine(bytes[place..<end])
      number += 1
      place = end + (bytes[end...].starts(with: [13, 10]) ? 2 : 1)
      if !line.isComment { return line }
    }
    return nil
  }

  /// The next line that is no comment and not empty.
  mutating func nextFilled() -> ScalaLine? {
    while let line = next() {
      if !line.isEmpty { return line }
    }
    return nil
  }

  /// What is wrong with the line that was taken last.
  func error(_ problem: String) -> TuningError { TuningError(line: number, problem) }

  /// What is missing after the last line.
  func endError(_ missing: String) -> TuningError {
    TuningError(line: max(number, 1), "the file ends here; \(missing)")
  }
}
