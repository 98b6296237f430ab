import System

/// What the running instrument says of itself, by the names of `StatusValue`; asked first, since it knows best.
struct InstrumentChecks {
  let figures: [String: String]

  /// The figures of the instrument of an OSC port; nil when there is none.
  init?(port: Int) {
    guard let figures = Status.figures(port: port) else { return nil }
    self.init(figures: Dictionary(figures.map { ($0.name, $0.value) }) { one, _ in one })
  }

  init(figures: [String: String]) { self.figures = figures }

  /// Whether a sound card plays.
  var isOnCard: Bool { figures["card"] == "1" }

  /// Whether it would play on one.
  var waitsForCard: Bool { figures["complaint"]?.includes("sound card") ?? false }

  /// What is wrong that no other check is about.
  /// - Parameter knowsConfiguration: Whether the lines of its file that are wrong are listed: it may have another file.
  func rest(knowsConfiguration: Bool = true) -> Finding {
    // The words of `Health` and of the notices that have a check of their own here.
    let others =
      ["sound card", "real-time", "too late", "UDP port"] + InstrumentChecks.unkept
      + (knowsConfiguration ? ["pipit.conf"] : [])
    let complaints = complaints { part in !others.contains { part.includes($0) } }
    if complaints.isEmpty { return Finding(.ok, "pipit", "it runs") }
    let words = complaints.joined(separator: "; ")
    return Finding(.warn, "pipit", "it runs, but \(words)", "see its log: journalctl -u pipit")
  }

  /// The words by which it says that presets are not kept, whatever the reason.
  private static let unkept = ["presets are not kept", "in memory"]

  /// That presets are not kept, in its own words; nil when they are.
  var presets: Finding? {
    let words = complaints { part in InstrumentChecks.unkept.contains { part.includes($0) } }
    if words.isEmpty { return nil }
    return Finding(
      .fail, "presets", words.joined(separator: "; "), "see its log: journalctl -u pipit")
  }

  /// What it complains of, as far as it is meant.
  private func complaints(_ isMeant: (Substring) -> Bool) -> [Substring] {
    (figures["complaint"] ?? "").split(separator: ";").filter(isMeant).map { $0.drop { $0 == " " } }
  }

  /// Whether tablets are heard.
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

  /// Whether blocks come in time.
  func late(period: Int) -> Finding {
    let late = Int(figures["xruns"] ?? "") ?? 0
    let words = "\(late) of \(figures["blocks"] ?? "?") blocks were late"
    // A few lie in a start, or in an evening.
    let since = Double(figures["xruns/last"] ?? "") ?? -1
    if late < 10 || late < 1_000 && since > InstrumentChecks.longAgo {
      return Finding(.ok, "late blocks", late == 0 ? "none" : words)
    }
    // One in a thousand with a period of 128 is a click every three seconds: nobody plays on that.
    let blocks = Int(figures["blocks"] ?? "") ?? 0
    let isHeard = late >= blocks / 1_000 && since <= InstrumentChecks.justNow
    return Finding(
      isHeard ? .fail : .warn, "late blocks", words + (since >= 0 ? ", the last \(Int(since)) s ago" : ""),
      "set a longer period in pipit.conf: period = \(min(period * 2, 8192))")
  }

  /// Seconds within which a late block says that it goes on.
  private static let justNow: Double = 60
  /// Seconds after which a late block is of the past.
  private static let longAgo: Double = 3600
}

extension Host {
  /// What there is instead of an instrument that answers.
  func noInstrument(port: Int) -> Finding {
    if let pipit = processes.first(where: { $0.name == "pipit" && isInstrument($0.id) }) {
      return Finding(
        .fail, "pipit", "process \(pipit.id) does not answer on OSC port \(port)",
        "if it uses another port, name it with --osc-port; otherwise \(restart)")
    }
    let start = hasService ? "start it: sudo systemctl enable --now pipit" : "start it: pipit serve"
    return Finding(.fail, "pipit", "it does not run", start)
  }

  /// Whether the package's service is there.
  var hasService: Bool {
    ["/usr/lib", "/lib", "/etc"].contains { exists("\($0)/systemd/system/pipit.service") }
  }

  /// How pipit is started anew.
  var restart: String { hasService ? "sudo systemctl restart pipit" : "stop pipit and start it again" }
}
