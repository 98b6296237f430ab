import Parameters
import Scenes
import Storage

/// The text format of presets, in files and in the database.
///
/// ```
/// pipit preset 1
/// name Warm Bass
/// category basses
/// # Comments are welcome.
/// /osc/1/wave saw
/// /filter/cutoff/hz 420
/// snapshot B "Chorus"
/// /chorus/on on
/// ```
///
/// The lines are OSC messages in units, for the knobs that differ from `Patch.initial`. Those below the line of a
/// snapshot belong to the snapshot, for the knobs that differ from the sound above. Functions with a register read the
/// names of its numbers there, and teach it names that they find. Any thread.
public enum PresetText {
  /// The content of a text.
  public struct Reading: Sendable {
    /// The sound; knobs that the text does not name have their initial values.
    public var patch = Patch.initial
    /// The snapshots.
    public var snapshots = Snapshots()
    /// The name; nil if the text has none.
    public var name: String?
    /// The description.
    public var about = PresetAbout()
    /// The slot; nil if the text has none.
    public var slot: Slot?
    /// The problems of the text.
    public var warnings: [TextWarning] = []
  }

  /// Writes a sound as text, which reads back to the same bits.
  public static func write(
    _ patch: Patch, name: String? = nil, about: PresetAbout = PresetAbout(),
    snapshots: Snapshots = Snapshots(), names: NameRegister
  ) -> String {
    var text = TextFormat.head("preset")
    if let name { text += "name \(name)\n" }
    for line in about.lines { text += line + "\n" }
    for row in Table.rows where row.field.scope == .patch && patch[row].bitPattern != row.initial.bitPattern {
      text += KnobLine.write("", row, patch[row], names)
    }
    return text + SequenceLine.write("", patch.sequence)
      + SnapshotLines.write("", snapshots, over: patch, names)
  }

  /// Writes a sound with its snapshots, as `write(_:name:about:snapshots:names:)`.
  public static func write(
    _ sound: PartSound, name: String? = nil, about: PresetAbout = PresetAbout(), names: NameRegister
  ) -> String {
    write(sound.patch, name: name, about: about, snapshots: sound.snapshots, names: names)
  }

  /// Reads a text. Unknown lines are ignored and numbers out of range are clamped, with a warning. Throws for a text
  /// that is not a preset, or longer than `limit` bytes.
  public static func read(
    _ text: String, limit: Int = Limits.presetBytes, names: NameRegister
  ) throws(TextRefusal) -> Reading {
    var reading = Reading()
    var lines = SnapshotLines()
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
      if word == SnapshotLines.word { return lines.begin(rest, over: reading.patch, &reading.snapshots) }
      return lines.take(&reading.patch, &reading.snapshots) { read(word, rest, into: &$0, names) }
    }
    reading.warnings = warnings
    return reading
  }

  /// Reads a line of a sound: a knob or a step. Returns a problem if it cannot be read, or its value was changed.
  static func read(
    _ word: Substring, _ rest: Substring, into patch: inout Patch, _ names: NameRegister
  ) -> String? {
    if let step = SequenceLine.step(word) { return SequenceLine.read(rest, step, &patch.sequence) }
    guard let address = Address(word, focus: 0) else { return "no such knob" }
    let row = Table.rows[address.knob.row]
    guard row.field.scope == .patch, Table.part(word) == nil else {
      return "not a knob of the sound; a preset holds the sound only"
    }
    let line = KnobLine.read(address, rest, names)
    if let value = line.value { patch[row] = value }
    return line.problem
  }

  /// Reads only the name of a text, for a fast start; nil if it has none. Throws for a text that is not a preset.
  static func name(of text: String) throws(TextRefusal) -> String? {
    let first = Substring(text.utf8.prefix { $0 != 10 })
    _ = try TextFormat.read(String(first), kind: "preset", limit: Limits.presetBytes) { _, _ in nil }
    var name: String?
    // On bytes, for speed: this runs for every file before the instrument can play.
    DescribingLines.each(text) { line in
      let start = line.drop { $0 == 32 || $0 == 9 }
      guard start.starts(with: "name".utf8), let blank = start.dropFirst(4).first, blank == 32 || blank == 9
      else { return }
      name = Document.name(String(TextFormat.trimmed(Substring(decoding: start.dropFirst(4), as: UTF8.self))))
    }
    return name
  }

  /// A text without its lines for name and slot, as it is stored in a slot.
  static func bare(_ text: String) -> String { TextFormat.removing(["name", "slot"], from: text) }

  /// A text with another description.
  static func describing(_ text: String, _ about: PresetAbout) -> String {
    TextFormat.adding(
      about.lines, to: TextFormat.removing(PresetAbout.words.map(String.init), from: text), kind: "preset")
  }

  /// The reason why a text cannot be read at all, found without reading its knobs; nil if it can.
  static func refusal(_ text: String) -> String? {
    do throws(TextRefusal) {
      try TextFormat.check(text, kind: "preset", limit: Limits.presetBytes)
      _ = try TextFormat.read(String(text.prefix { !$0.isNewline }), kind: "preset", limit: .max) { _, _ in
        nil
      }
      return nil
    } catch {
      return error.description
    }
  }
}
