import Glibc
import Presets
import Scenes
import Surface
import System

/// `pipit presets`: lists and manages the presets, in the running instrument or, without one, in the database that it
/// would use.
struct PresetsCommand {
  /// The actions besides listing.
  static let actions = [
    "search", "show", "rename", "tag", "favorite", "describe", "move", "delete", "restore", "versions",
    "diff",
    "bring", "export", "import",
  ]
  /// The number of words that an action takes, and their meaning.
  private static let needed: [String: (count: ClosedRange<Int>, what: String)] = [
    "list": (0...0, "nothing"), "search": (1...100, "words"),
    "show": (1...2, "one preset, and an age or none"),
    "rename": (2...2, "a preset and its new name"), "tag": (2...100, "a preset and tags"),
    "favorite": (1...2, "one preset, and on or off"), "delete": (1...1, "one preset"),
    "restore": (0...1, "one preset"), "versions": (1...1, "one preset"),
    "move": (2...2, "a preset and a place"),
    "diff": (2...3, "a preset, and an age or two"), "bring": (2...2, "a preset and an age"),
    "describe": (2...100, "a preset, category, author or about, and words"),
  ]

  private let keeper: any PresetKeeper
  private let words: [String]
  private let arguments: CommandArguments

  static func run(_ arguments: CommandArguments) throws {
    let (action, words) = (arguments.operands.first ?? "list", Array(arguments.operands.dropFirst()))
    guard action == "list" || actions.contains(action) else {
      throw CommandError.unknown(action, of: "presets", among: actions)
    }
    if let (count, what) = needed[action], !count.contains(words.count) {
      throw CommandError.usage("presets: '\(action)' takes \(what)", "pipit presets --help")
    }
    if action == "import" && words.isEmpty {
      throw CommandError.usage("presets: no file to import is named", "pipit presets --help")
    }
    if let bank = arguments[.bank] {
      if action != "list" {
        throw CommandError.usage("presets: '\(action)' takes no bank", "pipit presets --help")
      }
      if bank == "gm" { return try listGeneralMIDI(arguments) }
      if !(0..<Slot.banks).contains(Int(bank) ?? -1) {
        throw CommandError(
          "presets: --bank must be 'gm' or a whole number from 0 to \(Slot.banks - 1), not '\(bank)'",
          .usage)
      }
    }
    let writes =
      ["rename", "tag", "favorite", "describe", "move", "delete", "bring", "import"].contains(action)
      || action == "restore" && !words.isEmpty
    // The files are read before root changes to another user, who may not read them.
    let files = action == "import" ? words.map { ($0, Self.contents($0)) } : []
    let keeper = try Self.keeper(arguments, writes: writes)
    let command = PresetsCommand(keeper: keeper, words: words, arguments: arguments)
    var failures = 0
    switch action {
    case "search":
      failures = try command.list("/presets/search", [words.joined(separator: " ")], isDescribed: true)
    case "show": Console.print(try command.text(words[0], age: words.count > 1 ? words[1] : nil))
    case "versions": try command.versions()
    case "diff": try command.differences()
    case "tag": try command.change("tag", [words[0], words.dropFirst().joined(separator: ",")])
    case "describe":
      try command.change("describe", words.prefix(2) + [words.dropFirst(2).joined(separator: " ")])
    case "favorite":
      guard let mark = ["on": "1", "off": "0"][words.count > 1 ? words[1] : "on"] else {
        throw CommandError.usage(
          "presets: 'favorite' takes one preset, and on or off", "pipit presets --help")
      }
      try command.change("favorite", [words[0], mark])
    case "export": failures = try command.export()
    case "import": failures = try command.importTexts(files)
    case "list": failures = try command.list("/presets/list", bank: arguments[.bank].flatMap { Int($0) })
    case "restore" where words.isEmpty: failures = try command.list("/presets/trash")
    default: try command.change(action, words)
    }
    if writes { try keeper.finish() }
    if failures > 0 {
      throw CommandError("presets: \(failures) \(failures == 1 ? "preset" : "presets") could not be read")
    }
  }

  /// The running instrument, unless `--presets` or another state folder is given.
  static func keeper(
    _ arguments: CommandArguments, writes: Bool, command: String = "presets"
  ) throws -> any PresetKeeper {
    let configured = try Configuration.adding([.state, .presets, .oscPort], to: arguments)
    if arguments[.presets] == nil,
      let running = RunningKeeper(port: configured.number(.oscPort), command: command),
      arguments[.state].map({ running.keeps($0) }) ?? true
    {
      return running
    }
    let state = try arguments[.state] ?? Folders.stateOfService(configured)
    return try DatabaseKeeper(
      state, factory: Folders.presets(configured), writes: writes, command: command)
  }

  /// A line of a list.
  private struct Line {
    let bank, program, origin, problem, name: String
    let isFavorite: Bool
    let category, tags, author: String

    init?(_ text: String) {
      let cells = text.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
      guard cells.count >= 9 else { return nil }
      (bank, program, origin, problem, name) = (cells[0], cells[1], cells[2], cells[3], cells[4])
      (isFavorite, category, tags, author) = (cells[5] == "1", cells[6], cells[7], cells[8])
    }

    var key: String { "\(bank)/\(program)" }
  }

