import ALSA

/// `pipit doctor`: looks at what matters on a machine that is an instrument, and says what to do about it.
enum Doctor {
  static func run(_ arguments: Arguments) throws {
    let machine = Machine()
    var findings: [Finding] = []
    var settings = arguments
    do { settings = try Configuration.completed(arguments) } catch let complaint as Complaint {
      findings.append(
        Finding(.fail, "configuration", complaint.sentence, "correct the line; pipit does not start with it"))
    }
    findings += [
      Sound.card(asked: settings[.device] ?? "auto"), Sound.keyboard(machine), Sound.server(machine),
      Sound.thread(machine), machine.governor, machine.preemption, machine.supply, machine.wireless,
      machine.place(of: try state(settings)),
    ]
    Output.print(findings.map { $0.line }.joined())
    let failed = findings.filter { $0.grade == .fail }.count
    if failed > 0 {
      throw Complaint("doctor: \(failed) of \(findings.count) things keep pipit from playing well")
    }
  }

  /// Where the state of the service lies; without one, that of whoever asks.
  private static func state(_ arguments: Arguments) throws -> String {
    if arguments[.state] == nil, Machine().exists(Folders.installedState) { return Folders.installedState }
    return try Folders.state(arguments)
  }
}

/// What was found about one thing.
struct Finding {
  enum Grade: String {
    /// As it should be.
    case ok
    /// It plays, and would play better.
    case warn
    /// It does not play, or keeps nothing.
    case fail
  }

  let grade: Grade
  /// The thing, in a word or two.
  let thing: String
  /// What was found.
  let words: String
  /// What to do about it; nil when all is well.
  let remedy: String?

  init(_ grade: Grade, _ thing: String, _ words: String, _ remedy: String? = nil) {
    (self.grade, self.thing, self.words, self.remedy) = (grade, thing, words, remedy)
  }

  /// As it is printed: the grade first, for a script, and what to do on a line of its own.
  var line: String {
    func padded(_ word: String, to width: Int) -> String {
      word + String(repeating: " ", count: max(1, width - word.count))
    }
    let first = padded(grade.rawValue, to: 6) + padded(thing, to: 15) + words + "\n"
    return first + (remedy.map { String(repeating: " ", count: 21) + $0 + "\n" } ?? "")
  }
}
