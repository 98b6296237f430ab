import Glibc
import System

/// The machine as its kernel shows it in `/proc`, `/sys` and `/dev`. Below `root`, so that a test can make up another.
struct Host {
  /// Put before each path.
  var root = ""

  /// True when there is something at a path.
  func exists(_ path: String) -> Bool { access(root + path, F_OK) == 0 }

  /// The names in a folder, sorted; none when there is no such folder.
  func names(_ folder: String) -> [String] {
    fileNames(in: root + folder) ?? []
  }

  /// What a file of the kernel holds; nil when it cannot be read, or is longer than any such file.
  func text(_ path: String) -> String? {
    (try? readFile(root + path, limit: 1 << 20)).map { String(decoding: $0, as: UTF8.self) }
  }

  /// The first line of a file; nil when it cannot be read.
  func line(_ path: String) -> String? {
    text(path).map { String($0.prefix { $0 != "\n" }) }
  }

  // MARK: - Processes

  /// All processes by id and name, of which the kernel keeps 15 characters.
  var processes: [(id: String, name: String)] {
    names("/proc").filter { $0.allSatisfy(\.isNumber) }.compactMap { id in
      line("/proc/\(id)/comm").map { (id, $0) }
    }
  }

  /// Whether a process of pipit is `pipit serve` and no other command.
  func isInstrument(_ process: String) -> Bool {
    let words = (text("/proc/\(process)/cmdline") ?? "").split(separator: "\0").dropFirst()
    return words.first.map { $0 == "serve" || $0.hasPrefix("-") } ?? true
  }

  /// The highest real-time priority of a process's threads, 0 when none has one; nil when it has gone.
  func highestPriority(of process: String) -> Int? {
    names("/proc/\(process)/task").compactMap { task in
      // After the name in parentheses the fields are numbers; the 40th of all is the priority.
      guard let text = line("/proc/\(process)/task/\(task)/stat"), let end = text.lastIndex(of: ")") else {
        return nil
      }
      let fields = text[text.index(after: end)...].split(separator: " ")
      return fields.count > 37 ? Int(fields[37]) : nil
    }.max()
  }

  /// Whether a process has locked its memory: root may without being allowed to.
  func hasLockedMemory(_ process: String) -> Bool {
    let line = (text("/proc/\(process)/status") ?? "").split(separator: "\n").first { $0.hasPrefix("VmLck:") }
    return line?.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap { Int($0) } ?? 0 > 0
  }

  /// How much memory a process may lock, in bytes or "unlimited"; nil when that cannot be seen.
  func lockedMemory(of process: String) -> String? {
    guard let limits = text("/proc/\(process)/limits") else { return nil }
    let name = "Max locked memory"
    return limits.split(separator: "\n").first { $0.hasPrefix(name) }?
      .dropFirst(name.count).split(separator: " ").first.map(String.init)
  }
}
