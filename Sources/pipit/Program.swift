import Glibc
import System

/// From the words of a command line to an exit status: 0 done, 1 it went wrong, 2 it was asked wrongly.
enum Program {
  static func run(_ words: [String]) -> Int32 {
    // A reader that goes away (`pipit presets | head`) and a file that may not grow are errors, not deaths.
    signal(SIGPIPE, SIG_IGN)
    signal(SIGXFSZ, SIG_IGN)
    do {
      try obey(Array(words.dropFirst()))
      return Output.failed ? 1 : 0
    } catch let complaint as Complaint {
      Output.log(complaint.sentence)
      return complaint.status
    } catch {
      Output.log("\(error)")
      return 1
    }
  }

  private static func obey(_ words: [String]) throws {
    var rest = words[...]
    var command = Command.serve
    if let first = rest.first, !first.hasPrefix("-") {
      rest.removeFirst()
      if first == "help" { return try help(rest) }
      guard let found = Command.all.first(where: { $0.name == first }) else { throw unknown(first) }
      command = found
    }
    // Without a command, help and version are those of the whole.
    let arguments = try Arguments(rest, of: command, named: rest.count < words.count)
    if arguments[.help] != nil {
      Output.print(rest.count < words.count ? Help.page(command) : Help.overview)
    } else if arguments[.version] != nil {
      Output.print("pipit \(version)\n")
    } else {
      do { try command.run(arguments) } catch let complaint as Complaint { throw complaint } catch {
        throw Complaint("\(command.name): \(error)")
      }
    }
  }

  private static func help(_ words: ArraySlice<String>) throws {
    guard let word = words.first(where: { !$0.hasPrefix("-") }) else { return Output.print(Help.overview) }
    guard let command = Command.all.first(where: { $0.name == word }) else { throw unknown(word) }
    Output.print(Help.page(command))
  }

  private static func unknown(_ word: String) -> Complaint {
    let near = nearest(to: word, among: Command.all.map { $0.name } + ["help"])
    return .usage(
      "unknown command '\(word)'" + (near.map { " (did you mean '\($0)'?)" } ?? ""), "pipit --help")
  }
}

/// Why a command was not done, and the exit status that says so.
struct Complaint: Error {
  let sentence: String
  let status: Int32

  /// Something went wrong.
  init(_ sentence: String) { (self.sentence, status) = (sentence, 1) }

  /// It was asked wrongly; `command` prints how it is asked.
  static func usage(_ sentence: String, _ command: String) -> Complaint {
    Complaint(sentence + "; try '\(command)'", status: 2)
  }

  init(_ sentence: String, status: Int32) { (self.sentence, self.status) = (sentence, status) }
}
