import Parameters
import Presets
import Storage
import Synth

// Storing, naming and erasing the snapshots of a part. Each change is a step of the part's history. The session keeps
// it at once, and the preset when it is saved.

extension PartPresets {
  /// Stores the sound of a part in a snapshot, 0…7; its name stays.
  public func store(_ snapshot: Int, part: Int) {
    onStep(part)
    let patch = patch(part: part)
    change(snapshot, part, "storing of") { Snapshot(patch, name: $0?.name ?? "") }
    saving.post("snapshot \(letter(snapshot))")
  }

  /// Names a snapshot, 0…7; an empty name removes the name.
  public func name(_ snapshot: Int, _ name: String, part: Int) throws(DocumentError) {
    guard snapshots(part: part)[snapshot] != nil else { throw isEmpty(snapshot) }
    if !name.isEmpty, Document.name(name) == nil {
      throw DocumentError(description: "takes a name that can be read")
    }
    change(snapshot, part, "naming of") { $0.map { Snapshot($0.patch, name: name) } }
    saving.post("the name of snapshot \(letter(snapshot))")
  }

  /// Empties a snapshot, 0…7.
  public func erase(_ snapshot: Int, part: Int) throws(DocumentError) {
    guard snapshots(part: part)[snapshot] != nil else { throw isEmpty(snapshot) }
    change(snapshot, part, "erasure of") { _ in nil }
    saving.post(change: "erasure of snapshot \(letter(snapshot))")
  }

  private func change(_ snapshot: Int, _ part: Int, _ action: String, _ body: (Snapshot?) -> Snapshot?) {
    let before = beginStep(part)
    var snapshots = before.snapshots
    snapshots[snapshot] = body(snapshots[snapshot])
    set(snapshots, part: part)
    endStep("\(action) snapshot \(letter(snapshot))", part, before)
    saveSession()
  }

  private func letter(_ snapshot: Int) -> String { Table.snapshots[snapshot].uppercased() }

  private func isEmpty(_ snapshot: Int) -> DocumentError {
    DocumentError(description: "snapshot \(letter(snapshot)) is empty")
  }
}
