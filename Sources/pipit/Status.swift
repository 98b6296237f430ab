import Control
import OSC
import Surface

/// `pipit status`: the health of the running instrument, for people or, with `--values`, for scripts.
enum Status {
  static func run(_ arguments: CommandArguments) throws {
    let values = arguments[.values] != nil
    let arguments = try Configuration.adding([.oscPort], to: arguments)
    let port = arguments.number(.oscPort)
    guard let figures = figures(port: port) else {
      throw CommandError.noInstrument("status", port)
    }
    let value = { (name: String) in figures.first { $0.name == name }?.value ?? "?" }
    Console.print(values ? figures.map { "\($0.name)=\($0.value)\n" }.joined() : page(value))
    // Scripts use the exit status; people read the text.
    if value("well") != "1" { throw CommandError("status: \(value("complaint"))") }
  }

  /// The status values of the instrument on an OSC port, as text; nil if none answers.
  static func figures(port: Int) -> [(name: String, value: String)]? {
    guard let answers = LocalQuery.ask("/status", port: port), !answers.isEmpty else { return nil }
    return answers.compactMap { address, value in
      guard let figure = StatusValue.all.first(where: { "/status/" + $0.name == address }) else { return nil }
      switch value {
      case .string(let words): return (figure.name, words)
      case .other, .untagged: return nil
      case .number(let number):
        let hundredths = (number * 100).rounded() / 100
        return (figure.name, figure.type == .whole ? "\(Int(clamping: number))" : "\(hundredths)")
      }
    }
  }

  /// A status value as text, as `figures` has it.
  static func text(_ value: StatusValue.Value) -> String {
    switch value {
    case .whole(let number): "\(number)"
    case .number(let number): "\((number * 100).rounded() / 100)"
    case .words(let words): words
    }
  }

  /// The addresses at which tablets reach the instrument.
  private static func reach(_ port: String) -> String {
    let addresses = NetworkAddresses.all
    return "UDP port \(port)"
      + (addresses.isEmpty ? ", no network" : " of \(addresses.joined(separator: ", "))")
  }

  private static func late(_ value: (String) -> String) -> String {
    let count = "\(value("xruns")) of \(value("blocks")) blocks"
    guard let seconds = Double(value("xruns/last")), seconds >= 0 else { return count }
    return count + ", the last \(Int(clamping: seconds)) s ago"
  }

  private static func page(_ value: (String) -> String) -> String {
    func spread(_ name: String, _ unit: String) -> String {
      "median \(value(name + "/median")), 99 % \(value(name + "/p99")), 99.99 % \(value(name + "/p9999")), "
        + "worst \(value(name + "/worst")) \(unit)"
    }
    let rows = [
      ("State", value("well") == "1" ? "well" : value("complaint")),
      ("Playing on", value("playing")),
      ("OSC", value("port") == "0" ? "no port" : reach(value("port"))),
      ("Presets", "in \(value("state"))"),
      ("Real time", value("realtime") == "1" ? "yes" : "no"),
      ("Load", value("load") + " %"),
      ("Blocks", spread("load", "% of their time")),
      ("Woken late", spread("late", "us")),
      ("Too late", late(value)),
      (
        "Voices",
        "\(value("voices")) of \(value("voices/limit")), most \(value("voices/most")), stolen \(value("voices/stolen"))"
          + ", shed \(value("voices/shed"))"
      ),
      ("Events", "\(value("events/dropped")) dropped, a key at most \(value("late/key")) frames late"),
      ("Temperature", value("temperature") == "-1" ? "unknown" : value("temperature") + " degrees Celsius"),
      ("Memory", "\(value("pagefaults")) page faults, \(value("scenes/retired")) old scenes"),
      ("Faults", value("faults")),
    ]
    return rows.map { $0 + String(repeating: " ", count: 12 - $0.count) + $1 + "\n" }.joined()
  }
}
