import System

/// The running instrument's report about itself, by the names of `StatusValue`. It takes precedence over the checks
/// of the machine.
struct InstrumentChecks {
  let figures: [String: String]

  /// Asks the instrument on an OSC port; nil if none answers.
  init?(port: Int) {
    guard let figures = Status.figures(port: port) else { return nil }
    self.init(figures: Dictionary(figures.map { ($0.name, $0.value) }) { one, _ in one })
  }

  init(figures: [String: String]) { self.figures = figures }

  /// Whether a sound card plays.
  var isOnCard: Bool { figures["card"] == "1" }

  /// Whether the instrument waits for a sound card.
  var waitsForCard: Bool { figures["complaint"]?.includes("sound card") ?? false }

  /// The problems that no other check covers.
  /// - Parameter knowsConfiguration: Whether the problems of the instrument's configuration file are listed
  ///   elsewhere; false if it may use another file.
  func otherComplaints(knowsConfiguration: Bool = true) -> Finding {
    // Words of `Health` and of notices about problems that have their own checks here.
    let others =
      ["sound card", "real-time", "too late", "UDP port"] + InstrumentChecks.unkept
      + (knowsConfiguration ? ["pipit.conf"] : [])
    let complaints = complaints { part in !others.contains { part.includes($0) } }
    if complaints.isEmpty { return Finding(.ok, "pipit", "it runs") }
    let words = complaints.joined(separator: "; ")
    return Finding(.warn, "pipit", "it runs, but \(words)", "see its log: journalctl -u pipit")
  }

  /// The words that the instrument uses if presets are not kept, for any reason.
  private static let unkept = ["presets are not kept", "in memory"]

  /// The instrument's words about presets that are not kept; nil if they are kept.
  var presets: Finding? {
    let words = complaints { part in InstrumentChecks.unkept.contains { part.includes($0) } }
    if words.isEmpty { return nil }
    return Finding(
      .fail, "presets", words.joined(separator: "; "), "see its log: journalctl -u pipit")
  }

  /// The complaints of the instrument that satisfy a condition.
  private func complaints(_ isMeant: (Substring) -> Bool) -> [Substring] {
    (figures["complaint"] ?? "").split(separator: ";").filter(isMeant).map { $0.drop { $0 == " " } }
  }

  /// Whether the instrument receives OSC from tablets.
  var port: Finding {
    let port = figures["port"] ?? "0"
    if port != "0" { return Finding(.ok, "OSC", "UDP port \(port)") }
    let words = (figures["complaint"] ?? "").split(separator: ";").first { $0.includes("UDP port") }
    return Finding(
      .warn, "OSC",
      words.map { String($0.drop { $0 == " " }) } ?? "no port is open, so tablets cannot connect",
      "stop the program that has the port ('sudo ss -lunp' names it), or set another osc-port in pipit.conf and the tablet"
    )
  }

  /// Whether blocks are rendered in time.
  func late(period: Int) -> Finding {
    let late = Int(figures["xruns"] ?? "") ?? 0
    let words = "\(late) of \(figures["blocks"] ?? "?") blocks were late"
    // A few late blocks are normal at a start, or in a whole evening.
    let since = Double(figures["xruns/last"] ?? "") ?? -1
    if late < 10 || late < 1_000 && since > InstrumentChecks.longAgo {
      return Finding(.ok, "late blocks", late == 0 ? "none" : words)
    }
    // If one block in a thousand is late, a period of 128 frames gives a click every three seconds, which is not
    // acceptable.
    let blocks = Int(figures["blocks"] ?? "") ?? 0
    let longer = min(period * 2, 8192)
    let isAudible = late >= blocks / 1_000 && since <= InstrumentChecks.justNow
    return Finding(
      isAudible ? .fail : .warn, "late blocks",
      words + (since >= 0 ? ", the last \(Int(clamping: since)) s ago" : ""),
      "set a longer period in pipit.conf: period = \(longer)",
      action: isOnCard ? .init("Set the period to \(longer) frames", "/card/period \(longer)") : nil)
  }

  /// A block that was late within this number of seconds shows that the problem persists.
  private static let justNow: Double = 60
  /// After this number of seconds, late blocks no longer matter.
  private static let longAgo: Double = 3600
}

extension Host {
  /// The finding if no instrument answers.
  func noInstrument(port: Int) -> Finding {
    if let pipit = processes.first(where: { $0.name == "pipit" && isInstrument($0.id) }) {
      return Finding(
        .fail, "pipit", "process \(pipit.id) does not answer on OSC port \(port)",
        "if it uses another port, name it with --osc-port; otherwise \(restart)")
    }
    let start = hasService ? "start it: sudo systemctl enable --now pipit" : "start it: pipit serve"
    return Finding(.fail, "pipit", "it does not run", start)
  }

  /// Whether the package's service is installed.
  var hasService: Bool {
    ["/usr/lib", "/lib", "/etc"].contains { exists("\($0)/systemd/system/pipit.service") }
  }

  /// Whether this machine was started from pipit's card image.
  var isCardImage: Bool { exists(Folders.cardImage) }

  /// The command that restarts pipit.
  var restart: String { hasService ? "sudo systemctl restart pipit" : "stop pipit and start it again" }
}
