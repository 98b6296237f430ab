import Presets
import Storage
import Synth

// Undo and redo of recalls, saves, renamings and removals of setups.

extension Setups {
  /// Undoes the last recall, save, renaming or removal of a setup, with the edits that a recall has dropped.
  public func undo() throws(DocumentError) {
    settle()
    guard let step = history.undo() else { throw DocumentError(description: "there is nothing to undo") }
    let kept = step.changes.reversed().filter { !library.documents.undo($0) }
    go(to: step.before, "undone \(step.action)", kept)
    if kept.isEmpty { announce(step, "Undone", "undo") }
  }

  /// Redoes the last undone step.
  public func redo() throws(DocumentError) {
    settle()
    guard let step = history.redo() else { throw DocumentError(description: "there is nothing to redo") }
    let kept = step.changes.filter { !library.documents.redo($0) }
    go(to: step.after, "redone \(step.action)", kept)
    if kept.isEmpty { announce(step, "Done again", "redo") }
  }

  /// Announces a step that was undone or redone, and its saving if it changed what is stored.
  private func announce(_ step: History<SetupState>.Step, _ done: String, _ noun: String) {
    if !step.changes.isEmpty { return presets.saving.post(change: "\(noun) of \(step.action)") }
    notices.post("\(done): \(step.action)", about: .show, .moment(seconds: 3), log: "")
  }

  /// Makes the edits since the last step a step of their own, so that undo and redo lose none of them.
  func settle() {
    presets.settleAll()
    settleEdits()
  }

  /// Makes the edits up to now a step of their own, and ends neither a comparison nor a recording.
  func settleEdits() {
    let now = state
    defer { settled = now }
    guard let settled, isOther(now.setup, than: settled.setup) else { return }
    history.add(.init(action: "edits", before: settled, after: now))
  }

  /// Adds a step to the history.
  func add(_ step: History<SetupState>.Step) {
    history.add(step)
    settled = step.after
  }

  /// Runs `body` as a step of the history.
  func addStep(_ action: String, _ body: () -> Void) {
    settleEdits()
    let before = state
    body()
    add(.init(action: action, before: before, after: state))
    writer.changed(.show)
  }

  /// Whether two setups differ in more than the tempo of a clock that is followed. They are compared as values:
  /// writing both texts would delay a recall by milliseconds.
  private func isOther(_ setup: Setup, than before: Setup) -> Bool {
    var setup = setup
    if isClockFollowed { setup.tempo = before.tempo }
    return !setup.isSame(as: before)
  }

  private func go(to state: SetupState, _ action: String, _ kept: [DocumentChange]) {
    defer { settled = self.state }
    (slot, tempoOfEntry) = (state.slot, state.tempoOfEntry)
    transpose(state.transposition)
    apply(state.setup, state.origins, missing: [], action)
    writer.changed(.show)
    if let key = kept.first?.id.key, let slot = Slot(key: key) {
      notices.post("saved since by another hand, and left as it is: setup \(slot.setupNumber)", about: .show)
    }
  }
}
