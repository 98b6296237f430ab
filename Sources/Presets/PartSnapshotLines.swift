import Parameters
import Storage
import Synth

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
