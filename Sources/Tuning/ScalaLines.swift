/// The lines of a Scala file without its comments, which begin with an exclamation mark. Bytes above 127, in any
/// encoding, occur in text only.
struct ScalaLines {
  private let bytes: [UInt8]
  private var offset: Int
  /// The number of the line read last, from 1.
  private(set) var number = 0

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
    offset = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
  }

  /// The next line that is not a comment; nil at the end. Lines end with LF, CR LF or CR.
  mutating func next() -> ScalaLine? {
    while offset < bytes.count {
      var end = offset
      while end < bytes.count, bytes[end] != 10, bytes[end] != 13 { end += 1 }
      let line = ScalaLine(bytes[offset..<end])
      number += 1
      offset = end + (bytes[end...].starts(with: [13, 10]) ? 2 : 1)
      if !line.isComment { return line }
    }
    return nil
  }

  /// The next line that is not a comment and not empty.
  mutating func nextFilled() -> ScalaLine? {
    while let line = next() {
      if !line.isEmpty { return line }
    }
    return nil
  }

  /// An error about the line read last.
  func error(_ problem: String) -> TuningError { TuningError(line: number, problem) }

  /// An error about something missing at the end of the file.
  func endError(_ missing: String) -> TuningError {
    TuningError(line: max(number, 1), "the file ends here; \(missing)")
  }
}
