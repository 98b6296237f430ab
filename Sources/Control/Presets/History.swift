import Presets
import Scenes
import Storage

/// The undo and redo steps of a part or of any other state.
struct History<State> {
  /// One step. All edits between two other steps form one step.
  struct Step {
    /// A description for people, such as `recall of "Glass"`.
    let action: String
    var before: State
    var after: State
    /// The changes of documents in this step.
    var changes: [DocumentChange] = []
  }

  private var done: [Step] = []
  // The next step to redo is the last.
  private var undone: [Step] = []

  /// The maximum number of steps to undo.
  static var limit: Int { 30 }

  /// Adds a new step. Undone steps can no longer be redone.
  mutating func add(_ step: Step) {
    undone = []
    if done.count == Self.limit { done.removeFirst() }
    done.append(step)
  }

  /// Removes and returns the last step to undo, if `isIt`: another takes its place.
  mutating func takeLast(where isIt: (Step) -> Bool) -> Step? {
    guard let last = done.last, isIt(last) else { return nil }
    return done.removeLast()
  }

  /// Undoes the last step; nil if there is none.
  mutating func undo() -> Step? {
    guard let step = done.popLast() else { return nil }
    undone.append(step)
    return step
  }

  /// Redoes the last undone step; nil if there is none.
  mutating func redo() -> Step? {
    guard let step = undone.popLast() else { return nil }
    done.append(step)
    return step
  }

  /// Changes every step, for example when documents get other keys.
  mutating func rewrite(_ change: (inout Step) -> Void) {
    for index in done.indices { change(&done[index]) }
    for index in undone.indices { change(&undone[index]) }
  }
}
