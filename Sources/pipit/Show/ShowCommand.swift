import Glibc
import Presets
import Surface
import System

/// `pipit setups` and `pipit setlists`: lists and manages these documents, in the running instrument or, without one,
/// in the database that it would use.
struct ShowCommand: Sendable {
  /// The name of the command, which is also that of the addresses.
  let name: String
  /// The columns of the list.
  private let columns: [String]
  /// The actions besides listing, with their numbers of operands.
  let actions: [String: ClosedRange<Int>]
  /// The actions that only the running instrument can carry out, with the addresses that do.
  private let live: [String: String]

  private static let shared: [String: ClosedRange<Int>] = [
    "show": 1...1, "rename": 2...2, "delete": 1...1, "restore": 0...1, "versions": 1...1, "bring": 2...2,
    "export": 0...999, "import": 1...999,
  ]
  /// The actions that change nothing.
  private static let reading = ["list", "show", "versions", "export"]

  static let setups = ShowCommand(
    name: "setups", columns: ["Number", "Name", "Category", "Left alone"],
    actions: shared.merging(
      ["recall": 1...1, "save": 0...1, "move": 2...2, "describe": 2...100],
      uniquingKeysWith: { one, _ in one }),
    live: ["recall": "/setup/recall", "save": "/setup/save"])

  static let setlists = ShowCommand(
    name: "setlists", columns: ["Number", "Name", "Entries"],
    actions: shared.merging(["load": 1...1], uniquingKeysWith: { one, _ in one }), live: ["load": "/set/name"]
  )

  func run(_ arguments: CommandArguments) throws {
    let (action, words) = (arguments.operands.first ?? "list", Array(arguments.operands.dropFirst()))
    let help = "pipit \(name) --help"
    guard let counts = action == "list" ? 0...0 : actions[action] else {
      throw CommandError.unknown(action, of: name, among: actions.keys.sorted())
    }
    guard counts.contains(words.count) else {
      let least = counts.lowerBound
      let takes = counts.upperBound == 0 ? "nothing" : least == 2 ? "two words or more" : "a name"
      throw CommandError.usage("\(name): '\(action)' takes \(takes)", help)
    }
    if let address = live[action] {
      let configured = try Configuration.adding([.oscPort], to: arguments)
      let instrument = RunningInstrument(command: name, port: configured.number(.oscPort))
      try instrument.ask(address, words.map { .string($0) })
      return action == "save" ? try instrument.finish() : ()
    }
    let writes = !Self.reading.contains(action) && !(action == "restore" && words.isEmpty)
    // The files are read before root changes to another user, who may not read them.
    let files = action == "import" ? words.map { ($0, PresetsCommand.contents($0)) } : []
    let keeper = try PresetsCommand.keeper(arguments, writes: writes, command: name)
    switch action {
    case "list": try table("list", [], columns, keeper, arguments)
    case "restore" where words.isEmpty: try table("trash", [], columns, keeper, arguments)
    case "versions":
      try table("versions", words, ["Age", "Saved", "Name"], keeper, arguments) {
        [$0[0], Int($0[1]).map { dateAndMinute($0) } ?? "unknown", $0[2]]
      }
    case "show": Console.print(try text(words[0], keeper))
    case "export": try export(words, keeper, arguments)
    case "import": try importTexts(files, keeper)
    case "describe": try change(action, words.prefix(2) + [words.dropFirst(2).joined(separator: " ")], keeper)
    default: try change(action, words, keeper)
    }
    if writes { try keeper.finish() }
  }

  private func change(_ action: String, _ words: [String], _ keeper: any PresetKeeper) throws {
    for answer in try keeper.ask("/\(name)/\(action)", words) { Console.print(answer.value.words + "\n") }
  }

  private func rows(_ address: String, _ words: [String], _ keeper: any PresetKeeper) throws -> [[String]] {
    try keeper.ask("/\(name)/\(address)", words).dropFirst().map { answer in
      answer.value.words.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
    }
  }

  private func table(
    _ address: String, _ words: [String], _ head: [String], _ keeper: any PresetKeeper,
    _ arguments: CommandArguments, _ row: ([String]) -> [String] = { $0 }
  ) throws {
    let lines = try rows(address, words, keeper).filter { $0.count == head.count }
    Lists.print([head] + lines.map(row), arguments)
  }

  private func text(_ word: String, _ keeper: any PresetKeeper) throws -> String {
    let text = try keeper.ask("/\(name)/show", [word]).map(\.value.words).joined()
    return text.hasSuffix("\n") ? text : text + "\n"
  }

  /// Writes the named documents, or all, one after the other.
  private func export(_ words: [String], _ keeper: any PresetKeeper, _ arguments: CommandArguments) throws {
    let names = words.isEmpty ? try rows("list", [], keeper).map { $0[0] } : words
    let text = try names.map { try self.text($0, keeper) }.joined()
    guard let output = arguments[.output] else { return Console.print(text) }
    do throws(FileError) {
      let file = try NewFile(output)
      try file.write(Array(text.utf8))
      try file.finish()
    } catch {
      throw CommandError("\(name): \(error)")
    }
  }

  /// Imports documents from files, and continues after an invalid file.
  private func importTexts(
    _ files: [(name: String, contents: Result<[UInt8], FileError>)], _ keeper: any PresetKeeper
  ) throws {
    var failures = 0
    for (file, contents) in files {
      switch contents {
      case .failure(let error):
        Console.log("\(name): \(error)")
        failures += 1
      case .success(let bytes):
        let stem = file.split(separator: "/").last?.split(separator: ".").first ?? ""
        for text in texts(String(decoding: bytes, as: UTF8.self)) {
          do {
            let answers = try keeper.importText("/\(name)/import", text, named: String(stem))
            for answer in answers { Console.print(answer.value.words + "\n") }
          } catch let error as CommandError {
            Console.log("\(file): \(error.sentence)")
            failures += 1
          }
        }
      }
    }
    if failures > 0 { throw CommandError("\(name): \(failures) of them could not be read") }
  }

  /// The documents of a file, each of which begins with its first line.
  private func texts(_ file: String) -> [String] {
    var texts: [String] = []
    var lines = file.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
    // The text after the last newline is not a line.
    if lines.last == "" { lines.removeLast() }
    for line in lines {
      if texts.isEmpty || line.hasPrefix("pipit \(name.dropLast()) ") { texts.append("") }
      texts[texts.count - 1] += line + "\n"
    }
    return texts
  }
}
