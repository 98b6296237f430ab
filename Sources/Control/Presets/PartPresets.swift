import Glibc
import Parameters
import Presets
import Scenes

/// The presets of the parts: the preset from which each part's sound came, whether the sound was edited since, and
/// the history of each part. Control thread.
public final class PartPresets: Feature {
  let writer: SceneWriter
  let notices: NoticeBoard
  let saving: SavingNotice
  /// All presets.
  let library: Library
  var origins = Array(repeating: PresetOrigin(), count: Limits.parts)
  // The knobs in which the sound of each part differs from its stored preset.
  private var differences: [PatchDifference]
  // The snapshots of the parts, and whether they differ from the stored ones.
  private var snapshots = Array(repeating: Snapshots(), count: Limits.parts)
  private var hasOtherSnapshots = Array(repeating: false, count: Limits.parts)
  var histories: [History<PartState>] = []
  /// The state of each part after its last step.
  var settled: [PartState] = []
  /// The edited sounds of the parts whose stored sound is compared with them.
  var edited: [Patch?] = Array(repeating: nil, count: Limits.parts)
  /// The sounds that a song has given the parts; nil for those that it has not changed, or a hand has since.
  var borrowed: [BorrowedSound?] = Array(repeating: nil, count: Limits.parts)
  /// Whether the announced change of a sound begins or ends a comparison.
  var isSwitchingComparison = false
  /// The descriptions of the parts' presets that were read last, and the edition of the library that they are from.
  var descriptions: [(edition: Int, origin: PresetOrigin, about: PresetAbout)?] = Array(
    repeating: nil, count: Limits.parts)
  /// The steps that are being undone or redone.
  var turns: [PresetTurn] = []
  /// Whether a loop calls `update`, so that long steps can be undone in pieces.
  var isInLoop = false
  /// Called when a part's sound was recalled from a slot or saved to one.
  var onPlaced: (_ slot: Slot, _ part: Int) -> Void = { _, _ in }
  /// Called when a preset is recalled into a part.
  var onRecall: (_ part: Int) -> Void = { _ in }
  /// Called when a step of a part was undone or redone.
  var onUndone: (_ part: Int) -> Void = { _ in }
  /// Called before anything becomes a step of a part's history.
  var onStep: (_ part: Int) -> Void = { _ in }
  /// Called when the player has saved something that the session holds.
  var saveSession: () -> Void = {}

  init(_ writer: SceneWriter, _ library: Library, _ notices: NoticeBoard, _ saving: SavingNotice) {
    (self.writer, self.library, self.notices, self.saving) = (writer, library, notices, saving)
    differences = (0..<Limits.parts).map { PatchDifference(writer.stage.scene[$0].patch, from: nil) }
    forgetHistory()
    writer.beforeEdit = { [unowned self] part in endComparing(part) }
  }

  // MARK: - The preset of a part

  /// The slot of the preset in a part; nil if it has none.
  public func slot(part: Int) -> Slot? { origins[part].isRemoved ? nil : origins[part].slot }
  /// The name of the preset in a part; empty if it has none.
  public func name(part: Int) -> String { origins[part].name }
  /// Whether the sound of a part differs from its stored preset.
  public func isEdited(part: Int) -> Bool {
    origins[part].isRemoved || !differences[part].isEmpty || hasOtherSnapshots[part]
  }
  /// The snapshots of a part.
  public func snapshots(part: Int) -> Snapshots { snapshots[part] }
  /// The sound of a part with its snapshots, as a preset holds it.
  public func sound(part: Int) -> PartSound {
    PartSound(patch: patch(part: part), snapshots: snapshots[part])
  }
  /// The bank of the preset in a part; nil if it has none.
  public func bank(part: Int) -> Int? { slot(part: part)?.bank }
  /// The program of the preset in a part; nil if it has none.
  public func program(part: Int) -> Int? { slot(part: part)?.program }

  // MARK: - Changes of others

  func follow(_ change: Change) {
    switch change {
    case .knob(let knob):
      if knob.isOfSound { compareEdit(knob.part) { differences[knob.part].update(knob, writer[knob]) } }
    case .sequence(let part): compareEdit(part) { compare(part) }
    default: break
    }
  }

