import Glibc

/// The priority of a log line, numbered as in syslog(3). Lines below 5 need attention.
public enum LogPriority: Int, Sendable, Comparable {
  /// Data is lost or a function fails, until someone fixes it.
  case error = 3
  /// Something is wrong, but pipit continues.
  case warning = 4
  /// A normal event.
  case information = 6

  /// Compares numbers: the more urgent priority is lower.
  public static func < (one: LogPriority, other: LogPriority) -> Bool { one.rawValue < other.rawValue }
}

// A log function receives one line of text. A warning or an error begins with its priority as in sd-daemon(3), which
// the journal reads; for a terminal it is removed.
extension String {
  /// A log line of priority `warning`.
  public static func warning(_ line: String) -> String { "<\(LogPriority.warning.rawValue)>" + line }
  /// A log line of priority `error`.
  public static func error(_ line: String) -> String { "<\(LogPriority.error.rawValue)>" + line }
}

/// The priority and text of a log line.
public struct LogLine: Equatable, Sendable {
  /// The priority; `information` for a line without one.
  public let priority: LogPriority
  /// The text without the priority.
  public let text: String

  /// Parses a line with or without a priority.
  public init(_ line: String) {
    let head = Array(line.utf8.prefix(3))
    if head.count == 3, head[0] == UInt8(ascii: "<"), head[2] == UInt8(ascii: ">"),
      let priority = LogPriority(rawValue: Int(head[1]) - 48)
    {
      (self.priority, text) = (priority, String(line.dropFirst(3)))
    } else {
      (priority, text) = (.information, line)
    }
  }

  /// Whether a descriptor is the journal stream that systemd names in `JOURNAL_STREAM`, whose value is `stream`.
  public static func isJournal(_ descriptor: Int32, named stream: String?) -> Bool {
    var file = stat()
    guard let stream, fstat(descriptor, &file) == 0 else { return false }
    return stream == "\(file.st_dev):\(file.st_ino)"
  }
}
