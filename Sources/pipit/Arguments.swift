import System

/// The words of a command line, sorted out: options by name, and what is left.
struct Arguments {
  /// The command they belong to.
  let command: Command
  /// What is no option.
  private(set) var operands: [String] = []
  // Options as written; the last of several counts.
  private var given: [String: String] = [:]

  /// The names that code asks for; each is a row of the table.
  enum Name: String {
    case device, rate, period, oscPort = "osc-port", replyPort = "reply-port", allow, state, presets, config
    case output, preset, block, format, size, markdown, values, help, version
  }

  /// Reads `words`; `named` when the command was spelled out. Throws a complaint about the first that is wrong.
  init(_ words: ArraySlice<String>, of command: Command, named: Bool) throws {
    self.command = command
    let page = named ? "pipit \(command.name) --help" : "pipit --help"
    let prefix = named ? "\(command.name): " : ""
    var rest = words
    while let word = rest.popFirst() {
      if word == "--" {
        operands += rest
        break
      } else if word.hasPrefix("--") {
        let parts = word.dropFirst(2).split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        let name = String(parts[0])
        guard let option = command.rows.first(where: { $0.name == name }) else {
          let near = nearest(to: name, among: command.options).map { " (did you mean '--\($0)'?)" } ?? ""
          throw Complaint.usage(prefix + "unknown option '--\(name)'" + near, page)
        }
        try take(option, parts.count > 1 ? String(parts[1]) : nil, "--" + name)
      } else if word.hasPrefix("-"), word.count > 1 {
        var letters = word.dropFirst()
        while let letter = letters.popFirst() {
          guard let option = command.rows.first(where: { $0.letter == letter }) else {
            throw Complaint.usage(prefix + "unknown option '-\(letter)'", page)
          }
          // What follows the letter of an option that takes a value is that value.
          let value = option.word == nil || letters.isEmpty ? nil : String(letters)
          if value != nil { letters = "" }
          try take(option, value, "-\(letter)")
        }
      } else {
        operands.append(word)
      }
    }

    func take(_ option: Option, _ attached: String?, _ spelling: String) throws {
      if option.word == nil {
        if attached != nil { throw Complaint.usage(prefix + "option '\(spelling)' takes no value", page) }
        given[option.name] = ""
        return
      }
      guard let value = attached ?? rest.popFirst() else {
        throw Complaint.usage(prefix + "option '\(spelling)' needs a value", page)
      }
      if let flaw = option.flaw(in: value) { throw Complaint(prefix + "\(spelling) \(flaw)", status: 2) }
      given[option.name] = value
    }

    // Whoever asks for help gets it, whatever else is missing.
    if given["help"] != nil || given["version"] != nil { return }
    let wanted = command.operand == nil ? 0 : 1
    if operands.count > wanted {
      throw Complaint.usage(prefix + "unexpected argument '\(operands[wanted])'", page)
    }
    if operands.count < wanted, let operand = command.operand {
      throw Complaint.usage(prefix + "\(operand) is missing", page)
    }
  }

  /// What an option was given; else what holds when nobody says otherwise; nil when nothing does.
  subscript(name: Name) -> String? {
    given[name.rawValue] ?? Option.all.first { $0.name == name.rawValue }?.initial
  }

  /// The value of an option that takes a number and has an initial value.
  func number(_ name: Name) -> Int { self[name].flatMap { Int($0) } ?? 0 }

  /// Takes over what a configuration file says, where the command line says nothing.
  mutating func add(_ lines: [String: String]) { given.merge(lines) { mine, _ in mine } }
}
