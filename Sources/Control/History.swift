import Presets
import Synth

/// Where the sound of a part came from.
struct PresetOrigin: Equatable {
  /// The preset's slot; nil for one outside the banks, or none.
  var slot: Slot?
  /// The preset's name; empty when there is none.
  var name = ""
  /// The sound as it is stored; nil when it is not.
  var stored: Patch?
  /// The preset was removed; in its slot there is none or another.
  var isGone = false
  /// It differs from what is stored.
  var isEdited = false

  /// The same preset, whatever lies in it.
  static func == (one: PresetOrigin, other: PresetOrigin) -> Bool {
    (one.slot, one.name, one.isGone) == (other.slot, other.name, other.isGone)
  }

  mutating func move(_ places: [Slot: Slot]) { slot = slot.map { places[$0] ?? $0 } }
}

/// What a part held at one moment: its sound, and where that came from.
struct PartState: Equatable {
  var patch: Patch
  var origin: PresetOrigin

  /// The same sound to the bit, from the same preset.
  static func == (one: PartState, other: PartState) -> Bool {
    one.origin == other.origin && one.patch.isSame(as: other.patch)
  }
}

/// What was done to a part, to be taken back and done again.
struct History {
  /// One thing that was done. What was turned between two others is one.
  struct Step {
    /// What it was, for people, as `recall of "Glass"`.
    let action: String
    var before: PartState
    var after: PartState
    /// What it did to presets.
    var changes: [PresetChange] = []
  }

  private var done: [Step] = []
  // The next to be done again is the last.
  private var undone: [Step] = []

  /// Steps that can be taken back.
  static let steps = 30

  /// Notes what was just done. What had been taken back before cannot be done again.
  mutating func add(_ step: Step) {
    undone = []
    if done.count == History.steps { done.removeFirst() }
    done.append(step)
  }

  /// The step that is taken back next; nil when there is none.
  mutating func undo() -> Step? {
    guard let step = done.popLast() else { return nil }
    undone.append(step)
    return step
  }

  /// The step that is done again next; nil when there is none.
  mutating func redo() -> Step? {
    guard let step = undone.popLast() else { return nil }
    done.append(step)
    return step
  }

  /// Presets lie somewhere else now.
  mutating func move(_ places: [Slot: Slot]) {
    func moved(_ step: Step) -> Step {
      var step = step
      step.before.origin.move(places)
      step.after.origin.move(places)
      step.changes = step.changes.map { $0.moved(places) }
      return step
    }
    (done, undone) = (done.map(moved), undone.map(moved))
  }
}

extension Patch {
  /// Whether it is another to the bit. A patch is floats without gaps, so its bytes can be compared.
  func isSame(as other: Patch) -> Bool {
    withUnsafeBytes(of: self) { one in withUnsafeBytes(of: other) { other in one.elementsEqual(other) } }
  }
}
