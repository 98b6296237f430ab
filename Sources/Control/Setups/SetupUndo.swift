import Presets
import Storage
import Synth

// Undo and redo of recalls, saves, renamings and removals of setups.

extension Setups {
  /// Undoes the last recall, save, renaming or removal of a setup, with the edits that a recall has dropped.
  public func undo() throws(DocumentError) {
    guard let step = history.undo() else { throw DocumentError(description: "there is nothing to undo") }
    let kept = step.changes.reversed().filter { !library.documents.undo($0) }
    go(to: step.before, "undone \(step.action)", kept)
    if kept.isEmpty { notices.post("Undone: \(step.action)", about: .show, .moment(seconds: 3), log: "") }
  }

  /// Redoes the last undone step.
  public func redo() throws(DocumentError) {
    guard let step = history.redo() else { throw DocumentError(description: "there is nothing to redo") }
    let kept = step.changes.filter { !library.documents.redo($0) }
    go(to: step.after, "redone \(step.action)", kept)
    if kept.isEmpty { notices.post("Done again: \(step.action)", about: .show, .moment(seconds: 3), log: "") }
  }

  private func go(to state: SetupState, _ action: String, _ kept: [DocumentChange]) {
    presets.settleAll()
    (slot, tempoOfEntry) = (state.slot, state.tempoOfEntry)
    transpose(state.transposition)
    apply(state.setup, state.origins, missing: [], action)
    writer.changed(.show)
    if let key = kept.first?.id.key, let slot = Slot(key: key) {
      notices.post("saved since by another hand, and left as it is: setup \(slot.setupNumber)", about: .show)
    }
  }
}