  private func lines(_ address: String, _ words: [String] = []) throws -> [Line] {
    try keeper.ask(address, words).dropFirst().compactMap { Line($0.value.words) }
  }

  /// Lists the bank `gm`. All of its presets are factory presets, so no instrument is asked.
  private static func listGeneralMIDI(_ arguments: CommandArguments) throws {
    let factory = try Folders.presets(Configuration.adding([.presets], to: arguments))
    let library = Library(database: nil, factory: factory, writes: false, log: Console.log)
    guard let entries = library.generalMIDIEntries else {
      throw CommandError("presets: the folder of the factory presets has no gm.txt, or none that can be read")
    }
    var table = [["GM", "General MIDI", "Name", "Octaves"]]
    for entry in entries {
      let octaves = entry.octaves == 0 ? "" : entry.octaves > 0 ? "+\(entry.octaves)" : "\(entry.octaves)"
      let number = entry.program.map { "\($0 + 1)" } ?? "drums"
      table.append([number, entry.standard, entry.preset, octaves])
    }
    Lists.print(table, arguments)
  }

  /// Prints a list of one bank or of all banks, with the descriptions of the presets if `isDescribed`. Returns the
  /// number of unreadable presets.
  private func list(
    _ address: String, _ words: [String] = [], bank: Int? = nil, isDescribed: Bool = false
  ) throws -> Int {
    let lines = try lines(address, words).filter { line in bank.map { line.bank == "\($0)" } ?? true }
    let isWhole = lines.allSatisfy(\.problem.isEmpty)
    var head = ["Bank", "Program", "Name", "Origin"]
    if isDescribed { head += ["Favorite", "Category", "Author", "Tags"] }
    var table = [head + (isWhole ? [] : ["Cannot be read"])]
    for line in lines {
      var row = [line.bank, line.program, line.name, line.origin]
      if isDescribed { row += [line.isFavorite ? "yes" : "", line.category, line.author, line.tags] }
      table.append(row + (isWhole ? [] : [line.problem]))
    }
    Lists.print(table, arguments)
    return lines.count { !$0.problem.isEmpty }
  }

  /// Asks for a change, and prints the sentence about it.
  private func change(_ action: String, _ words: [String]) throws {
    for answer in try keeper.ask("/presets/\(action)", words) { Console.print(answer.value.words + "\n") }
  }

  private func text(_ name: String, age: String? = nil) throws -> String {
    let answers = try age.map { try keeper.ask("/presets/version", [name, $0]) }
    let text = try (answers ?? keeper.ask("/presets/show", [name])).map(\.value.words).joined()
    return text.hasSuffix("\n") ? text : text + "\n"
  }

  /// Prints a list of lines with three fields.
  private func table(_ address: String, _ head: [String], _ row: ([String]) -> [String] = { $0 }) throws {
    let lines = try keeper.ask(address, words).dropFirst().map { answer in
      answer.value.words.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
    }
    Lists.print([head] + lines.filter { $0.count == head.count }.map(row), arguments)
  }

  private func versions() throws {
    try table("/presets/versions", ["Age", "Saved", "Name"]) { line in
      [line[0], Int(line[1]).map { dateAndMinute($0) } ?? "unknown", line[2]]
    }
  }

  private func differences() throws {
    let ages =
      words.count > 2 ? ["Version \(words[1])", "Version \(words[2])"] : ["Version \(words[1])", "Now"]
    try table("/presets/diff", ["What"] + ages)
  }

  /// Writes the named presets, or all of the player's, one after the other. Returns the number of unreadable presets.
  private func export() throws -> Int {
    let own = try lines("/presets/list").filter { $0.origin == "user" }
    let names = words.isEmpty ? own.filter { $0.problem.isEmpty }.map(\.key) : words
    let text = try names.map { try self.text($0) }.joined()
    if let output = arguments[.output] {
      do throws(FileError) {
        let file = try NewFile(output)
        try file.write(Array(text.utf8))
        try file.finish()
      } catch {
        throw CommandError("presets: \(error)")
      }
    } else {
      Console.print(text)
    }
    return words.isEmpty ? own.count { !$0.problem.isEmpty } : 0
  }

  /// The contents of a file; '-' is standard input.
  static func contents(_ file: String) -> Result<[UInt8], FileError> {
    do throws(FileError) {
      return .success(try readFile(file == "-" ? "/dev/stdin" : file, limit: Limits.presetFileBytes))
    } catch {
      return .failure(error)
    }
  }

  /// Imports presets from files, and continues after an invalid file. Returns the number of unreadable files.
  private func importTexts(_ files: [(name: String, contents: Result<[UInt8], FileError>)]) throws -> Int {
    var failures = 0
    func fail(_ sentence: String) {
      Console.log(sentence)
      failures += 1
    }
    for (file, contents) in files {
      switch contents {
      case .failure(let error): fail("presets: \(error)")
      case .success(let bytes):
        let stem = file.split(separator: "/").last?.split(separator: ".").first ?? ""
        for text in PresetText.split(String(decoding: bytes, as: UTF8.self)) {
          do {
            let answers = try keeper.ask("/presets/import", [text, String(stem)])
            for answer in answers { Console.print(answer.value.words + "\n") }
          } catch let error as CommandError {
            fail("\(file): \(error.sentence)")
          }
        }
      }
    }
    return failures
  }
}
