import System

/// A parsed command line: options by name, and operands.
struct CommandArguments {
  /// The command that was called.
  let command: Subcommand
  /// The arguments that are not options.
  private(set) var operands: [String] = []
  // The given values; the last one counts if an option is repeated.
  private var values: [String: String] = [:]

  /// The names of options in code; each one is a row of `Option.all`.
  enum Name: String {
    case device, rate, period, periods, outputs, mpe, ump, setupChannel = "setup-channel",
      setupEdits = "setup-edits", oscPort = "osc-port", replyPort = "reply-port",
      webPort = "web-port", webNames = "web-names", allow
    case state, presets, recordings, recordFormat = "record-format", recordLast = "record-last", config
    case input, output, preset, bank, keys, programs, tuning, strict, length, block, format, size, light,
      markdown,
      wide,
      values, name, report, help, version
  }

  /// Parses `words`. `named` tells whether the command was given explicitly. Throws for the first invalid word.
  init(_ words: ArraySlice<String>, of command: Subcommand, named: Bool) throws {
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
          throw CommandError.usage(prefix + "unknown option '--\(name)'" + near, page)
        }
        try take(option, parts.count > 1 ? String(parts[1]) : nil, "--" + name)
      } else if word.hasPrefix("-"), word.count > 1, command.operand == nil || Double(word) == nil {
        var letters = word.dropFirst()
        while let letter = letters.popFirst() {
          guard let option = command.rows.first(where: { $0.letter == letter }) else {
            throw CommandError.usage(prefix + "unknown option '-\(letter)'", page)
          }
          // If the option takes a value, the rest of the word is its value.
          let value = option.placeholder == nil || letters.isEmpty ? nil : String(letters)
          if value != nil { letters = "" }
          try take(option, value, "-\(letter)")
        }
      } else {
        operands.append(word)
      }
    }

    func take(_ option: Option, _ attached: String?, _ spelling: String) throws {
      if option.placeholder == nil {
        if attached != nil { throw CommandError.usage(prefix + "option '\(spelling)' takes no value", page) }
        values[option.name] = ""
        return
      }
      guard let value = attached ?? rest.popFirst() else {
        throw CommandError.usage(prefix + "option '\(spelling)' needs a value", page)
      }
      if let problem = option.problem(in: value) {
        throw CommandError(prefix + "\(spelling) \(problem)", .usage)
      }
      values[option.name] = value
    }

    // Help is shown even if required operands are missing.
    if values["help"] != nil || values["version"] != nil { return }
    let wanted = command.operands
    if operands.count > wanted.upperBound {
      throw CommandError.usage(prefix + "unexpected argument '\(operands[wanted.upperBound])'", page)
    }
    if operands.count < wanted.lowerBound, let operand = command.operand {
      throw CommandError.usage(prefix + "\(operand) is missing", page)
    }
  }

  /// The value of an option: the given one, or else its default; nil if it has neither.
  subscript(name: Name) -> String? {
    values[name.rawValue] ?? Option.all.first { $0.name == name.rawValue }?.initial
  }

  /// The value of an option that takes a number and has a default.
  func number(_ name: Name) -> Int { self[name].flatMap { Int($0) } ?? 0 }

  /// Adds the lines of a configuration file; values on the command line win.
  mutating func add(_ lines: [String: String]) { values.merge(lines) { mine, _ in mine } }
}
