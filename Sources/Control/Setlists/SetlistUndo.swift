import Presets
import Storage
import Synth

// Undo and redo of changes of setlists: edits, renamings, removals, imports. None changes the sound: the position and
// the cue follow their entries.

extension Setlists {
  /// Undoes the last change of a setlist.
  public func undo() throws(DocumentError) {
    guard let step = history.undo() else { throw DocumentError(description: "there is nothing to undo") }
    turn(step.changes.reversed(), step.before, "undo of \(step.action)") { library.documents.undo($0) }
  }

  /// Redoes the change that was undone last.
  public func redo() throws(DocumentError) {
    guard let step = history.redo() else { throw DocumentError(description: "there is nothing to redo") }
    turn(step.changes, step.after, "redo of \(step.action)") { library.documents.redo($0) }
  }

  /// Runs changes of setlists as a step of the history.
  func change(_ action: String, _ body: () throws(DocumentError) -> Void) throws(DocumentError) {
    let before = key
    let changes = try library.documents.recording(body)
    writer.changed(.show)
    if changes.isEmpty { return }
    history.add(.init(action: action, before: before, after: key, changes: changes))
    presets.saving.post(change: action)
  }

  private func turn(
    _ changes: [DocumentChange], _ key: String, _ words: String, _ turn: (DocumentChange) -> Bool
  ) {
    let before = setlist
    let kept = changes.filter { !turn($0) }
    // A new setlist has chosen itself; another that was chosen since stays.
    if document == nil, key != self.key {
      (self.key, position, chosen, waiting) = (key, nil, nil, nil)
    } else if !before.entries.isEmpty {
      follow(replaced: before)
    }
    if kept.isEmpty {
      presets.saving.post(change: words)
    } else {
      notices.post("saved since by another hand, and left as it is: setlist \(kept[0].id.key)", about: .show)
    }
    writer.changed(.show)
  }
}