  func take(_ command: Event) {
    switch command.kind {
    case .program: if !writer.isForSetups(command) { recall(command) }
    // A song recalls its own drums if it has any.
    case .sourceGone, .setUp: if Int(command.source) != Limits.songSource { recallDrums(of: command.source) }
    // The first program, or the drum kit.
    case .rhythm:
      if writer.stage.setRhythm(command) {
        recall(Event(frame: 0, kind: .program, source: command.source, target: command.target))
      }
    default: break
    }
  }

  // MARK: - Sounds and their presets

  /// Gives a part a sound that came from a preset, with its snapshots.
  func setSound(
    _ patch: Patch, _ origin: PresetOrigin, _ part: Int, snapshots: Snapshots = Snapshots()
  ) {
    edited[part] = nil
    writer.stage.recall(patch, part: part)
    (origins[part], self.snapshots[part]) = (origin, snapshots)
    compare(part)
    turnPage(to: part)
    writer.changed(.sound(part: part))
    writer.changed(.preset(part: part))
  }

  /// Replaces the snapshots of a part. Its sound stays.
  func set(_ snapshots: Snapshots, part: Int) {
    if snapshots == self.snapshots[part] { return }
    self.snapshots[part] = snapshots
    compareEdit(part) { compareSnapshots(part) }
    writer.changed(.snapshots(part: part))
  }

  /// Turns the page to the preset of a part.
  func turnPage(to part: Int) {
    if let slot = origins[part].slot { onPlaced(slot, part) }
  }

  /// Sets the presets and snapshots of the parts from a session. Their sounds are already in the scene.
  func setOrigins(_ presets: [Slot?], _ snapshots: [Snapshots]) {
    for (part, snapshots) in snapshots.prefix(Limits.parts).enumerated() { set(snapshots, part: part) }
    for (part, slot) in presets.prefix(Limits.parts).enumerated() {
      origins[part] = PresetOrigin()
      origins[part].slot = slot
      readPreset(part)
    }
  }

  /// Reads the preset of a part again from the library.
  func readPreset(_ part: Int) {
    var origin = origins[part]
    if let slot = origin.slot {
      let preset = library[slot]
      // Another preset may have replaced a removed one in the slot.
      if let preset, !origin.isRemoved || preset.name == origin.name {
        let sound = library.sound(of: preset)
        (origin.name, origin.stored, origin.isRemoved) = (preset.name, sound?.patch, false)
        origin.storedSnapshots = sound?.snapshots ?? Snapshots()
      } else if origin.name.isEmpty {
        origin = PresetOrigin()
      } else {
        (origin.stored, origin.isRemoved) = (nil, true)
      }
    }
    origins[part] = origin
    compare(part)
    writer.changed(.preset(part: part))
  }

  /// The stored sound of a preset that a part has; nil if none has it.
  func storedSound(of preset: Preset) -> PartSound? {
    let origin = origins.first { !$0.isRemoved && $0.slot == preset.slot && $0.name == preset.name }
    return origin?.stored.map { PartSound(patch: $0, snapshots: origin?.storedSnapshots ?? Snapshots()) }
  }

  /// Reads the preset in a slot again, for each part whose sound came from that slot.
  func readPresets(in slot: Slot) {
    for part in origins.indices where origins[part].slot == slot { readPreset(part) }
  }

  /// Reads the presets in some slots again, as `readPresets(in:)`.
  func readPresets(in slots: Set<Slot>) {
    for part in origins.indices {
      if let slot = origins[part].slot, slots.contains(slot) { readPreset(part) }
    }
  }

  /// Reads the presets of all parts again.
  func readPresets() {
    for part in origins.indices where origins[part].slot != nil { readPreset(part) }
  }

  /// Updates the slots of presets that were moved, also in the histories of the parts. If the move is a step of the
  /// part `owner`, the history of that part is left out: its earlier steps are undone only after the move is undone.
  func follow(_ moves: [Slot: Slot], stepOf owner: Int?) {
    for part in origins.indices {
      origins[part].move(moves)
      settled[part].origin.move(moves)
      borrowed[part]?.before.origin.move(moves)
      if part == owner { continue }
      histories[part].rewrite { step in
        step.before.origin.move(moves)
        step.after.origin.move(moves)
        step.changes = step.changes.map { $0.moved(moves) }
      }
    }
  }

