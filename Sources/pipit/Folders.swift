import Glibc
import Presets

/// Where things lie.
enum Folders {
  /// The state of the service that the package installs.
  static let installedState = "/var/lib/pipit"
  /// The factory presets that the package installs.
  static let installedPresets = "/usr/share/pipit/presets"

  /// Where the state is kept: as asked, else where the service manager says, else the user's folder for it.
  static func state(_ arguments: Arguments) throws -> String {
    if let folder = arguments[.state] { return folder }
    // The service manager may name several; ours is the first.
    if let folder = environment("STATE_DIRECTORY")?.split(separator: ":").first { return String(folder) }
    if let folder = environment("XDG_STATE_HOME"), folder.hasPrefix("/") { return folder + "/pipit" }
    if let home = environment("HOME") { return home + "/.local/state/pipit" }
    throw Complaint("no place for the state: neither $STATE_DIRECTORY nor $HOME is set; use --state DIR")
  }

  /// The factory presets: as asked, else those of the source tree that this program was built in, else the
  /// installed ones.
  static func presets(_ arguments: Arguments) -> String {
    if let folder = arguments[.presets] { return folder }
    if let tree = buildTree { return tree + "/presets" }
    return installedPresets
  }

  /// The database of presets in a folder of state.
  static func database(_ state: String) -> String { state + "/presets.sqlite" }

  /// All presets, to look at: nothing is written, and no database is made where there is none.
  static func library(_ arguments: Arguments) throws -> Library {
    let database = database(try state(arguments))
    return Library(database: database, factory: presets(arguments), writes: false, log: Output.log)
  }

  /// The folder that holds the `.build` in which this program lies; nil when it is installed.
  private static var buildTree: String? {
    guard let real = realpath("/proc/self/exe", nil) else { return nil }
    defer { free(real) }
    let parts = String(cString: real).split(separator: "/")
    guard let build = parts.lastIndex(where: { $0.hasPrefix(".build") }) else { return nil }
    return "/" + parts[..<build].joined(separator: "/")
  }

  /// A variable of the environment; an empty one counts as none.
  private static func environment(_ name: String) -> String? {
    guard let value = getenv(name) else { return nil }
    let text = String(cString: value)
    return text.isEmpty ? nil : text
  }
}
