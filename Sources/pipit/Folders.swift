import Backup
import Glibc
import Presets

/// The paths of the state, the presets and the database.
enum Folders {
  /// The state folder of the installed service.
  static let installedState = "/var/lib/pipit"
  /// The installed factory presets.
  static let installedPresets = "/usr/share/pipit/presets"

  /// The installed files of the page.
  static let installedPage = "/usr/share/pipit/page"
  /// The installed layouts for TouchOSC.
  static let installedLayouts = "/usr/share/pipit/layouts"

  /// The folder in which the services of the card image describe the machine. It exists on no other machine.
  static let cardImage = "/run/pipit-box"
  /// The Wi-Fi network that the card image has opened (`AccessPoint`).
  static var accessPoint: String { (environment("PIPIT_CARD_IMAGE") ?? cardImage) + "/access-point" }

  /// The files of an update: those in the state folder, and the result that the service of the card image reports.
  /// Nil on other machines.
  static func update(_ state: String) -> UpdateFiles? {
    let folder = environment("PIPIT_CARD_IMAGE") ?? cardImage
    if access(folder, F_OK) != 0 { return nil }
    return UpdateFiles(folder: state + "/update", result: folder + "/update-result")
  }

  /// The state folder: `--state`, else `$STATE_DIRECTORY` of the service manager, else the user's.
  static func state(_ arguments: CommandArguments) throws -> String {
    if let folder = arguments[.state] { return folder }
    // The service manager may name several folders; pipit's is the first.
    if let folder = environment("STATE_DIRECTORY")?.split(separator: ":").first { return String(folder) }
    if let folder = environment("XDG_STATE_HOME"), folder.hasPrefix("/") { return folder + "/pipit" }
    if let home = environment("HOME") { return home + "/.local/state/pipit" }
    throw CommandError("no state folder: neither $STATE_DIRECTORY nor $HOME is set; use --state DIR")
  }

  /// The folder of the factory presets: `--presets`, or that of the source tree in which this program was built, or
  /// the installed one.
  static func presets(_ arguments: CommandArguments) -> String {
    if let folder = arguments[.presets] { return folder }
    if let tree = buildTree { return tree + "/presets" }
    return installedPresets
  }

  /// The folder of the page's files: that of the source tree in which this program was built, or the installed one.
  static var page: String { buildTree.map { $0 + "/Sources/Web/Page" } ?? installedPage }

  /// The database in a state folder.
  static func database(_ state: String) -> String { state + "/presets.sqlite" }

  /// The recordings in a state folder.
  static func recordings(_ state: String) -> String { state + "/recordings" }

  /// The MIDI files in a state folder.
  static func songs(_ state: String) -> String { state + "/songs" }

  /// The Scala files in a state folder.
  static func tunings(_ state: String) -> String { state + "/tunings" }

  /// The wavetables in a state folder.
  static func wavetables(_ state: String) -> String { state + "/wavetables" }

  /// The folders of pad files: the player's in a state folder, then that of the package.
  static func pads(_ state: String, _ arguments: CommandArguments) -> [String] {
    [state + "/pads", presets(arguments) + "/pads"]
  }

  /// The files that a backup holds besides the documents.
  static func box(_ state: String, _ arguments: CommandArguments) -> BoxFolders {
    let configuration = arguments[.config] ?? Configuration.defaultPath
    return BoxFolders(
      state: state, songs: songs(state), tunings: tunings(state), wavetables: wavetables(state),
      pads: pads(state, arguments)[0],
      configuration: configuration, configurationFolder: Configuration.folder(of: configuration))
  }

  /// All presets, read-only: a missing database is not made. They are in the given state folder, or that of the
  /// running instrument, or that of the installed service, or the user's. The result is the same for every account.
  static func library(_ arguments: CommandArguments) throws -> Library {
    let configured = try Configuration.adding([.state, .presets, .oscPort], to: arguments)
    return Library(
      database: database(try stateOfLibrary(arguments)), factory: presets(configured), writes: false,
      log: Console.log)
  }

  /// The state folder of `library`.
  static func stateOfLibrary(_ arguments: CommandArguments) throws -> String {
    try arguments[.state]
      ?? stateOfService(try Configuration.adding([.state, .presets, .oscPort], to: arguments))
  }

  /// The state folder of the running instrument, or else that of the service as it is configured.
  static func stateOfService(_ configured: CommandArguments) throws -> String {
    let figures = Status.figures(port: configured.number(.oscPort)) ?? []
    if let folder = figures.first(where: { $0.name == "state" })?.value, !folder.isEmpty { return folder }
    if configured[.state] == nil, access(installedState, F_OK) == 0 { return installedState }
    return try state(configured)
  }

  /// The source tree that contains this program in its `.build`; nil if the program is installed.
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
