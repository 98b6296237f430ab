import System

/// `pipit reference`: the files that a package installs besides the program, generated from the tables.
enum Reference {
  /// The pages by file name.
  static let pages: [(name: String, text: @Sendable () -> String)] = [
    ("pipit.1", { Manual.program }),
    ("pipit.conf.5", { Manual.configuration }),
    ("pipit-osc.7", { Manual.osc }),
    ("pipit.conf", { Configuration.sample }),
    ("pipit.bash", { Completion.bash }),
    ("pipit.zsh", { Completion.zsh }),
    ("pipit.fish", { Completion.fish }),
    ("commands.md", { Lists.commands }),
  ]

  static func run(_ arguments: CommandArguments) throws {
    let name = arguments.operands[0]
    guard let page = pages.first(where: { $0.name == name }) else {
      let names = pages.map { $0.name }
      let near = nearest(to: name, among: names).map { " (did you mean '\($0)'?)" } ?? ""
      throw CommandError(
        "reference: there is no page '\(name)'\(near); there are \(names.joined(separator: ", "))", .usage)
    }
    Console.print(page.text())
  }
}
