import Parameters
import Presets
import Scenes
import Storage

// Undo and redo: each part has a history of recalls, saves, copies, renamings and removals, and of the edits between
// them.

extension PartPresets {
  /// Undoes the last step of a part. This restores its sound, name, slot and edited mark, and the preset in the slot. A
  /// step that has changed many presets is undone a piece a round.
  public func undo(part: Int) throws(DocumentError) {
    try checkTurns(part)
    recordEdits(part)
    guard let step = histories[part].undo() else {
      throw DocumentError(description: "there is nothing to undo")
    }
    begin(PresetTurn(step, part, isUndo: true))
  }

  /// Redoes the last undone step, as `undo`.
  public func redo(part: Int) throws(DocumentError) {
    try checkTurns(part)
    recordEdits(part)
    guard let step = histories[part].redo() else {
      throw DocumentError(description: "there is nothing to redo")
    }
    begin(PresetTurn(step, part, isUndo: false))
  }

  private func checkTurns(_ part: Int) throws(DocumentError) {
    guard let turn = turns.first(where: { $0.part == part }) else { return }
    throw DocumentError(description: "is still at the \(turn.step.action); ask again when it is done")
  }

  private func begin(_ turn: PresetTurn) {
    if turn.isLong, isInLoop {
      library.documents.holdWrites()
      return turns.append(turn)
    }
    var turn = turn
    while !turn.isDone { take(pieceOf: &turn) }
    end(turn)
  }

  /// Completes the steps that are being undone or redone.
  func finishTurns() { while !turns.isEmpty { _ = update(0) } }

  func update(_ now: Int64) -> Int64? {
    if turns.isEmpty { return nil }
    take(pieceOf: &turns[0])
    if turns[0].isDone {
      library.documents.releaseWrites()
      end(turns.removeFirst())
    }
    return now
  }

  /// Undoes or redoes a piece of a step.
  private func take(pieceOf turn: inout PresetTurn) {
    let slots = Set(origins.compactMap(\.slot))
    // Each change must be tried, even if others fail.
    for change in turn.nextChanges() {
      if !(turn.isUndo ? library.undo(change) : library.redo(change)) { turn.kept.append(change) }
      if let slot = change.slot, slots.contains(slot) { turn.slots.insert(slot) }
    }
  }

  /// Ends a step whose changes are done.
  private func end(_ turn: PresetTurn) {
    let (step, part) = (turn.step, turn.part)
    followExchanges(step.changes, but: turn.kept, part)
    go(to: turn.isUndo ? step.before : step.after, turn)
    if turn.kept.isEmpty {
      announce(step, turn.isUndo ? "Undone" : "Done again", turn.isUndo ? "undo" : "redo")
    }
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
    for change in changes where change.partner != nil && !kept.contains(change) {
      if let slot = change.slot, let other = change.exchangedSlot { exchange(slot, other, stepOf: part) }
    }
  }

