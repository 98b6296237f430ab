import Parameters
import Storage
import Synth

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
