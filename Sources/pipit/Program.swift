import Glibc
import System

/// Runs a command line and returns its `ExitStatus`.
enum Program {
  static func run(_ words: [String]) -> Int32 {
    // A closed pipe (`pipit presets | head`) and a file size limit must be errors, and not signals that end the
    // process.
    signal(SIGPIPE, SIG_IGN)
    signal(SIGXFSZ, SIG_IGN)
    Signals.takeQuit()
    do {
      try dispatch(Array(words.dropFirst()))
      return (Console.failed ? ExitStatus.failure : .success).rawValue
    } catch let error as CommandError {
      Console.log(.error(error.sentence))
      return error.status.rawValue
    } catch {
      Console.log(.error("\(error)"))
      return ExitStatus.failure.rawValue
    }
  }

  private static func dispatch(_ words: [String]) throws {
    var rest = words[...]
    var command = Subcommand.serve
    if let first = rest.first, !first.hasPrefix("-") {
      rest.removeFirst()
      if first == "help" { return try help(rest) }
      guard let found = Subcommand.all.first(where: { $0.name == first }) else { throw unknown(first) }
      command = found
    }
    // Without a command, help and version are those of the program.
    let arguments = try CommandArguments(rest, of: command, named: rest.count < words.count)
    if arguments[.help] != nil {
      Console.print(rest.count < words.count ? Help.page(command) : Help.overview)
    } else if arguments[.version] != nil {
      Console.print("pipit \(version)\n")
    } else {
      do { try command.run(arguments) } catch let error as CommandError { throw error } catch {
        throw CommandError("\(command.name): \(error)")
      }
    }
  }

  private static func help(_ words: ArraySlice<String>) throws {
    guard let word = words.first(where: { !$0.hasPrefix("-") }), word != "help" else {
      return Console.print(Help.overview)
    }
    guard let command = Subcommand.all.first(where: { $0.name == word }) else { throw unknown(word) }
    Console.print(Help.page(command))
  }

  private static func unknown(_ word: String) -> CommandError {
    let near = nearest(to: word, among: Subcommand.all.map { $0.name } + ["help"])
    return .usage(
      "unknown command '\(word)'" + (near.map { " (did you mean '\($0)'?)" } ?? ""), "pipit --help")
  }
}

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
