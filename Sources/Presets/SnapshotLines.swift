import Parameters
import Scenes
import Storage

/// The lines of snapshots in a text: `snapshot B "Chorus"`, then a line for each knob and step that differs from the
/// sound above. While a text is read, it knows the snapshot that the next line belongs to.
struct SnapshotLines {
  /// The first word of the line that begins a snapshot.
  static let word: Substring = "snapshot"

  private enum Section {
    case sound
    case snapshot(Int)
    /// Below a line that names no snapshot: its lines must change nothing else.
    case nowhere
  }
  private var section = Section.sound

  /// The lines of the snapshots of a sound, with a prefix after the word `snapshot`.
  static func write(
    _ prefix: String, _ snapshots: Snapshots, over patch: Patch, _ names: NameRegister
  ) -> String {
    var text = ""
    for index in snapshots.filled {
      guard let snapshot = snapshots[index] else { continue }
      let name = snapshot.name.isEmpty ? "" : " " + snapshot.title
      text += "\(word) \(prefix)\(Table.snapshots[index].uppercased())\(name)\n"
      for row in Table.rows where row.field.scope == .patch {
        let value = snapshot.patch[row]
        if value.bitPattern != patch[row].bitPattern { text += KnobLine.write("", row, value, names) }
      }
      text += SequenceLine.write(snapshot.patch.sequence, over: patch.sequence)
    }
    return text
  }

  /// Begins a snapshot at the line `snapshot` with this rest: a copy of the sound, for the lines that follow. Returns a
  /// problem if it cannot; the lines that follow are then ignored.
  mutating func begin(_ rest: Substring, over patch: Patch, _ snapshots: inout Snapshots) -> String? {
    section = .nowhere
    let letter = rest.prefix { $0 != " " && $0 != "\t" }
    let quoted = TextFormat.trimmed(rest[letter.endIndex...])
    guard let index = Table.snapshots.firstIndex(of: letter.lowercased()), let name = Self.name(quoted) else {
      return "expected a letter from A to H, and a name in quotes; the lines below are ignored"
    }
    if snapshots[index] != nil {
      return "the text has two snapshots \(letter); the lines below are ignored"
    }
    snapshots[index] = Snapshot(patch, name: name)
    section = .snapshot(index)
    return nil
  }

  /// The name in quotes; empty for nothing, nil for anything else.
  private static func name(_ quoted: Substring) -> String? {
    if quoted.isEmpty { return "" }
    guard quoted.utf8.count >= 2, quoted.first == "\"", quoted.last == "\"" else { return nil }
    let name = quoted.dropFirst().dropLast()
    return name.isEmpty ? "" : Document.name(String(name))
  }

  /// Reads a line of a sound with `read`, into the sound or the snapshot that it belongs to.
  func take(
    _ patch: inout Patch, _ snapshots: inout Snapshots, _ read: (inout Patch) -> String?
  ) -> String? {
    switch section {
    case .sound: return read(&patch)
    case .snapshot(let index):
      guard var snapshot = snapshots[index] else { return nil }
      let problem = read(&snapshot.patch)
      snapshots[index] = snapshot
      return problem
    case .nowhere: return nil
    }
  }
}

extension SequenceLine {
  /// The lines of the steps in which a sequence differs from another one.
  static func write(_ sequence: StepSequence, over other: StepSequence) -> String {
    var text = ""
    for step in 0..<StepSequence.mostSteps where sequence[step] != other[step] {
      text += line("", step, sequence[step])
    }
    return text
  }
}

/// The snapshots of all parts in a text of sessions or setups: `snapshot PART LETTER "NAME"`, then lines without
/// `/part/N`. While a text is read, it knows the part and the snapshot that the next line belongs to.
struct PartSnapshotLines {
  /// The snapshots of each part.
  private(set) var snapshots = Array(repeating: Snapshots(), count: Limits.parts)
  private var open: (part: Int, lines: SnapshotLines)?
  private let names: NameRegister

  init(_ names: NameRegister) { self.names = names }

  /// Begins a snapshot at a line `snapshot` with this rest, as a copy of the part's sound. Returns a problem.
  mutating func begin(_ rest: Substring, over scene: Scene) -> String? {
    let number = rest.prefix { $0 != " " }
    let part = Int(number).flatMap { (1...Limits.parts).contains($0) ? $0 - 1 : nil }
    var lines = SnapshotLines()
    // Without a valid part there is no letter, so the lines below are ignored.
    let rest = part == nil ? "" : TextFormat.trimmed(rest[number.endIndex...])
    let problem = lines.begin(rest, over: scene[part ?? 0].patch, &snapshots[part ?? 0])
    open = (part ?? 0, lines)
    return part == nil ? "expected a part, a letter from A to H, and a name in quotes" : problem
  }

  /// Reads a line of the open snapshot, with its problem if there is one; nil for a line that belongs to none.
  mutating func take(_ word: Substring, _ rest: Substring) -> (problem: String?, Void)? {
    guard let open, Table.part(word) == nil else { return nil }
    var patch = Patch.initial
    let problem = open.lines.take(&patch, &snapshots[open.part]) {
      PresetText.read(word, rest, into: &$0, names)
    }
    return (problem, ())
  }
}