  /// Updates the slots of presets that the library has moved because their slots were occupied.
  func follow(moves: [Slot: Slot]) {
    follow(moves, stepOf: nil)
    if let slot = origins[writer.focus].slot, moves.values.contains(slot) { onPlaced(slot, writer.focus) }
    for (from, to) in moves.sorted(by: { $0.key < $1.key }) {
      let name = library[to]?.name ?? ""
      notices.post(
        "\(from.label) was taken: \"\(name)\" is in \(to.label)", about: .preset, .moment(seconds: 60))
      saving.forget()
    }
  }

  /// Compares the whole sound of a part with its stored preset.
  func compare(_ part: Int) {
    differences[part] = PatchDifference(patch(part: part), from: origins[part].stored)
    compareSnapshots(part)
  }

  private func compareSnapshots(_ part: Int) {
    let origin = origins[part]
    hasOtherSnapshots[part] = origin.stored != nil && snapshots[part] != origin.storedSnapshots
  }

  /// Runs `compare` after an edit, and announces a change of the edited mark.
  private func compareEdit(_ part: Int, _ compare: () -> Void) {
    let before = isEdited(part: part)
    compare()
    if isEdited(part: part) != before { writer.changed(.preset(part: part)) }
  }
}

/// The preset from which the sound of a part came.
struct PresetOrigin: Equatable {
  /// The slot of the preset; nil for a preset outside the banks, or if there is none.
  var slot: Slot?
  /// The name of the preset; empty if there is none.
  var name = ""
  /// The stored sound; nil if it is not stored.
  var stored: Patch?
  /// The stored snapshots.
  var storedSnapshots = Snapshots()
  /// Whether the preset was removed; its slot is then empty or holds another preset.
  var isRemoved = false

  /// Whether both are the same preset, whatever sound is stored in it.
  static func == (one: PresetOrigin, other: PresetOrigin) -> Bool {
    (one.slot, one.name, one.isRemoved) == (other.slot, other.name, other.isRemoved)
  }

  /// Follows presets that were moved to other slots.
  mutating func move(_ moves: [Slot: Slot]) { slot = slot.map { moves[$0] ?? $0 } }
}

/// The state of a part that undo restores: its sound and snapshots, and the preset from which they came.
struct PartState: Equatable {
  var patch: Patch
  var origin: PresetOrigin
  var snapshots = Snapshots()

  /// Whether both have bit-identical sounds from one preset.
  static func == (one: PartState, other: PartState) -> Bool {
    one.origin == other.origin && one.snapshots == other.snapshots && one.patch.isSame(as: other.patch)
  }
}

/// Whether two values that consist of floats without padding are bit-identical.
func areSame<Value>(_ one: Value, _ other: Value) -> Bool {
  withUnsafePointer(to: one) { one in
    withUnsafePointer(to: other) { memcmp(one, $0, MemoryLayout<Value>.size) == 0 }
  }
}

/// The knobs in which the sound of a part differs from its stored preset. A recall compares whole sounds, but a moved
/// knob only its own value, so that the cost of a message from a fader does not depend on the number of knobs.
struct PatchDifference {
  // The bits of each float of the stored patch, which has no padding, and whether the sound of the part differs in
  // it.
  private let stored: [UInt32]
  private var differs: [Bool]
  private var count = 0

  /// The difference between two sounds; none if `stored` is nil.
  init(_ patch: Patch, from stored: Patch?) {
    self.stored = stored?.words ?? []
    differs = zip(self.stored, patch.words).map { $0 != $1 }
    count = differs.count { $0 }
  }

  /// Whether the sounds are bit-identical, or there is no stored sound.
  var isEmpty: Bool { count == 0 }

  /// Compares a knob of the sound again, which has changed to `value`.
  mutating func update(_ knob: ParameterID, _ value: Float) {
    if stored.isEmpty { return }
    let word = Table.rows[knob.row].field.offset / MemoryLayout<UInt32>.size
    let isDifferent = stored[word] != value.bitPattern
    if differs[word] == isDifferent { return }
    differs[word] = isDifferent
    count += isDifferent ? 1 : -1
  }
}

extension Patch {
  /// The floats of the patch, as bits.
  fileprivate var words: [UInt32] { withUnsafeBytes(of: self) { Array($0.bindMemory(to: UInt32.self)) } }
}
