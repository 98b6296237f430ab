import Parameters
import Storage
import Synth

/// A sound as text: what a preset file and a preset in the database hold.
///
/// ```
/// pipit preset 1
/// name Warm Bass
/// category basses
/// # Comments are welcome.
/// /osc/1/wave saw
/// /filter/cutoff/hz 420
/// ```
///
/// The lines are OSC messages, in units, and only what differs from `Patch.initial`. Pure functions, any thread.
public enum PresetText {
  /// What a text says.
  public struct Reading: Sendable {
    /// The sound; knobs that the text does not name stand at their initial values.
    public var patch = Patch.initial
    /// The name, when a line gives one.
    public var name: String?
    /// What else the text says of it.
    public var about = PresetAbout()
    /// Where it lay, when a line says so.
    public var slot: Slot?
    /// What could not be taken as it stands.
    public var warnings: [TextWarning] = []
  }

  /// The text of a sound. It reads back to the same bits.
  public static func write(_ patch: Patch, name: String? = nil) -> String {
    var text = TextFormat.head("preset")
    if let name { text += "name \(name)\n" }
    for row in Table.rows where row.field.scope == .patch && patch[row].bitPattern != row.initial.bitPattern {
      text += KnobLine.write("", row, patch[row])
    }
    return text
  }

  /// Reads a text. Lines that mean nothing here are left out with a warning; numbers out of range are brought
  /// inside with a warning. Throws only for a text that is no preset at all, or longer than `limit` bytes.
  public static func read(_ text: String, limit: Int = Limits.textBytes) throws(TextRefusal) -> Reading {
    var reading = Reading()
    let warnings = try TextFormat.read(text, kind: "preset", limit: limit) { word, rest in
      if word == "name" {
        reading.name = Document.name(String(rest))
        return reading.name == nil ? "expected a name" : nil
      }
      if word == "slot" {
        let numbers = rest.split(separator: " ").compactMap { Int($0) }
        reading.slot = numbers.count == 2 ? Slot(bank: numbers[0], program: numbers[1]) : nil
        return reading.slot == nil ? "expected a bank and a program" : nil
      }
      if PresetAbout.words.contains(word) { return reading.about.take(word, rest) }
      guard let address = Address(word, focus: 0) else { return "no such knob" }
      let row = Table.rows[address.knob.row]
      guard row.field.scope == .patch, Table.part(word) == nil else {
        return "not a knob of the sound; a preset holds the sound only"
      }
      let line = KnobLine.read(address, rest)
      if let value = line.value { reading.patch[row] = value }
      return line.problem
    }
    reading.warnings = warnings
    return reading
  }

  /// The name that a text gives, nil when no line does, as at a start: what else it says is read when it is recalled.
  /// Throws for a text that is no preset.
  static func name(of text: String) throws(TextRefusal) -> String? {
    let lines = text.utf8.split(separator: 10, omittingEmptySubsequences: false)
    _ = try TextFormat.read(String(Substring(lines[0])), kind: "preset", limit: Limits.textBytes) { _, _ in
      nil
    }
    var name: String?
    // By bytes: every file is looked through before the first sound.
    for bytes in lines.dropFirst() {
      let start = bytes.drop { $0 == 32 || $0 == 9 }
      guard start.starts(with: "name".utf8) else { continue }
      let rest = Substring(start).dropFirst(4)
      if rest.first == " " || rest.first == "\t" { name = Document.name(String(TextFormat.trimmed(rest))) }
    }
    return name
  }

  /// A text without its lines that say a name and a slot: what is kept in a slot under a name.
  static func bare(_ text: String) -> String { TextFormat.removing(["name", "slot"], from: text) }

  /// The presets in a text that holds one after the other, as an export does.
  public static func split(_ text: String) -> [String] {
    var texts: [String] = []
    for line in text.split(omittingEmptySubsequences: false, whereSeparator: { $0.isNewline }) {
      let isFirst = line.drop { $0 == "\u{FEFF}" }.hasPrefix("pipit preset ")
      if isFirst || texts.isEmpty { texts.append("") }
      texts[texts.count - 1] += line + "\n"
    }
    // Empty lines at the end are between two presets, and in neither.
    return texts.map { text in
      var text = text
      while text.hasSuffix("\n\n") { text.removeLast() }
      return text
    }.filter { $0.contains { !$0.isWhitespace } }
  }
}
