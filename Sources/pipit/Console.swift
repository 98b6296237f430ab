import Glibc

/// Standard output for results, standard error for everything else.
enum Console {
  /// True once a result could not be written. A reader that went away is no failure.
  nonisolated(unsafe) private(set) static var failed = false

  /// Writes to standard output. Main thread only.
  static func print(_ text: String) {
    guard !write(text, to: STDOUT_FILENO), errno != EPIPE, !failed else { return }
    failed = true
    log("cannot write to standard output: \(String(cString: strerror(errno)))")
  }

  /// Writes one line to standard error. Any thread.
  static func log(_ line: String) { _ = write("pipit: \(line)\n", to: STDERR_FILENO) }

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
