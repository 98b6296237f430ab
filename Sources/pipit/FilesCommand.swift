import Control
import Glibc
import OSC
import Playback
import Recording
import Surface
import System

/// `pipit songs` and `pipit recordings`: lists and manages files, through the running instrument or, without one, in
/// the folder that it would use.
struct FilesCommand: Sendable {
  /// The name of the command, which is also that of the addresses.
  let name: String
  /// The actions besides listing, with their numbers of operands.
  let actions: [String: ClosedRange<Int>]
  private let kind: @Sendable (_ state: String, _ configured: CommandArguments) -> FileKind

  static let songs = FilesCommand(
    name: "songs",
    actions: [
      "rename": 2...2, "delete": 1...1, "restore": 0...1, "empty": 0...0, "import": 1...999, "export": 1...1,
    ]
  ) { SongFiles.kind(Folders.songs($0), others: Folders.presets($1) + "/songs") }

  static let recordings = FilesCommand(
    name: "recordings", actions: ["rename": 2...2, "delete": 1...1, "restore": 0...1, "empty": 0...0]
  ) { RecorderLink.files($1[.recordings] ?? Folders.recordings($0)) }

  /// How long the disk may take, seconds.
  private static let timeout = 60.0

  func run(_ arguments: CommandArguments) throws {
    let (action, words) = (arguments.operands.first ?? "list", Array(arguments.operands.dropFirst()))
    let help = "pipit \(name) --help"
    guard let counts = action == "list" ? 0...0 : actions[action] else {
      throw CommandError.unknown(action, of: name, among: actions.keys.sorted())
    }
    guard counts.contains(words.count) else {
      let takes =
        counts.upperBound == 0 ? "nothing" : counts.upperBound == 2 ? "a name and a new name" : "a name"
      throw CommandError.usage("\(name): '\(action)' takes \(takes)", help)
    }
    let configured = try Configuration.adding([.state, .presets, .recordings, .oscPort], to: arguments)
    let port = configured.number(.oscPort)
    let isAsked = arguments[.state] == nil && Status.figures(port: port) != nil
    let instrument = isAsked ? RunningInstrument(command: name, port: port) : nil
    switch action {
    case "list": try list("list", instrument, configured, arguments)
    case "restore" where words.isEmpty: try list("trash", instrument, configured, arguments)
    case "import":
      // Root may read files that the owner of the folder may not.
      let files = try words.map { ($0, try contents($0)) }
      for (path, bytes) in files {
        let file = path.split(separator: "/").last.map(String.init) ?? path
        try instrument?.send(bytes)
        try perform(.save(file, FileContents(bytes)), "import", [file], instrument, configured)
      }
    case "export": try export(words[0], instrument, configured, arguments)
    default:
      let request: FileRequest =
        switch action {
        case "rename": .rename(words[0], to: words[1])
        case "delete": .delete(words[0])
        case "restore": .restore(words[0])
        default: .emptyTrash
        }
      try perform(request, action, words, instrument, configured)
    }
  }

  /// Carries out a request by the instrument or by this process, and prints the sentence about it.
  private func perform(
    _ request: FileRequest, _ verb: String, _ words: [String], _ instrument: RunningInstrument?,
    _ configured: CommandArguments
  ) throws {
    if let instrument {
      let answers = try instrument.ask(
        "/\(name)/\(verb)", words.map { .string($0) }, within: FilesCommand.timeout)
      for answer in answers { Console.print(answer.value.words + "\n") }
    } else if case .done(let sentence) = try answer(request, configured) {
      Console.print(sentence + "\n")
    }
  }

  private func answer(_ request: FileRequest, _ configured: CommandArguments) throws -> FileAnswer {
    let state = try configured[.state] ?? Folders.stateOfService(configured)
    DatabaseKeeper.becomeOwner(of: state)
    do throws(FileShelf.Failure) {
      return try kind(state, configured).answer(request)
    } catch { throw CommandError("\(name): \(error)") }
  }

  // MARK: - Lists

  private func list(
    _ verb: String, _ instrument: RunningInstrument?, _ configured: CommandArguments,
    _ arguments: CommandArguments
  ) throws {
    var files: [StoredFile] = []
    if let instrument {
      for answer in try instrument.ask("/\(name)/\(verb)", within: FilesCommand.timeout).dropFirst() {
        if let file = StoredFile(line: answer.value.words) { files.append(file) }
      }
    } else if case .files(let all) = try answer(verb == "list" ? .list : .trash, configured) {
      files = all
    }
    var table = [["Name", "Length", "Size", "Changed"] + (name == "songs" ? ["Origin"] : [])]
    for file in files {
      let length = file.seconds.map(Recorder.length) ?? (verb == "list" ? "cannot be read" : "")
      table.append(
        [file.name, length, FilesCommand.size(file.bytes), dateAndMinute(file.modified)]
          + (name == "songs" ? [file.isOwn ? "own" : "factory"] : []))
    }
    Lists.print(table, arguments)
  }

  private static func size(_ bytes: Int) -> String {
    bytes < 1_000_000 ? "\((bytes + 999) / 1_000) kB" : "\((bytes + 500_000) / 1_000_000) MB"
  }

  // MARK: - Files

  private func contents(_ path: String) throws -> [UInt8] {
    do throws(FileError) {
      return try readFile(path, limit: SongPlayer.maxBytes)
    } catch { throw CommandError("\(name): \(error)") }
  }

  private func export(
    _ words: String, _ instrument: RunningInstrument?, _ configured: CommandArguments,
    _ arguments: CommandArguments
  ) throws {
    guard let path = arguments[.output] else {
      throw CommandError.usage("\(name): no file to write is named, use -o FILE", "pipit \(name) --help")
    }
    var bytes: [UInt8] = []
    if let instrument {
      try instrument.ask("/\(name)/export", [.string(words)], within: FilesCommand.timeout)
      bytes = try instrument.receive()
    } else if case .contents(_, let all) = try answer(.read(words), configured) {
      bytes = all
    }
    do throws(FileError) {
      let file = try NewFile(path)
      try file.write(bytes)
      try file.finish()
    } catch { throw CommandError("\(name): \(error)") }
  }
}

extension StoredFile {
  /// The file in a line of `/songs/list` or `/recordings/list`; nil if the line is invalid.
  fileprivate init?(line: String) {
    let cells = line.split(separator: "\t", maxSplits: 4, omittingEmptySubsequences: false).map(String.init)
    guard cells.count == 5, let seconds = Int(cells[0]), let bytes = Int(cells[1]),
      let modified = Int(cells[2])
    else { return nil }
    self.init(
      name: cells[4], seconds: seconds < 0 ? nil : seconds, bytes: bytes, modified: modified,
      isOwn: cells[3] == "own")
  }
}
