import Glibc
import Synth
import System

/// The configuration: a file with a line for each option of `serve`, as `rate = 48000`, and a folder of such files
/// beside it, which are read after it.
enum Configuration {
  /// The file that is read unless `--config` names another; it need not exist.
  static let defaultPath = "/etc/pipit/pipit.conf"

  /// The folder beside a file: each file in it whose name ends in `.conf` counts.
  static func folder(of path: String) -> String { path + ".d" }

  /// The options that may be a line.
  static let rows = Subcommand.serve.rows.filter { $0.placeholder != nil && $0.name != "config" }

  /// The example that the package brings: every option with its default, commented out.
  static var sample: String {
    let folders = [
      "state": Folders.installedState, "presets": Folders.installedPresets,
      "recordings": Folders.recordings(Folders.installedState),
    ]
    var text = """
      # Example configuration of pipit; see pipit.conf(5). Each line shows a default. To change one, copy its line to
      # /etc/pipit/pipit.conf without the '#', and run: sudo systemctl restart pipit

      """
    for option in rows {
      let initial = option.initial ?? folders[option.name] ?? ""
      text +=
        "\n# \(option.about.prefix(1).uppercased() + option.about.dropFirst())\n#\(option.name) = \(initial)\n"
    }
    return text
  }

  /// The command line, with what it does not say taken from the configuration: all of it, or the options `names`.
  /// What is wrong in a file is left out, and said on standard error. Throws when `--config` names a file that cannot
  /// be read.
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

  /// What the configuration of a command line says: the file, then those of the folder in the order of their names.
  /// Of two lines with one name the later one counts.
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
