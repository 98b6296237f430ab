import Presets
import Synth

// One history for each part: what is recalled, saved, copied, renamed and removed, and what is turned in between.

extension Control {
  /// Takes back what was done to a part last. It brings back sound, name, place and mark, and what lay in the slot.
  public func undo(part: Int) throws(LibraryError) {
    recordEdits(part)
    guard let step = histories[part].undo() else {
      throw LibraryError(description: "there is nothing to undo")
    }
    // Each must be tried, whatever becomes of the others.
    let kept = step.changes.reversed().filter { !library.undo($0) }
    go(to: step.before, step, part, kept)
    if kept.isEmpty { notify("Undone: \(step.action)", about: .preset, .moment(seconds: 3), log: "") }
  }

  /// Does again what was taken back last.
  public func redo(part: Int) throws(LibraryError) {
    recordEdits(part)
    guard let step = histories[part].redo() else {
      throw LibraryError(description: "there is nothing to redo")
    }
    let kept = step.changes.filter { !library.redo($0) }
    go(to: step.after, step, part, kept)
    if kept.isEmpty { notify("Done again: \(step.action)", about: .preset, .moment(seconds: 3), log: "") }
  }

  private func go(to state: PartState, _ step: History.Step, _ part: Int, _ kept: [PresetChange]) {
    if !state.patch.isSame(as: stage.scene[part].patch) {
      stage.recall(state.patch, part: part)
      changed(.sound(part: part))
    }
    origins[part] = state.origin
    readPreset(part)
    for change in step.changes { readPresets(in: change.slot) }
    // What is being saved may not be there any more.
    if !step.changes.isEmpty { saving = "" }
    settled[part] = self.state(part)
    turn(to: origins[part].slot, part)
    changed(.page)
    if let slot = kept.first?.slot {
      notify("saved since by another hand, and left as it is: \(slot.place)", about: .preset)
    }
  }

  // MARK: - Recording

  /// What a part holds now, before something is done to it. What was turned since the last step is one by itself.
  func begin(_ part: Int) -> PartState {
    recordEdits(part)
    return state(part)
  }

  /// Something was done to a part.
  func end(_ action: String, _ part: Int, _ before: PartState, _ changes: [PresetChange] = []) {
    let after = state(part)
    settled[part] = after
    if changes.isEmpty && before == after { return }
    histories[part].add(History.Step(action: action, before: before, after: after, changes: changes))
  }

  /// Forgets what was done, as at the start.
  func forgetHistory() {
    histories = Array(repeating: History(), count: Limits.parts)
    settled = (0..<Limits.parts).map { state($0) }
  }

  private func recordEdits(_ part: Int) {
    let now = state(part)
    if settled[part].patch.isSame(as: now.patch) { return }
    histories[part].add(History.Step(action: "edits", before: settled[part], after: now))
    settled[part] = now
  }

  private func state(_ part: Int) -> PartState {
    PartState(patch: stage.scene[part].patch, origin: origins[part])
  }
}
