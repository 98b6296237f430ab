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

// The machine in a report of the doctor. Names of the machine, of its users and of its networks are left out.
extension Host: CustomStringConvertible {
  /// The board, the processor, the memory, the system and the sound cards, a line each.
  var description: String {
    let rows: [(String, String?)] = [
      ("board", board), ("processor", processor),
      ("governor", governors.isEmpty ? "none: the speed does not change" : governors.joined(separator: ", ")),
      ("memory", memory),
      ("system", release), ("kernel", kernel), ("running for", uptime),
    ]
    var text = rows.map { $0 + String(repeating: " ", count: 13 - $0.count) + ($1 ?? "unknown") + "\n" }
      .joined()
    text += "\nSound cards\n\n" + (self.text("/proc/asound/cards") ?? "no sound in this kernel\n")
    return text
  }

  /// The model, as a Pi's firmware or a PC's names it.
  private var board: String? {
    if let model = text("/proc/device-tree/model") {
      return String(model.prefix { $0 != "\0" && $0 != "\n" })
    }
    let names = ["sys_vendor", "product_name"].compactMap { line("/sys/class/dmi/id/\($0)") }
    return names.isEmpty ? nil : names.joined(separator: " ")
  }

  private var processor: String? {
    guard let text = text("/proc/cpuinfo") else { return nil }
    func values(_ name: String) -> [Substring] {
      text.split(separator: "\n").filter { $0.hasPrefix(name + "\t") || $0.hasPrefix(name + " ") }.map {
        line in
        line.drop { $0 != ":" }.dropFirst(2)
      }
    }
    let name = values("model name").first ?? values("CPU part").first.map { "part \($0)" } ?? "unknown model"
    return "\(values("processor").count) of \(name)" + (processorClock.map { ", \($0) MHz now" } ?? "")
  }

  /// The lowest clock frequency of the processors in MHz; nil if the kernel does not report it.
  var processorClock: Int? {
    let folder = "/sys/devices/system/cpu"
    return names(folder).compactMap { line("\(folder)/\($0)/cpufreq/scaling_cur_freq").flatMap { Int($0) } }
      .min()
      .map { $0 / 1_000 }
  }

  private var memory: String? {
    guard let text = text("/proc/meminfo") else { return nil }
    func megabytes(_ name: String) -> Int? {
      text.split(separator: "\n").first { $0.hasPrefix(name + ":") }?
        .split(separator: " ").dropFirst().first.flatMap { Int($0) }.map { $0 / 1_000 }
    }
    guard let all = megabytes("MemTotal"), let free = megabytes("MemAvailable") else { return nil }
    return "\(all) MB, \(free) MB available"
  }

  private var release: String? {
    let line = text("/etc/os-release")?.split(separator: "\n").first { $0.hasPrefix("PRETTY_NAME=") }
    return line.map { String($0.drop { $0 != "=" }.dropFirst().filter { $0 != "\"" }) }
  }

  /// The kernel's release and kind, without the machine that compiled it.
  private var kernel: String? {
    line("/proc/version").map { line in
      let words = line.split(separator: " ").prefix { !$0.hasPrefix("(") }.dropFirst(2)
      return (words + line[(line.firstIndex(of: "#") ?? line.endIndex)...].split(separator: " ")).joined(
        separator: " ")
    }
  }

  private var uptime: String? {
    line("/proc/uptime").flatMap { Double($0.prefix { $0 != " " }) }.map {
      "\(Int(clamping: $0 / 60)) minutes"
    }
  }
}
