import Storage
import Synth
import System

/// The bank `gm`: for each program of General MIDI the preset of the factory's that comes nearest to it, and what
/// channel 10 plays. Plain data.
public struct ProgramTable: Sendable, Equatable {
  /// What a program plays.
  struct Entry: Sendable, Equatable {
    /// The name of a preset of the factory's.
    var name: String
    /// Octaves that it is moved by: some presets sound in another octave than their key.
    var octaves = 0
    /// What the standard calls the program, where the line says it.
    var standard = ""
  }

  /// For each program 0…127; nil where the table says nothing.
  private(set) var programs: [Entry?] = Array(repeating: nil, count: Slot.programs)
  /// What channel 10 plays.
  private(set) var drums: Entry?
  /// For keys of channel 10 what they are on the preset that plays them.
  private(set) var keys: [UInt8: Drum] = [:]

  /// Its file among the factory's presets.
  static let file = "gm.txt"
  /// The farthest that a preset is moved, octaves.
  private static let mostOctaves = 3

  /// Reads the text of a table; `names` are those of the presets there are, in lower case. A wrong line is left out with a
  /// warning, and so is one whose preset does not exist. Throws for a text that is no table at all.
  static func read(
    _ text: String, names: Set<String>
  ) throws(TextRefusal) -> (table: ProgramTable, warnings: [TextWarning]) {
    var table = ProgramTable()
    let warnings = try TextFormat.read(text, kind: "programs", limit: Limits.textBytes) { word, rest in
      if word == "key" { return table.key(rest) }
      guard let entry = entry(rest) else { return "expected the name of a preset" }
      if !names.contains(entry.name.lowercased()) { return "no factory preset has this name" }
      if word == "drums" {
        table.drums = entry
        return nil
      }
      guard let number = Int(word), (1...Slot.programs).contains(number) else {
        return "expected a program, 1 to \(Slot.programs), or \"drums\""
      }
      if table.programs[number - 1] != nil { return "the program stands in an earlier line" }
      table.programs[number - 1] = entry
      return nil
    }
    return (table, warnings)
  }

  /// Takes a line of two keys, and perhaps a group; what is wrong with it, if anything is.
  private mutating func key(_ rest: Substring) -> String? {
    let words = Self.words(rest)
    guard words.count >= 2, let key = UInt8(words[0]), let place = UInt8(words[1]), max(key, place) < 128
    else {
      return "expected two keys, 0 to 127"
    }
    if keys[key] != nil { return "the key stands in an earlier line" }
    var drum = Drum(key: place)
    if words.count > 2 {
      guard words.count == 3, let group = UInt8(words[2]), (1...127).contains(group) else {
        return "expected a group behind the keys, 1 to 127, or nothing"
      }
      drum.group = group
    }
    keys[key] = drum
    return nil
  }

  /// The words of a line, without a comment behind them.
  private static func words(_ rest: Substring) -> [Substring] {
    Array(rest.split { $0 == " " || $0 == "\t" }.prefix { !$0.hasPrefix("#") })
  }

  /// A name, perhaps octaves behind it, and perhaps a comment.
  private static func entry(_ rest: Substring) -> Entry? {
    var words = words(rest)
    var octaves = 0
    if let last = words.last, last.hasPrefix("+") || last.hasPrefix("-"), let number = Int(last) {
      octaves = max(-mostOctaves, min(number, mostOctaves))
      words.removeLast()
    }
    guard let name = Document.name(words.joined(separator: " ")) else { return nil }
    let comment = rest.firstIndex(of: "#").map { rest[$0...].dropFirst() } ?? ""
    let standard = comment.split { $0 == " " || $0 == "\t" }.joined(separator: " ")
    return Entry(name: name, octaves: octaves, standard: standard)
  }
}

/// Reads the table in a folder of presets; nil when there is none, or when it cannot be read.
func programTable(_ folder: String, names: Set<String>, log: (String) -> Void) -> ProgramTable? {
  let path = folder + "/" + ProgramTable.file
  guard fileNames(in: folder)?.contains(ProgramTable.file) == true else { return nil }
  do {
    let text = String(decoding: try readFile(path, limit: Limits.textBytes, waits: false), as: UTF8.self)
    let (table, warnings) = try ProgramTable.read(text, names: names)
    for warning in warnings { log("the programs in \(path), \(warning)") }
    return table
  } catch {
    log("left out the programs in \(path): \(error)")
    return nil
  }
}
