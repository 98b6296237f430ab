import Glibc
import System

/// The machine as its kernel describes it in `/proc`, `/sys` and `/dev`. Tests replace it by a folder `root`.
struct Host {
  /// The prefix of each path.
  var root = ""

  /// True if a path exists.
  func exists(_ path: String) -> Bool { access(root + path, F_OK) == 0 }

  /// The names in a folder, sorted; empty if there is no such folder.
  func names(_ folder: String) -> [String] {
    fileNames(in: root + folder) ?? []
  }

  /// The contents of a kernel file; nil if it cannot be read or is larger than such files are.
  func text(_ path: String) -> String? {
    (try? readFile(root + path, limit: 1 << 20)).map { String(decoding: $0, as: UTF8.self) }
  }

  /// The first line of a file; nil if it cannot be read.
  func line(_ path: String) -> String? {
    text(path).map { String($0.prefix { $0 != "\n" }) }
  }

  // MARK: - Processes

  /// All processes by id and name, which the kernel limits to 15 characters.
  var processes: [(id: String, name: String)] {
    names("/proc").filter { $0.allSatisfy(\.isNumber) }.compactMap { id in
      line("/proc/\(id)/comm").map { (id, $0) }
    }
  }

  /// Whether a process of pipit runs `pipit serve`, and not another command.
  func isInstrument(_ process: String) -> Bool {
    let words = (text("/proc/\(process)/cmdline") ?? "").split(separator: "\0").dropFirst()
    return words.first.map { $0 == "serve" || $0.hasPrefix("-") } ?? true
  }

  /// The highest real-time priority of a process's threads, 0 if none has one; nil if the process has ended.
  func highestPriority(of process: String) -> Int? {
    names("/proc/\(process)/task").compactMap { task in
      // After the name in parentheses, all fields are numbers; the priority is the 40th field.
      guard let text = line("/proc/\(process)/task/\(task)/stat"), let end = text.lastIndex(of: ")") else {
        return nil
      }
      let fields = text[text.index(after: end)...].split(separator: " ")
      return fields.count > 37 ? Int(fields[37]) : nil
    }.max()
  }

  /// Whether a process has locked its memory. A process of root may do so whatever its limit.
  func hasLockedMemory(_ process: String) -> Bool {
    let line = (text("/proc/\(process)/status") ?? "").split(separator: "\n").first { $0.hasPrefix("VmLck:") }
    return line?.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap { Int($0) } ?? 0 > 0
  }

  /// The limit of locked memory of a process, in bytes or "unlimited"; nil if it is not visible.
  func lockedMemory(of process: String) -> String? {
    guard let limits = text("/proc/\(process)/limits") else { return nil }
    let name = "Max locked memory"
    return limits.split(separator: "\n").first { $0.hasPrefix(name) }?
      .dropFirst(name.count).split(separator: " ").first.map(String.init)
  }
}
