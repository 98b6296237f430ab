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
    let folders = ["state": Folders.installedState, "presets": Folders.installedPresets]
    var text = """
      # The configuration of pipit; see pipit.conf(5). Each line is a default: take the '#' away and change the
      # value. Then: systemctl restart pipit

      """
    for option in rows {
      let initial = option.initial ?? folders[option.name] ?? ""
      text +=
        "\n# \(option.about.prefix(1).uppercased() + option.about.dropFirst())\n#\(option.name) = \(initial)\n"
    }
    return text
  }

  /// The command line, with what it does not say taken from the configuration file.
  static func adding(to arguments: CommandArguments) throws -> CommandArguments {
    let asked = arguments[.config]
    guard let text = try contents(of: asked ?? defaultPath, required: asked != nil) else { return arguments }
    var arguments = arguments
    arguments.add(try lines(text, from: asked ?? defaultPath))
    return arguments
  }

  /// The names and values of a file. Throws for the first line that is wrong, naming file and line.
  static func lines(_ text: String, from file: String) throws -> [String: String] {
    var values: [String: String] = [:]
    for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
      func error(_ sentence: String) -> CommandError {
        CommandError("\(file), line \(index + 1): \(sentence)", status: 2)
      }
      let words = uncommented(line)
      if words.isEmpty { continue }
      guard let sign = words.firstIndex(of: "=") else {
        throw error("'\(words)' is not of the form 'name = value'")
      }
      let (name, value) = (trimmed(words[..<sign]), trimmed(words[words.index(after: sign)...]))
      guard let option = rows.first(where: { $0.name == name }) else {
        let near = nearest(to: String(name), among: rows.map { $0.name })
        throw error("unknown name '\(name)'" + (near.map { " (did you mean '\($0)'?)" } ?? ""))
      }
      if let problem = option.problem(in: String(value)) { throw error("\(name) \(problem)") }
      values[option.name] = String(value)
    }
    return values
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

  /// The text of a file; nil when there is none and none is `required`.
  private static func contents(of path: String, required: Bool) throws -> String? {
    do throws(FileError) {
      return String(decoding: try readFile(path, limit: Limits.textBytes), as: UTF8.self)
    } catch {
      if error.code == ENOENT && !required { return nil }
      throw CommandError("\(error)")
    }
  }
}