  private func go(to state: PartState, _ turn: PresetTurn) {
    let (step, part) = (turn.step, turn.part)
    borrowed[part] = nil
    set(state.snapshots, part: part)
    if !state.patch.isSame(as: writer.stage.scene[part].patch) {
      writer.stage.recall(state.patch, part: part)
      writer.changed(.sound(part: part))
    }
    origins[part] = state.origin
    readPreset(part)
    readPresets(in: turn.slots)
    // The preset that is being saved may have been removed by now.
    if !step.changes.isEmpty { saving.forget() }
    settled[part] = self.state(part)
    onUndone(part)
    turnPage(to: part)
    writer.changed(.page)
    if let slot = turn.kept.first?.slot {
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
    // A sound that a hand has recalled stays after the song. One that a hand has only saved or renamed is still given back.
    if changes.isEmpty { borrowed[part] = nil }
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

  func state(_ part: Int) -> PartState {
    PartState(patch: patch(part: part), origin: origins[part], snapshots: snapshots(part: part))
  }
}

/// A step of a part that is being undone or redone, a piece of its changes after the other. A value type.
struct PresetTurn {
  let step: History<PartState>.Step
  let part: Int
  let isUndo: Bool
  /// The changes that were left as they are, because the presets have changed since.
  var kept: [DocumentChange] = []
  /// The slots of changed presets that parts have.
  var slots: Set<Slot> = []
  // The number of changes done.
  private var done = 0

  /// The most changes in a piece. Each takes some microseconds.
  private static let pieceCount = 16

  init(_ step: History<PartState>.Step, _ part: Int, isUndo: Bool) {
    (self.step, self.part, self.isUndo) = (step, part, isUndo)
  }

  /// Whether it takes more than one piece.
  var isLong: Bool { step.changes.count > PresetTurn.pieceCount }

  /// Whether all changes are done.
  var isDone: Bool { done == step.changes.count }

  /// The next piece of changes, which are undone from the last on.
  mutating func nextChanges() -> [DocumentChange] {
    let range = done..<min(done + PresetTurn.pieceCount, step.changes.count)
    done = range.upperBound
    return range.map { step.changes[isUndo ? step.changes.count - 1 - $0 : $0] }
  }
}

// Edits of many knobs at once, each one step of a part's history: the initial sound, or an initial section.

extension PartPresets {
  /// Gives a part the initial sound, which belongs to no preset. Sounding notes keep the sound that they started
  /// with.
  public func initialize(part: Int) {
    let before = beginStep(part)
    setSound(.initial, PresetOrigin(name: "Init", stored: .initial), part)
    endStep("init", part, before)
  }

  /// Gives the knobs of a section their initial values.
  public func initialize(_ section: SoundSection, part: Int) {
    change(part, "init of \(section.name)") { section.paste(section, of: .initial, into: &$0) }
  }

  /// The sound of a part; while the stored one is compared with it, the edited one.
  func patch(part: Int) -> Patch { edited[part] ?? writer.stage.scene[part].patch }

  /// Edits the sound of a part as one step of its history. Sounding notes follow, as they follow a knob.
  func change(_ part: Int, _ action: String, _ body: (inout Patch) -> Void) {
    let before = beginStep(part)
    var patch = before.patch
    body(&patch)
    if patch.isSame(as: before.patch) { return }
    writer.stage.scene[part].patch = patch
    compare(part)
    writer.changed(.sound(part: part))
    writer.changed(.preset(part: part))
    endStep(action, part, before)
  }
}

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

/// The section of a sound that was copied last, for pasting it into another part or another section of its kind.
/// Control thread.
public final class SectionClipboard {
  private let presets: PartPresets
  private let notices: NoticeBoard
  private var copied: (section: SoundSection, patch: Patch, part: Int)?

  init(_ presets: PartPresets, _ notices: NoticeBoard) {
    (self.presets, self.notices) = (presets, notices)
  }

  /// The copied section, as `osc-1 of part 2`; empty if there is none.
  public var text: String { copied.map { "\($0.section.name) of part \($0.part + 1)" } ?? "" }

  /// Copies a section of a part as it is now.
  public func copy(_ section: SoundSection, part: Int) {
    copied = (section, presets.patch(part: part), part)
    // Tells the surfaces, too, that there is something to paste.
    notices.post("Copied \(text)", about: .preset, .moment(seconds: 3), log: "")
  }

  /// Pastes the copied section into a section of a part; without a section, into the one that it was copied from.
  public func paste(_ wish: SoundSection?, part: Int) throws(DocumentError) {
    guard let (source, patch, _) = copied else {
      throw DocumentError(description: "finds nothing to paste; copy a section first")
    }
    let section = wish ?? source
    guard section.fits(source) else {
      let fitting = SoundSection.all.filter { $0.fits(source) }.map(\.name).joined(separator: ", ")
      throw DocumentError(
        description: "cannot paste \(source.name) into \(section.name); it fits \(fitting)")
    }
    presets.change(part, "paste of \(text) into \(section.name)") {
      section.paste(source, of: patch, into: &$0)
    }
  }
}
