import Control
import System

/// `pipit doctor`: checks the conditions for playing on this machine, and recommends remedies.
enum Doctor {
  static func run(_ arguments: CommandArguments) throws {
    var settings = arguments
    let configured = Configuration.read(arguments).values
    settings.add(configured)
    let port = settings.number(.oscPort)
    let instrument = InstrumentChecks(port: port)
    let findings = try findings(arguments, instrument, asked: arguments[.state])
    if let path = arguments[.report] {
      return try DoctorReport.write(to: path, findings: findings, settings: configured, port: port)
    }
    Console.print(findings.map { $0.line }.joined())
    let failed = findings.filter { $0.grade == .fail }.count
    if failed > 0 {
      throw CommandError("doctor: \(failed) of \(findings.count) checks failed")
    }
  }

  /// All findings, the worst first; those of one grade in the order of the checks. Waits for files and ALSA; any
  /// thread.
  /// - Parameters:
  ///   - arguments: The command line.
  ///   - instrument: The running instrument's report; nil without one.
  ///   - asked: The state folder to check; nil for that of the instrument.
  static func findings(_ arguments: CommandArguments, _ instrument: InstrumentChecks?, asked: String?) throws
    -> [Finding]
  {
    let file = Configuration.read(arguments)
    var settings = arguments
    settings.add(file.values)
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
      instrument?.otherComplaints(knowsConfiguration: !file.problems.isEmpty)
      ?? host.noInstrument(port: settings.number(.oscPort))
    findings.append(running)
    findings += try machineFindings(host, settings, instrument, asked: asked)
    findings = findings.map { $0.withActivation(on: host) }
    return [Finding.Grade.fail, .warn, .ok].flatMap { grade in findings.filter { $0.grade == grade } }
  }

  /// All checks of the machine, the most important first.
  private static func machineFindings(
    _ host: Host, _ settings: CommandArguments, _ instrument: InstrumentChecks?, asked: String?
  ) throws -> [Finding] {
    let period = settings.number(.period)
    let card = CardChecks.card(
      host, device: settings[.device] ?? "auto", rate: settings.number(.rate), period: period, instrument)
    var findings = [card]
    if let mixer = CardChecks.mixer(settings[.device] ?? "auto", instrument) { findings.append(mixer) }
    // If a sound server holds the card, the card's finding has already named it. The service does not see the processes
    // of others.
    if host.exists("/proc/1/comm"),
      !Host.soundServers.contains(where: { card.words.includes("held by \($0)") })
    {
      findings.append(SoundChecks.server(host, isOnCard: instrument?.isOnCard ?? false))
    }
    let reported = instrument?.figures["state"].flatMap { $0.isEmpty ? nil : $0 }
    let state = try asked ?? reported ?? Folders.stateOfService(settings)
    let isRoots = instrument == nil && asked == nil && settings[.state] == nil && state.hasPrefix("/root/")
    let player = host.player(process: asked == nil ? instrument?.figures["process"] : nil, state: state)
    let kept = isRoots ? StateChecks.rootsOwn(state) : host.stateFolder(state, of: player)
    // The instrument's own report on its state takes precedence over a good result of the machine's check, because a
    // bad one also has a remedy.
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
  typealias Grade = DoctorFinding.Grade
  typealias Action = DoctorFinding.Action

  let grade: Grade
  /// The checked item, in one or two words.
  let thing: String
  /// The result of the check.
  let words: String
  /// The remedy; nil if there is no problem.
  let remedy: String?
  /// A message to the instrument that carries out the remedy; nil if there is none.
  let action: Action?

  init(
    _ grade: Grade, _ thing: String, _ words: String, _ remedy: String? = nil, action: Action? = nil
  ) {
    (self.grade, self.thing, self.words) = (grade, thing, words)
    (self.remedy, self.action) = (remedy, action)
  }

  /// Adds to the remedy how a changed file takes effect. On the card image, these files are on the boot partition,
  /// and a change in the root file system is lost at power-off.
  func withActivation(on host: Host) -> Finding {
    guard let remedy else { return self }
    var more: String?
    if host.isCardImage, ["pipit.conf", "config.txt", "cmdline.txt"].contains(where: { remedy.includes($0) })
    {
      more =
        "; the file is on the partition PIPIT of the card: edit it on any computer, then start the box again"
    } else if remedy.includes("pipit.conf") {
      more = "; then: " + host.restart
    }
    return Finding(grade, thing, words, remedy + (more ?? ""), action: action)
  }

  /// The printed lines: the grade first, for scripts, and the remedy on a line below.
  var line: String {
    func padded(_ word: String, to width: Int) -> String {
      word + String(repeating: " ", count: max(1, width - word.count))
    }
    let first = padded(grade.rawValue, to: 6) + padded(thing, to: 15) + words + "\n"
    return first + (remedy.map { String(repeating: " ", count: 21) + $0 + "\n" } ?? "")
  }
}

/// The doctor in the running instrument: it checks on a worker thread, since the checks read files and ask ALSA.
/// Control thread.
final class DoctorLink: InquiryHandler {
  private let instrument: Instrument
  private let arguments: CommandArguments
  private let worker: Worker
  // The replies that wait for the running check.
  private var replies: [(Result<[DoctorFinding], RequestRefused>) -> Void] = []

  /// A doctor of an instrument.
  /// - Parameter arguments: The command line that it was started with.
  init(_ instrument: Instrument, _ arguments: CommandArguments, _ worker: Worker) {
    (self.instrument, self.arguments, self.worker) = (instrument, arguments, worker)
  }

  func handle(_: Void, reply: @escaping (Result<[DoctorFinding], RequestRefused>) -> Void) {
    replies.append(reply)
    if replies.count > 1 { return }
    let arguments = arguments
    let figures = StatusValue.all.map { ($0.name, Status.text($0.value(instrument.health))) }
    let checks = InstrumentChecks(figures: Dictionary(figures) { one, _ in one })
    let isStarted = worker.run {
      Result { try Doctor.findings(arguments, checks, asked: nil).map(\.shown) }
        .mapError { RequestRefused("\($0)") }
    } then: { [self] in
      answer($0)
    }
    if !isStarted { answer(.failure(RequestRefused("has no thread left for the checks"))) }
  }

  private func answer(_ result: Result<[DoctorFinding], RequestRefused>) {
    let all = replies
    replies = []
    for reply in all { reply(result) }
  }
}

extension Finding {
  /// The finding for surfaces.
  var shown: DoctorFinding {
    DoctorFinding(grade, thing, words, remedy: remedy ?? "", action: action)
  }
}
