import ALSA

/// `pipit doctor`: checks what matters for an instrument on this machine, and says what to do.
enum Doctor {
  static func run(_ arguments: CommandArguments) throws {
    let machine = Host()
    var findings: [Finding] = []
    let file = try Configuration.read(arguments)
    findings += file.problems.map {
      Finding(.fail, "configuration", "\($0)", "correct the line, then: sudo systemctl restart pipit")
    }
    var settings = arguments
    settings.add(file.values)
    findings += [
      SoundChecks.card(asked: settings[.device] ?? "auto"), SoundChecks.keyboard(machine),
      SoundChecks.server(machine),
      SoundChecks.thread(machine), machine.governor, machine.preemption, machine.supply, machine.wireless,
      machine.stateFolder(try state(settings)),
    ]
    Console.print(findings.map { $0.line }.joined())
    let failed = findings.filter { $0.grade == .fail }.count
    if failed > 0 {
      throw CommandError("doctor: \(failed) of \(findings.count) things keep pipit from playing well")
    }
  }

  /// The state folder of the installed service; without one, the user's.
  private static func state(_ arguments: CommandArguments) throws -> String {
    if arguments[.state] == nil, Host().exists(Folders.installedState) { return Folders.installedState }
    return try Folders.state(arguments)
  }
}

/// The result of one check.
struct Finding {
  enum Grade: String {
    /// Good.
    case ok
    /// It plays, but not at its best.
    case warn
    /// It does not play, or saves nothing.
    case fail
  }

  let grade: Grade
  /// What was checked, in a word or two.
  let thing: String
  /// What was found.
  let words: String
  /// What to do about it; nil when all is well.
  let remedy: String?

  init(_ grade: Grade, _ thing: String, _ words: String, _ remedy: String? = nil) {
    (self.grade, self.thing, self.words, self.remedy) = (grade, thing, words, remedy)
  }

  /// The line that is printed: the grade first, for scripts, and what to do on a line below.
  var line: String {
    func padded(_ word: String, to width: Int) -> String {
      word + String(repeating: " ", count: max(1, width - word.count))
    }
    let first = padded(grade.rawValue, to: 6) + padded(thing, to: 15) + words + "\n"
    return first + (remedy.map { String(repeating: " ", count: 21) + $0 + "\n" } ?? "")
  }
}
