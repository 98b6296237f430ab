import Glibc
import System

/// Output of the program: results on standard output, everything else on standard error.
enum Console {
  /// True if a result could not be written. A reader that has closed the pipe is not a failure.
  nonisolated(unsafe) private(set) static var failed = false

  /// Writes to standard output. Main thread only.
  static func print(_ text: String) {
    guard !write(text, to: STDOUT_FILENO), errno != EPIPE, !failed else { return }
    failed = true
    log(.error("cannot write to standard output: \(String(cString: strerror(errno)))"))
  }

  /// Writes one line to standard error. If standard error is the journal, the line begins with its priority in the
  /// journal's format. Any thread.
  static func log(_ line: String) {
    let line = LogLine(line)
    let priority = isJournal ? "<\(line.priority.rawValue)>" : ""
    _ = write("\(priority)pipit: \(line.text)\n", to: STDERR_FILENO)
  }

  private static let isJournal = LogLine.isJournal(
    STDERR_FILENO, named: getenv("JOURNAL_STREAM").map { String(cString: $0) })

  /// Writes to standard error without prefix or newline. Any thread.
  static func progress(_ text: String) { _ = write(text, to: STDERR_FILENO) }

  private static func write(_ text: String, to file: Int32) -> Bool {
    var rest = Array(text.utf8)[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Glibc.write(file, $0.baseAddress, $0.count) }
      if count >= 0 { rest = rest.dropFirst(count) } else if errno != EINTR { return false }
    }
    return true
  }
}
