import System

/// The exit statuses, the same for all commands and in the manual page.
enum ExitStatus: Int32, CaseIterable {
  case success = 0
  case failure = 1
  case usage = 2
  case noInstrument = 3

  /// The meaning of the status, as a sentence.
  var meaning: String {
    switch self {
    case .success: "Success."
    case .failure:
      "The command failed or found a fault; standard error says what failed and what to do."
    case .usage: "Wrong usage."
    case .noInstrument: "No running pipit answers on the OSC port."
    }
  }
}

/// The error of a command: a sentence, and the exit status for it.
struct CommandError: Error {
  let sentence: String
  let status: ExitStatus

  init(_ sentence: String, _ status: ExitStatus = .failure) {
    (self.sentence, self.status) = (sentence, status)
  }

  /// Invalid usage; `page` is the command that prints the help.
  static func usage(_ sentence: String, _ page: String) -> CommandError {
    CommandError(sentence + "; try '\(page)'", .usage)
  }

  /// The error for an action that a command does not have; the sentence proposes a similar one.
  static func unknown(_ action: String, of command: String, among actions: [String]) -> CommandError {
    let near = nearest(to: action, among: actions).map { " (did you mean '\($0)'?)" } ?? ""
    return usage("\(command): unknown action '\(action)'" + near, "pipit \(command) --help")
  }

  /// The error if no instrument answers the command.
  static func noInstrument(_ command: String, _ port: Int) -> CommandError {
    CommandError("\(command): no pipit answers on OSC port \(port)", .noInstrument)
  }
}
