import Glibc
import Synth
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
