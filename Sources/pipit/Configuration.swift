import Glibc
import Scenes
import Surface
import System

/// The configuration: a file with lines for options of `serve`, such as `rate = 48000`, and a folder of such files
/// beside it, which are read after it.
enum Configuration {
  /// The file that is read unless `--config` names another. It need not exist.
  static let defaultPath = "/etc/pipit/pipit.conf"

  /// The folder beside a file. Each file in it with a name that ends in `.conf` is read.
  static func folder(of path: String) -> String { path + ".d" }

  /// The options that may be set by a line.
  static let rows = Subcommand.serve.rows.filter { $0.placeholder != nil && $0.name != "config" }

  /// The example in the package: every option with its default, commented out.
  static var sample: String {
    let others = [
      "web-port": "8000", "state": Folders.installedState, "presets": Folders.installedPresets,
      "recordings": Folders.recordings(Folders.installedState),
    ]
    var text = """
      # Example configuration of pipit; see pipit.conf(5). Each line shows a default. To change one, copy its line to
      # /etc/pipit/pipit.conf without the '#', and run: sudo systemctl restart pipit

      """
    for option in rows {
      let initial = option.initial ?? others[option.name] ?? ""
      text +=
        "\n# \(option.about.prefix(1).uppercased() + option.about.dropFirst())\n#\(option.name) = \(initial)\n"
    }
    return text
  }

  /// Completes the command line from the configuration: with all options, or with the options `names`. Invalid lines
  /// are skipped and reported on standard error. Throws if `--config` names a file that cannot be read.
  static func adding(_ names: [CommandArguments.Name]? = nil, to arguments: CommandArguments) throws
    -> CommandArguments
  {
    let contents = read(arguments)
    if arguments[.config] != nil, let failure = contents.failure { throw CommandError("\(failure)") }
    for problem in contents.problems { Console.log("\(problem)") }
    var arguments = arguments
    arguments.add(contents.values.filter { value in names?.contains { $0.rawValue == value.key } ?? true })
    return arguments
  }

  /// The configuration for a command line: the file, and then the files of the folder in the order of their names.
  /// The last of several lines for one option wins.
  static func read(_ arguments: CommandArguments) -> Contents {
    let path = arguments[.config] ?? defaultPath
    var contents = Contents()
    contents.read(path, mayBeMissing: arguments[.config] == nil)
    let folder = folder(of: path)
    if let names = fileNames(in: folder) {
      for name in names where name.hasSuffix(".conf") { contents.read(folder + "/" + name) }
    } else if errno != ENOENT {
      contents.fail(FileError("read", folder))
    }
    return contents
  }
}

extension Configuration {
  /// The readable contents of the configuration files.
  struct Contents {
    /// The values by option name.
    private(set) var values: [String: String] = [:]
    /// The skipped lines and files, with the reasons.
    private(set) var problems: [Problem] = []
    /// The error of the last file that could not be read.
    private(set) var failure: FileError?
    /// True if only this machine may send OSC, because an invalid line or file may have been meant to restrict the
    /// senders. A mistake never opens the instrument to everyone.
    private(set) var locksOut = false

    /// The maximum number of reported problems in a file; a file of another kind has one in each line.
    private static let mostProblems = 5
  }

  /// A skipped line or file.
  struct Problem: CustomStringConvertible {
    let file: String
    /// The number of the line, from 1; nil if the problem is not in one line.
    var line: Int?
    /// A sentence without a full stop.
    let sentence: String

    var description: String {
      (line.map { "\(file), line \($0): " } ?? "\(file): ") + sentence + "; ignored"
    }
    /// The file for a label: its name without folders, except a folder that ends in `.d`.
    var short: String {
      let names = file.split(separator: "/").suffix(2)
      let isBeside = names.count == 2 && names.first?.hasSuffix(".d") == true
      let name = isBeside ? names.joined(separator: "/") : String(names.last ?? "")
      return name + (line.map { ", line \($0): " } ?? ": ") + sentence
    }
  }
}

