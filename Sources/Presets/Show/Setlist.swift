import Parameters
import Scenes
import Storage

/// The order of a show: a list of setups and presets, with the settings that each entry adds.
public struct Setlist: Sendable, Equatable {
  /// The entries in order, `Limits.setlistEntries` at most.
  public var entries: [SetlistEntry] = []
  /// Notes about the whole list.
  public var notes = ""

  /// An empty list.
  public init() {}
}

/// An entry of a setlist.
public struct SetlistEntry: Sendable, Equatable {
  /// The document that it recalls.
  public enum Content: Sendable, Equatable {
    /// A setup by its slot and its name.
    case setup(PresetReference)
    /// A preset, in the part in focus.
    case preset(PresetReference)

    /// The slot and the name.
    public var reference: PresetReference {
      switch self {
      case .setup(let reference), .preset(let reference): reference
      }
    }
  }

  /// The setup or preset.
  public var content: Content
  /// The title; empty to show the name.
  public var title = ""
  /// The transposition of keys struck from then on, -12…12 semitones; drum parts are not transposed.
  public var transpose = 0
  /// The tempo instead of the setup's, beats a minute; nil for the setup's.
  public var tempo: Float?
  /// The snapshot with which it starts, A to H; nil without one.
  public var snapshot: Character?
  /// Notes for the player.
  public var notes = ""
  /// The colour, a word; empty without one.
  public var color = ""
  /// Whether next and previous pass it over.
  public var isSkipped = false

  /// An entry that adds nothing.
  public init(_ content: Content) { self.content = content }

  /// The title, or else the name of the setup or preset.
  public var shownTitle: String { title.isEmpty ? content.reference.name : title }
}

/// Setlists as text: a line `entry setup BANK PROGRAM NAME` or `entry preset BANK PROGRAM NAME` for each entry,
/// followed by its lines `title`, `transpose`, `tempo`, `snapshot`, `notes`, `color` and `skip`.
public enum SetlistText {
  /// The longest notes of an entry, characters.
  static let noteLetters = 2_000

  /// Writes a setlist as text.
  public static func write(_ setlist: Setlist) -> String {
    var text = TextFormat.head("setlist") + notes(setlist.notes)
    for entry in setlist.entries {
      text += "entry \(words(entry.content))\n"
      for name in names where name != "notes" {
        let value = value(name, of: entry)
        if !value.isEmpty { text += "\(name) \(value)\n" }
      }
      text += notes(entry.notes)
    }
    return text
  }

  /// The document that an entry recalls, as `setup 0 3 Night drive`.
  public static func words(_ content: SetlistEntry.Content) -> String {
    let kind = if case .setup = content { "setup" } else { "preset" }
    let reference = content.reference
    return "\(kind) \(reference.slot.map { "\($0.bank) \($0.program)" } ?? "- -") \(reference.name)"
  }

  /// Whether the text of a setlist may name a setup or a preset, found without reading it.
  public static func mayName(_ name: String, in text: String) -> Bool {
    var (name, text) = (name, text)
    return name.withUTF8 { name in
      text.withUTF8 { text in
        UnsafeRawBufferPointer(text).firstIndex(of: UnsafeRawBufferPointer(name), from: 0) != nil
      }
    }
  }

  private static func notes(_ notes: String) -> String {
    if notes.isEmpty { return "" }
    return notes.split(separator: "\n", omittingEmptySubsequences: false).map { "notes \($0)\n" }.joined()
  }

  /// Reads a text. Lines that cannot be read are ignored, with a warning. Throws for a text that is not a setlist.
  public static func read(_ text: String) throws(TextRefusal) -> (setlist: Setlist, warnings: [TextWarning]) {
    var setlist = Setlist()
    // The lines of an entry that cannot be read are ignored.
    var isLost = false
    let warnings = try TextFormat.read(text, kind: "setlist", limit: DocumentKind.setlist.textBytes) {
      word, rest in
      switch word {
      case "name", "key": return nil
      case "entry":
        isLost = setlist.entries.count >= Limits.setlistEntries
        if isLost { return "expected \(Limits.setlistEntries) entries at most" }
        guard let content = content(rest) else {
          isLost = true
          return "expected setup or preset, a bank, a program and a name"
        }
        setlist.entries.append(SetlistEntry(content))
        return nil
      case _ where isLost: return nil
      case "notes" where setlist.entries.isEmpty: return add(rest, to: &setlist.notes)
      case "notes": return add(rest, to: &setlist.entries[setlist.entries.count - 1].notes)
      default:
        if setlist.entries.isEmpty { return "expected an entry first" }
        return set(String(word), String(rest), of: &setlist.entries[setlist.entries.count - 1])
      }
    }
    return (setlist, warnings)
  }

