import System

/// `pipit doctor`: checks what matters for an instrument on this machine, and says what to do.
enum Doctor {
  static func run(_ arguments: CommandArguments) throws {
    let file = Configuration.read(arguments)
    var settings = arguments
    settings.add(file.values)
    let instrument = InstrumentChecks(port: settings.number(.oscPort))
    var findings = file.problems.map { problem in
      let isLine = problem.line != nil
      return Finding(
        .fail, "configuration", "\(problem)",
        isLine
          ? "correct this line of pipit.conf"
          : "make pipit.conf readable for all: sudo chmod 644 \(problem.file)")
    }
    if file.locksOut { findings.append(Finding(.fail, "configuration", Configuration.Contents.lockedOut)) }
    let host = Host()
    let running =
      instrument?.rest(knowsConfiguration: !file.problems.isEmpty)
      ?? host.noInstrument(port: settings.number(.oscPort))
    findings.append(running)
    findings += try look(host, settings, instrument, asked: arguments[.state])
    findings = findings.map { $0.whole(restart: host.restart) }
    // What to do first comes first; of one grade, in the order of the checks.
    let sorted = [Finding.Grade.fail, .warn, .ok].flatMap { grade in findings.filter { $0.grade == grade } }
    Console.print(sorted.map { $0.line }.joined())
    let failed = findings.filter { $0.grade == .fail }.count
    if failed > 0 {
      throw CommandError("doctor: \(failed) of \(findings.count) checks failed")
    }
  }

  /// All checks of the machine, in the order of what to do first.
  private static func look(
    _ host: Host, _ settings: CommandArguments, _ instrument: InstrumentChecks?, asked: String?
  ) throws -> [Finding] {
    let period = settings.number(.period)
    let card = CardChecks.card(
      host, device: settings[.device] ?? "auto", rate: settings.number(.rate), period: period, instrument)
    var findings = [card]
    if let mixer = CardChecks.mixer(settings[.device] ?? "auto", instrument) { findings.append(mixer) }
    // A server that holds the card was named with it.
    if !Host.soundServers.contains(where: { card.words.includes("held by \($0)") }) {
      findings.append(SoundChecks.server(host, isOnCard: instrument?.isOnCard ?? false))
    }
    let state = try asked ?? Folders.stateOfService(settings)
    let isRoots = instrument == nil && asked == nil && settings[.state] == nil && state.hasPrefix("/root/")
    let player = host.player(process: asked == nil ? instrument?.figures["process"] : nil, state: state)
    let kept = isRoots ? StateChecks.rootsOwn(state) : host.stateFolder(state, of: player)
    // What it says of its own state goes before what the machine shows; that knows what to do.
    findings.append(asked == nil && kept.grade == .ok ? instrument?.presets ?? kept : kept)
    if let instrument {
      findings += [
        instrument.port, SoundChecks.thread(host, process: instrument.figures["process"]),
        instrument.late(period: period),
      ]
    }
    return findings + [
      SoundChecks.keyboard(host), host.supply, host.governor, host.preemption, host.wireless,
    ]
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

  /// With what makes a changed line of pipit.conf hold.
  func whole(restart: String) -> Finding {
    guard let remedy, remedy.includes("pipit.conf") else { return self }
    return Finding(grade, thing, words, remedy + "; then: " + restart)
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
