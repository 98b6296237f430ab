/// The `--help` pages, made from the tables of commands and options.
enum Help {
  /// `pipit --help`.
  static var overview: String {
    var text = """
      Usage: pipit [COMMAND] [OPTION]...
      A synthesizer without a screen. MIDI keyboards play it, a tablet controls it over OSC.

      Commands:

      """
    for command in Subcommand.all {
      text += row([command.name, command.operand].compactMap { $0 }.joined(separator: " "), command.about)
    }
    text += row("help [COMMAND]", "Show how a command is used.")
    return text + "\nOptions of serve, which is the default:\n" + options(.serve) + "\n"
      + Subcommand.serve.more
      + "\n"
  }

  /// `pipit COMMAND --help`.
  static func page(_ command: Subcommand) -> String {
    var text = "Usage: pipit \(command.name) [OPTION]..."
    if let operand = command.operand { text += " \(operand)" }
    text += "\n\(command.about)\n\nOptions:\n" + options(command)
    if !command.more.isEmpty { text += "\n\(command.more)\n" }
    return text
  }

  private static func options(_ command: Subcommand) -> String {
    var text = ""
    for option in command.rows {
      let letter = option.letter.map { "-\($0), " } ?? "    "
      let value = option.placeholder.map { " \($0)" } ?? ""
      let initial = option.initial.map { " (\($0))" } ?? ""
      text += row(letter + "--" + option.name + value, option.about + initial)
    }
    return text
  }

  /// A term and its description, wrapped at 80 columns.
  private static func row(_ term: String, _ about: String) -> String {
    let indent = 28
    var lines: [String] = []
    var line = ""
    for word in about.split(separator: " ") {
      if line.count + word.count + 1 > 80 - indent {
        lines.append(line)
        line = ""
      }
      line += (line.isEmpty ? "" : " ") + word
    }
    lines.append(line)
    let space = String(repeating: " ", count: indent)
    let head = "  " + term
    let first = head.count < indent - 1 ? head + space.dropFirst(head.count) : head + "\n" + space
    return first + lines.joined(separator: "\n" + space) + "\n"
  }
}