extension Configuration.Contents {
  /// The sentence that is logged once, after the problems, if `locksOut` is true.
  static let lockedOut = "until this is corrected, only this machine may send OSC"

  /// The problems as text for a label; nil if there are none.
  var short: String? {
    guard let first = problems.first else { return nil }
    let text = problems.count == 1 ? first.short : "\(problems.count) lines ignored in \(first.short)"
    return locksOut ? "tablets are locked out: " + text : text
  }

  /// Adds the contents of a file.
  mutating func read(_ path: String, mayBeMissing: Bool = false) {
    do throws(FileError) {
      add(Self.decoded(try readFile(path, limit: Limits.textBytes)), of: path)
    } catch {
      if !(mayBeMissing && error.code == ENOENT) { fail(error) }
    }
  }

  /// Records that a file cannot be read.
  mutating func fail(_ error: FileError) {
    failure = error
    problems.append(Configuration.Problem(file: error.path, sentence: "cannot be read (\(error.reason))"))
    lockOut()
  }

  /// Adds the names and values of a text.
  mutating func add(_ text: String, of file: String) {
    var wrong: [Configuration.Problem] = []
    // A line end of Windows is one character, which also counts as a newline.
    for (index, line) in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
      .enumerated()
    {
      let words = Self.uncommented(line)
      if words.isEmpty { continue }
      do throws(CommandError) {
        let (name, value) = try Self.setting(words)
        values[name] = value
        if name == "allow" { locksOut = false }
      } catch {
        wrong.append(Configuration.Problem(file: file, line: index + 1, sentence: error.sentence))
        if Self.mayMeanAllow(words) { lockOut() }
      }
    }
    let more = wrong.count - Self.mostProblems
    if more > 0 {
      wrong.removeLast(more)
      wrong.append(Configuration.Problem(file: file, sentence: "\(more) more lines cannot be read"))
    }
    problems += wrong
  }

  private mutating func lockOut() {
    values["allow"] = "127.0.0.1"
    locksOut = true
  }

  /// Whether an invalid line may have been meant to name the permitted senders: one of its words is nearly "allow",
  /// or it contains a network.
  private static func mayMeanAllow(_ line: Substring) -> Bool {
    let names = line.split { !$0.isLetter }.map { Array($0.lowercased()) }
    let words = line.split { $0 == "," || $0 == "=" || $0 == ":" || $0.isWhitespace }.map(String.init)
    return names.contains { editDistance($0, Array("allow")) <= 2 }
      || words.contains { AllowedNetworks($0) != nil }
  }

  /// The name and the value of a line.
  private static func setting(_ words: Substring) throws(CommandError) -> (String, String) {
    guard let sign = words.firstIndex(of: "=") else {
      let shown = words.count > 40 ? words.prefix(39) + "…" : words
      throw CommandError("'\(shown)' is not of the form 'name = value'")
    }
    let (name, value) = (trimmed(words[..<sign]), trimmed(words[words.index(after: sign)...]))
    guard let option = Configuration.rows.first(where: { $0.name == name }) else {
      let near = nearest(to: String(name), among: Configuration.rows.map { $0.name })
      throw CommandError(
        "unknown name '\(name.prefix(40))'" + (near.map { " (did you mean '\($0)'?)" } ?? ""))
    }
    if let problem = option.problem(in: String(value)) { throw CommandError("\(name) \(problem)") }
    return (option.name, String(value))
  }

  /// Decodes text as editors save it: UTF-8, with or without the byte order mark of Windows, or UTF-16.
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

  /// Removes the comment, which begins with `#`. A `#` within a word belongs to the word.
  private static func uncommented(_ line: Substring) -> Substring {
    var before: Character = " "
    for index in line.indices {
      if line[index] == "#", before.isWhitespace { return trimmed(line[..<index]) }
      before = line[index]
    }
    return trimmed(line)
  }

  private static func trimmed(_ text: Substring) -> Substring {
    var text = text.drop { $0.isWhitespace }
    while let last = text.last, last.isWhitespace { text.removeLast() }
    return text
  }
}