  private static func add(_ line: Substring, to notes: inout String) -> String? {
    let line = TextFormat.printable(line, length: 200)
    if notes.count + line.count > noteLetters { return "expected \(noteLetters) letters at most" }
    notes += (notes.isEmpty ? "" : "\n") + line
    return nil
  }

  /// The words after `entry`, as `setup 0 3 Night drive`.
  public static func content(_ words: some StringProtocol) -> SetlistEntry.Content? {
    let words = words.split(separator: " ", maxSplits: 3)
    guard words.count == 4, let name = Document.name(String(words[3])) else { return nil }
    let slot = Int(words[1]).flatMap { bank in Int(words[2]).flatMap { Slot(bank: bank, program: $0) } }
    if slot == nil && words[1] != "-" { return nil }
    switch words[0] {
    case "setup": return .setup(PresetReference(slot: slot, name: name))
    case "preset": return .preset(PresetReference(slot: slot, name: name))
    default: return nil
    }
  }

  // MARK: - Settings of an entry

  /// The names of the settings of an entry.
  public static let names = ["title", "transpose", "tempo", "snapshot", "color", "skip", "notes"]

  /// The value of a setting, in words; empty for none.
  public static func value(_ name: String, of entry: SetlistEntry) -> String {
    switch name {
    case "title": entry.title
    case "transpose": entry.transpose == 0 ? "" : "\(entry.transpose)"
    case "tempo": entry.tempo.map(number) ?? ""
    case "snapshot": entry.snapshot.map { "\($0)" } ?? ""
    case "color": entry.color
    case "skip": entry.isSkipped ? "on" : ""
    case "notes": entry.notes
    default: ""
    }
  }

  /// Changes a setting of an entry; without words it is removed. Returns the expected input if it is invalid.
  public static func set(_ name: String, _ words: String, of entry: inout SetlistEntry) -> String? {
    switch name {
    case "title": entry.title = Document.name(words) ?? ""
    case "transpose":
      guard let number = Int(words.isEmpty ? "0" : words), (-12...12).contains(number) else {
        return "expected -12 to 12 semitones"
      }
      entry.transpose = number
    case "tempo":
      let tempo = tempo(words[...])
      if tempo == nil && !words.isEmpty { return "expected 20 to 300 beats a minute" }
      entry.tempo = tempo
    case "snapshot":
      let letter = words.uppercased()
      if !letter.isEmpty && !(letter.count == 1 && ("A"..."H").contains(letter)) { return "expected A to H" }
      entry.snapshot = letter.first
    case "color": entry.color = Document.name(words) ?? ""
    case "skip":
      guard ["on", "off", "1", "0", ""].contains(words) else { return "expected on or off" }
      entry.isSkipped = words == "on" || words == "1"
    case "notes":
      var notes = ""
      for line in words.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline) {
        if let why = add(line, to: &notes) { return why }
      }
      entry.notes = notes
    default: return "expected one of " + names.joined(separator: ", ")
    }
    return nil
  }

  private static let tempoRow = Table.rows.first { $0.address == "/tempo" }

  /// A tempo in words; nil for anything else, or out of range.
  static func tempo(_ words: Substring) -> Float? {
    guard let range = tempoRow?.kind.range, let tempo = Float(words), range.contains(tempo) else {
      return nil
    }
    return tempo
  }

  /// A tempo as text, which reads back to the same bits.
  static func number(_ tempo: Float) -> String { tempoRow?.kind.exact(value: tempo) ?? "\(tempo)" }
}
