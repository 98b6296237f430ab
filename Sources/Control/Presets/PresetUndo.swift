import Presets
import Storage
import Synth

// Undo and redo: each part has a history of recalls, saves, copies, renamings and removals, and of the edits between
// them.

extension PartPresets {
  /// Undoes the last step of a part. This restores its sound, name, slot and edited mark, and the preset in the slot.
  public func undo(part: Int) throws(DocumentError) {
    recordEdits(part)
    guard let step = histories[part].undo() else {
      throw DocumentError(description: "there is nothing to undo")
    }
    // Each change must be tried, even if others fail.
    let kept = step.changes.reversed().filter { !library.undo($0) }
    followExchanges(step.changes, but: kept, part)
    go(to: step.before, step, part, kept)
    if kept.isEmpty { announce(step, "Undone", "undo") }
  }

  /// Redoes the last undone step.
  public func redo(part: Int) throws(DocumentError) {
    recordEdits(part)
    guard let step = histories[part].redo() else {
      throw DocumentError(description: "there is nothing to redo")
    }
    let kept = step.changes.filter { !library.redo($0) }
    followExchanges(step.changes, but: kept, part)
    go(to: step.after, step, part, kept)
    if kept.isEmpty { announce(step, "Done again", "redo") }
  }

  /// Announces a step that was undone or redone, and its saving if it changed what is stored.
  private func announce(_ step: History<PartState>.Step, _ done: String, _ noun: String) {
    let movesSnapshots = step.before.snapshots != step.after.snapshots
    if step.changes.isEmpty && !movesSnapshots {
      return notices.post("\(done): \(step.action)", about: .preset, .moment(seconds: 3), log: "")
    }
    if movesSnapshots { saveSession() }
    saving.post(change: "\(noun) of \(step.action)")
  }

  private func followExchanges(_ changes: [DocumentChange], but kept: [DocumentChange], _ part: Int) {
    for change in changes where !kept.contains(change) {
      if let slot = change.slot, let other = change.exchangedSlot { exchange(slot, other, stepOf: part) }
    }
  }

  private func go(
    to state: PartState, _ step: History<PartState>.Step, _ part: Int, _ kept: [DocumentChange]
  ) {
    set(state.snapshots, part: part)
    if !state.patch.isSame(as: writer.stage.scene[part].patch) {
      writer.stage.recall(state.patch, part: part)
      writer.changed(.sound(part: part))
    }
    origins[part] = state.origin
    readPreset(part)
    for slot in step.changes.compactMap(\.slot) { readPresets(in: slot) }
    // The preset that is being saved may have been removed by now.
    if !step.changes.isEmpty { saving.forget() }
    settled[part] = self.state(part)
    onUndone(part)
    turnPage(to: part)
    writer.changed(.page)
    if let slot = kept.first?.slot {
      notices.post("saved since by another hand, and left as it is: \(slot.label)", about: .preset)
    }
  }

  // MARK: - Recording steps

  /// Begins a step: returns the state of the part before it. Edits since the last step become a step of their own.
  func beginStep(_ part: Int) -> PartState {
    recordEdits(part)
    return state(part)
  }

  /// Ends a step that began in the state `before`.
  func endStep(_ action: String, _ part: Int, _ before: PartState, _ changes: [DocumentChange] = []) {
    let after = state(part)
    settled[part] = after
    if changes.isEmpty && before == after { return }
    histories[part].add(.init(action: action, before: before, after: after, changes: changes))
  }

  /// Forgets all steps, as at the start.
  func forgetHistory() {
    histories = Array(repeating: History(), count: Limits.parts)
    settled = (0..<Limits.parts).map { state($0) }
  }

  private func recordEdits(_ part: Int) {
    endComparing(part)
    onStep(part)
    settle(part, "edits")
  }

  /// Makes the edits since the last step a step of their own, if there are any.
  func settle(_ part: Int, _ action: String) {
    let now = state(part)
    if settled[part].patch.isSame(as: now.patch) { return }
    histories[part].add(.init(action: action, before: settled[part], after: now))
    settled[part] = now
  }

  private func state(_ part: Int) -> PartState {
    PartState(patch: patch(part: part), origin: origins[part], snapshots: snapshots(part: part))
  }
}
