import Scenes
import Storage
import System

/// The bank `gm`: for each program of General MIDI the factory preset that is nearest to it, and the drums of channel
/// 10.
public struct ProgramTable: Sendable {
  /// The preset of a program.
  struct Entry: Sendable, Hashable {
    /// The name of a factory preset.
    var name: String
    /// Its transposition, octaves, for presets that sound in a different octave from their key.
    var octaves = 0
    /// The change of its level, decibels.
    var decibels: Float = 0
    /// The change of its cutoff, octaves.
    var tone: Float = 0
    /// The change of its attacks' time, octaves: a note of a melody is shorter than the rise of a pad.
    var attack: Float = 0
    /// Its depth of velocity on the level, 0…1. At 1 the level follows General MIDI, 40 log10(velocity / 127) decibels; a
    /// sound that is also darker when it is struck softly comes to the same with less.
    var velocity: Float = 1
    /// The name of the program in the standard; empty if the line does not give it.
    var standard = ""

    /// Whether it is the same sound as another.
    func sounds(as other: Entry) -> Bool {
      name.lowercased() == other.name.lowercased() && octaves == other.octaves
        && [decibels, tone, attack, velocity] == [other.decibels, other.tone, other.attack, other.velocity]
    }
  }

  /// A drum kit.
  struct Kit: Sendable {
    /// The program that chooses it, 0…127.
    let program: Int
    /// Its preset.
    let entry: Entry
    /// Its drums, by key; those of the standard kit for other keys.
    fileprivate(set) var keys: [UInt8: Drum] = [:]
    /// Its drums that have presets of their own, by key; those of the standard kit for other keys.
    fileprivate(set) var sounds: [UInt8: Sound] = [:]
  }

  /// A drum with a preset of its own, and the key at which the preset plays.
  typealias Sound = (key: UInt8, entry: Entry)

  /// The entry of each program, 0…127; nil without one.
  private(set) var programs: [Entry?] = Array(repeating: nil, count: Slot.programs)
  /// The preset of channel 10.
  private(set) var drums: Entry?
  /// The drums of channel 10, by key.
  private(set) var keys: [UInt8: Drum] = [:]
  /// The drums of channel 10 that have presets of their own, by key.
  private(set) var sounds: [UInt8: Sound] = [:]
  /// The other kits of channel 10.
  private(set) var kits: [Kit] = []

  /// The name of its file in the folder of factory presets.
  static let file = "gm.txt"
  /// The largest transposition of a preset, octaves.
  private static let mostOctaves = 3
  /// The largest change of its level, decibels.
  private static let mostDecibels: Float = 24
  /// The largest change of its cutoff, octaves.
  private static let mostTone: Float = 4
  /// How much faster its attacks may be, octaves.
  private static let mostAttack: Float = 8

  /// Reads the text of a table; `names` are the existing presets, in lower case. Invalid lines and unknown presets are
  /// ignored with a warning. Throws for a text that is not a table.
  static func read(
    _ text: String, names: Set<String>
  ) throws(TextRefusal) -> (table: ProgramTable, warnings: [TextWarning]) {
    var table = ProgramTable()
    let warnings = try TextFormat.read(text, kind: "programs", limit: Limits.textBytes) { word, rest in
      if word == "key" { return table.key(rest) }
      if word == "drum" { return table.drum(rest, names: names) }
      if word == "kit" { return table.kit(rest, names: names) }
      guard let entry = entry(rest) else { return "expected the name of a preset" }
      if !names.contains(entry.name.lowercased()) { return "no factory preset has this name" }
      if word == "drums" {
        table.drums = entry
        return nil
      }
      guard let number = Int(word), (1...Slot.programs).contains(number) else {
        return "expected a program, 1 to \(Slot.programs), or \"drums\""
      }
      if table.programs[number - 1] != nil { return "an earlier line has this program" }
      table.programs[number - 1] = entry
      return nil
    }
    return (table, warnings)
  }

  /// Reads a line of two keys and an optional group. Returns the problem, or nil.
  private mutating func key(_ rest: Substring) -> String? {
    let words = Self.words(rest)
    guard words.count >= 2, let key = UInt8(words[0]), let played = UInt8(words[1]), max(key, played) < 128
    else {
      return "expected two keys, 0 to 127"
    }
    if (kits.last?.keys ?? keys)[key] != nil { return "an earlier line has this key" }
    var drum = Drum(key: played)
    if words.count > 2 {
      guard words.count == 3, let group = UInt8(words[2]), (1...127).contains(group) else {
        return "expected a group after the keys, 1 to 127, or nothing"
      }
      drum.group = group
    }
    if kits.isEmpty { keys[key] = drum } else { kits[kits.count - 1].keys[key] = drum }
    return nil
  }

