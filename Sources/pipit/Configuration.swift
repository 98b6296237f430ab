import Glibc
import Synth
import System

/// The configuration file: a line for each option of `serve`, as `rate = 48000`. A `#` begins a comment.
enum Configuration {
  /// The file that is read unless `--config` names another; it need not exist.
  static let defaultPath = "/etc/pipit/pipit.conf"

  /// The options that may be a line.
  static let rows = Subcommand.serve.rows.filter { $0.placeholder != nil && $0.name != "config" }

  /// The file that the package installs: every option with its default, commented out.
  static var sample: String {
    let folders = [
      "state": Folders.installedState, "presets": Folders.installedPresets,
      "recordings": Folders.recordings(Folders.installedState),
    ]
    var text = """
      # The configuration of pipit; see pipit.conf(5). Each line is a default: take the '#' away and change the
      # value. Then: sudo systemctl restart pipit

      """
    for option in rows {
      let initial = option.initial ?? folders[option.name] ?? ""
      text +=
        "\n# \(option.about.prefix(1).uppercased() + option.about.dropFirst())\n#\(option.name) = \(initial)\n"
    }
    return text
  }

  /// The command line, with what it does not say taken from the configuration file: all of it, or the options `names`.
  /// What is wrong in the file is left out, and said on standard error.
  static func adding(_ names: [CommandArguments.Name]? = nil, to arguments: CommandArguments) throws
    -> CommandArguments
  {
    let file = try read(arguments)
    for problem in file.problems { Console.log("\(problem)") }
    var arguments = arguments
    arguments.add(file.values.filter { value in names?.contains { $0.rawValue == value.key } ?? true })
    return arguments
  }

  /// What a file says, as far as it can be read.
  struct Contents {
    /// The values by name.
    var values: [String: String] = [:]
    /// What was left out, and why.
    var problems: [Problem] = []
  }

  /// Something in a file that was left out.
  struct Problem: CustomStringConvertible {
    let file: String
    /// From 1; nil when it is not about one line.
    var line: Int?
    /// A sentence without a full stop.
    let sentence: String

    var description: String {
      (line.map { "\(file), line \($0): " } ?? "\(file): ") + sentence + "; left out"
    }
    /// For a label.
    var short: String { "pipit.conf" + (line.map { ", line \($0): " } ?? ": ") + sentence }
  }

  /// Problems that are told; a file that is something else altogether has one in each line.
  private static let problemsTold = 5

  /// What the file of a command line says. Throws when one was asked for that cannot be read.
  static func read(_ arguments: CommandArguments) throws -> Contents {
    let path = arguments[.config] ?? defaultPath
    do throws(FileError) {
      return contents(decoded(try readFile(path, limit: Limits.textBytes)), of: path)
    } catch {
      if arguments[.config] != nil { throw CommandError("\(error)") }
      if error.code == ENOENT { return Contents() }
      return Contents(problems: [Problem(file: path, sentence: error.reason)])
    }
  }

  /// The names and values of a text.
  static func contents(_ text: String, of file: String) -> Contents {
    var contents = Contents()
    // What Windows ends a line with is one character, and a newline as well.
    for (index, line) in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
      .enumerated()
    {
      let words = uncommented(line)
      if words.isEmpty { continue }
      do throws(CommandError) {
        let (name, value) = try setting(words)
        contents.values[name] = value
      } catch {
        contents.problems.append(Problem(file: file, line: index + 1, sentence: error.sentence))
        // Who may send is never left open by a slip of the pen: then it is this machine alone.
        let name = words.prefix { $0 != "=" && !$0.isWhitespace }
        if nearest(to: String(name), among: rows.map(\.name)) == "allow" {
          contents.values["allow"] = "127.0.0.1"
        }
      }
    }
    let more = contents.problems.count - problemsTold
    if more > 0 {
      contents.problems.removeLast(more)
      contents.problems.append(Problem(file: file, sentence: "\(more) more lines cannot be read"))
    }
    return contents
  }

  /// The name and the value of a line.
  private static func setting(_ words: Substring) throws(CommandError) -> (String, String) {
    guard let sign = words.firstIndex(of: "=") else {
      let shown = words.count > 40 ? words.prefix(39) + "…" : words
      throw CommandError("'\(shown)' is not of the form 'name = value'")
    }
    let (name, value) = (trimmed(words[..<sign]), trimmed(words[words.index(after: sign)...]))
    guard let option = rows.first(where: { $0.name == name }) else {
      let near = nearest(to: String(name), among: rows.map { $0.name })
      throw CommandError(
        "unknown name '\(name.prefix(40))'" + (near.map { " (did you mean '\($0)'?)" } ?? ""))
    }
    if let problem = option.problem(in: String(value)) { throw CommandError("\(name) \(problem)") }
    return (option.name, String(value))
  }

  /// Text as editors save it: UTF-8, with the mark before it that Windows writes or without, or UTF-16.
  private static func decoded(_ bytes: [UInt8]) -> String {
    for (mark, low, high) in [([0xFF, 0xFE] as [UInt8], 0, 1), ([0xFE, 0xFF], 1, 0)]
    where bytes.starts(with: mark) {
      let units = stride(from: 2, to: bytes.count - 1, by: 2).map {
        UInt16(bytes[$0 + low]) | UInt16(bytes[$0 + high]) << 8
      }
      return String(decoding: units, as: UTF16.self)
    }
    let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
    return String(decoding: bytes.starts(with: mark) ? bytes.dropFirst(3) : bytes[...], as: UTF8.self)
  }

  /// A line without its comment. A `#` within a word belongs to the word.
  private static func uncommented(_ line: Substring) -> Substring {
    var before: Character = " "
    for place in line.indices {
      if line[place] == "#", before.isWhitespace { return trimmed(line[..<place]) }
      before = line[place]
    }
    return trimmed(line)
  }

  private static func trimmed(_ text: Substring) -> Substring {
    var text = text.drop { $0.isWhitespace }
    while let last = text.last, last.isWhitespace { text.removeLast() }
    return text
  }
}
