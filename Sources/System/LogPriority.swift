import Glibc

/// How much a line of the log matters, as syslog(3) counts: what needs a hand is below 5.
public enum LogPriority: Int, Sendable, Comparable {
  /// Something is lost or does not work, and stays so until somebody sees to it.
  case error = 3
  /// Something is wrong, and pipit goes on with what it can.
  case warning = 4
  /// What happens in the course of things.
  case information = 6

  /// The more pressing one is the lower number.
  public static func < (one: LogPriority, other: LogPriority) -> Bool { one.rawValue < other.rawValue }
}

// A log function takes one line as text; one that matters has its priority in front as sd-daemon(3) writes it, which a
// journal reads and a terminal is spared.
extension String {
  /// A line of the log about something that is wrong.
  public static func warning(_ line: String) -> String { "<\(LogPriority.warning.rawValue)>" + line }
  /// A line of the log about something that is lost or does not work.
  public static func error(_ line: String) -> String { "<\(LogPriority.error.rawValue)>" + line }
}

/// A line as a log function takes it, taken apart.
public struct LogLine: Equatable, Sendable {
  /// Information, where none is written.
  public let priority: LogPriority
  /// Without the priority.
  public let text: String

  /// Reads a line with or without a priority in front.
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

  /// Whether a descriptor is the stream that systemd named in `JOURNAL_STREAM`, given as it stands there.
  public static func isJournal(_ descriptor: Int32, named stream: String?) -> Bool {
    var file = stat()
    guard let stream, fstat(descriptor, &file) == 0 else { return false }
    return stream == "\(file.st_dev):\(file.st_ino)"
  }
}