  /// Reads a line of two keys and a preset. Returns the problem, or nil.
  private mutating func drum(_ rest: Substring, names: Set<String>) -> String? {
    let words = rest.utf8.split(maxSplits: 2, whereSeparator: isBlank).map(Substring.init)
    guard words.count == 3, let key = UInt8(words[0]), let played = UInt8(words[1]), max(key, played) < 128,
      var entry = Self.entry(words[2])
    else { return "expected two keys, 0 to 127, and the name of a preset" }
    if !names.contains(entry.name.lowercased()) { return "no factory preset has this name" }
    if (kits.last?.sounds ?? sounds)[key] != nil { return "an earlier line has this key" }
    // Drums with one preset share their sound.
    entry.standard = ""
    if kits.isEmpty {
      sounds[key] = (played, entry)
    } else {
      kits[kits.count - 1].sounds[key] = (played, entry)
    }
    return nil
  }

  /// Begins a kit: a program and a preset. The lines of keys and drums after it are of this kit. Returns the problem,
  /// or nil.
  private mutating func kit(_ rest: Substring, names: Set<String>) -> String? {
    let words = rest.utf8.split(maxSplits: 1, whereSeparator: isBlank).map(Substring.init)
    guard words.count == 2, let program = Int(words[0]), (2...Slot.programs).contains(program),
      let entry = Self.entry(words[1])
    else { return "expected a program, 2 to \(Slot.programs), and the name of a preset" }
    if !names.contains(entry.name.lowercased()) { return "no factory preset has this name" }
    if kits.count == Limits.otherKits { return "more kits than there may be" }
    if kits.contains(where: { $0.program == program - 1 }) { return "an earlier line has this program" }
    // The kit of a part is found by the sound of its preset.
    if ([drums] + kits.map(\.entry)).contains(where: { $0.map { entry.sounds(as: $0) } ?? false }) {
      return "another kit has this preset, with the same tone and level"
    }
    kits.append(Kit(program: program - 1, entry: entry))
    return nil
  }

  /// The words of a line without its comment.
  private static func words(_ rest: Substring) -> [Substring] {
    rest.utf8.split(whereSeparator: isBlank).prefix { $0.first != UInt8(ascii: "#") }.map(Substring.init)
  }

  /// Reads a name, and then if they are there octaves, a tone and an attack in octaves, a depth of velocity in percent, a
  /// level in decibels, and a comment.
  private static func entry(_ rest: Substring) -> Entry? {
    var (words, entry) = (words(rest), Entry(name: ""))
    /// The number of the last word, which is then no longer there, without what it begins and ends with.
    func number(after prefix: String = "", before suffix: String = "") -> Float? {
      guard let last = words.last, last.hasPrefix(prefix), last.hasSuffix(suffix),
        let number = Float(last.dropFirst(prefix.count).dropLast(suffix.count)), number.isFinite
      else { return nil }
      words.removeLast()
      return number
    }
    if let level = number(before: "dB") { entry.decibels = max(-mostDecibels, min(level, mostDecibels)) }
    if let depth = number(after: "velocity") { entry.velocity = max(0, min(depth / 100, 1)) }
    if let attack = number(after: "attack") { entry.attack = max(-mostAttack, min(attack, 0)) }
    if let tone = number(after: "tone") { entry.tone = max(-mostTone, min(tone, mostTone)) }
    if let last = words.last, last.hasPrefix("+") || last.hasPrefix("-"), let octaves = Int(last) {
      entry.octaves = max(-mostOctaves, min(octaves, mostOctaves))
      words.removeLast()
    }
    guard let name = Document.name(words.joined(separator: " ")) else { return nil }
    entry.name = name
    let comment = rest.utf8.drop { $0 != UInt8(ascii: "#") }.dropFirst()
    entry.standard = comment.split(whereSeparator: isBlank).map(Substring.init).joined(separator: " ")
    return entry
  }
}

private func isBlank(_ byte: UInt8) -> Bool { byte == 32 || byte == 9 }

/// Reads the table of a folder of presets; nil if there is none, or it cannot be read.
func programTable(_ folder: String, names: Set<String>, log: (String) -> Void) -> ProgramTable? {
  let path = folder + "/" + ProgramTable.file
  guard fileNames(in: folder)?.contains(ProgramTable.file) == true else { return nil }
  do {
    let text = String(decoding: try readFile(path, limit: Limits.textBytes, waits: false), as: UTF8.self)
    let (table, warnings) = try ProgramTable.read(text, names: names)
    for warning in warnings { log("the programs in \(path), \(warning)") }
    return table
  } catch {
    log("skipped the programs in \(path): \(error)")
    return nil
  }
}
