import Presets
import Storage
import Synth

/// The steps that undo takes back and redo repeats, of a part or of any other state.
struct History<State> {
  /// One step. All edits between two other steps are one.
  struct Step {
    /// What was done, for people, as `recall of "Glass"`.
    let action: String
    var before: State
    var after: State
    /// What the step did to documents.
    var changes: [DocumentChange] = []
  }

  private var done: [Step] = []
  // The step to be repeated next is the last.
  private var undone: [Step] = []

  /// The most steps that can be taken back.
  static var limit: Int { 30 }

  /// Adds a step that was just done. Steps that were taken back before can no longer be repeated.
  mutating func add(_ step: Step) {
    undone = []
    if done.count == Self.limit { done.removeFirst() }
    done.append(step)
  }

  /// Takes back the last step; nil when there is none.
  mutating func undo() -> Step? {
    guard let step = done.popLast() else { return nil }
    undone.append(step)
    return step
  }

  /// Repeats the step that was taken back last; nil when there is none.
  mutating func redo() -> Step? {
    guard let step = undone.popLast() else { return nil }
    done.append(step)
    return step
  }

  /// Changes every step, as when documents have other keys.
  mutating func rewrite(_ change: (inout Step) -> Void) {
    for index in done.indices { change(&done[index]) }
    for index in undone.indices { change(&undone[index]) }
  }
}
