import Parameters
import Presets
import Synth

/// Where the sound of a part came from.
struct PresetOrigin {
  /// The preset's slot; nil for one outside the banks, or none.
  var slot: Slot?
  /// The preset's name; empty when there is none.
  var name = ""
  /// The sound as it is stored; nil when it is not.
  var stored: Patch?
  /// It differs from what is stored.
  var isEdited = false
  /// What `undo` goes back to.
  var before: Before?

  enum Before {
    /// The sound that was there before a recall, and where it came from.
    indirect case recall(Patch, PresetOrigin)
    /// What lay in the slot before a save.
    case save(Slot)
  }
}

// Recalling presets into parts, saving them, and undo.

extension Control {
  /// Gives a part the sound of a preset. What sounds keeps the sound it started with.
  public func recall(_ preset: Preset, part: Int) {
    guard let patch = library.patch(of: preset) else {
      return notify("unreadable: the preset \"\(preset.name)\" was not recalled", about: .preset)
    }
    var before = origins[part]
    // One step of undo: a longer chain would keep every sound there ever was.
    before.before = nil
    setSound(
      patch,
      PresetOrigin(
        slot: preset.slot, name: preset.name, stored: patch, before: .recall(stage.scene[part].patch, before)),
      part)
  }

  /// Recalls the next or the previous preset into a part; from the last to the first and back.
  public func step(forward: Bool, part: Int) {
    let slot = origins[part].slot
    if let preset = forward ? library.next(after: slot) : library.previous(before: slot) {
      recall(preset, part: part)
    }
  }

  /// Saves the sound of a part, as `Library.save` does; without a name over the preset it came from.
  public func save(part: Int, name: String? = nil) throws(LibraryError) {
    let patch = stage.scene[part].patch
    let preset = try library.save(patch, name: name, current: origins[part].slot)
    origins[part] = PresetOrigin(
      slot: preset.slot, name: preset.name, stored: patch, before: preset.slot.map { .save($0) })
    changed(.preset(part: part))
    // Another part may hold what has just been overwritten.
    for other in origins.indices where other != part && origins[other].slot == preset.slot {
      readPreset(other)
    }
  }

  /// Takes back the last recall into a part, or the last save from it. A second time brings it again.
  public func undo(part: Int) throws(LibraryError) {
    switch origins[part].before {
    case .recall(let patch, let origin):
      var now = origins[part]
      now.before = nil
      var then = origin
      then.before = .recall(stage.scene[part].patch, now)
      setSound(patch, then, part)
    case .save(let slot):
      _ = try library.undo(slot)
      for other in origins.indices where origins[other].slot == slot { readPreset(other) }
    case nil: throw LibraryError(description: "there is nothing to undo")
    }
  }

  // MARK: - What a part holds

  /// The slot of the preset in a part; nil when it has none.
  public func slot(part: Int) -> Slot? { origins[part].slot }
  /// The name of the preset in a part; empty when there is none.
  public func name(part: Int) -> String { origins[part].name }
  /// Whether the sound of a part differs from its preset as it is stored.
  public func isEdited(part: Int) -> Bool { origins[part].isEdited }

  // MARK: -

  /// Starts as the session was left, or with the first preset in the part that plays.
  func restoreSession() {
    guard let session = library.session else {
      if let first = library.next(after: nil) { recall(first, part: 0) }
      origins[0].before = nil
      return
    }
    stage.restore(session.scene)
    stage.focus = session.focus
    setOrigins(session.presets)
  }

  /// Takes over a session that came later, and tells whoever listens by now.
  func restore(late session: Session) {
    for knob in Knob.all { set(knob, to: session.scene[knob]) }
    setOrigins(session.presets)
    focus = session.focus
    // The page follows the part in focus again, instead of the preset that the start began with.
    turnedTo = nil
  }

  private func setOrigins(_ presets: [Slot?]) {
    for (part, slot) in presets.prefix(Limits.parts).enumerated() {
      origins[part].slot = slot
      readPreset(part)
    }
  }

  /// Reads anew what is stored where a part's sound came from.
  func readPreset(_ part: Int) {
    let preset = origins[part].slot.flatMap { library[$0] }
    if preset == nil { origins[part].slot = nil }
    origins[part].name = preset?.name ?? ""
    origins[part].stored = preset.flatMap { library.patch(of: $0) }
    origins[part].isEdited = isDifferent(part)
    changed(.preset(part: part))
  }

  private func setSound(_ patch: Patch, _ origin: PresetOrigin, _ part: Int) {
    stage.recall(patch, part: part)
    origins[part] = origin
    origins[part].isEdited = isDifferent(part)
    if part == focus { turnedTo = origin.slot?.page ?? turnedTo }
    changed(.sound(part: part))
    changed(.preset(part: part))
  }

  /// Marks a part as edited, or as what is stored again.
  func mark(_ part: Int) {
    let edited = isDifferent(part)
    if edited == origins[part].isEdited { return }
    origins[part].isEdited = edited
    changed(.preset(part: part))
  }

  private func isDifferent(_ part: Int) -> Bool {
    guard let stored = origins[part].stored else { return false }
    let patch = stage.scene[part].patch
    // A patch is floats without gaps, so its bytes can be compared.
    return withUnsafeBytes(of: patch) { one in
      withUnsafeBytes(of: stored) { other in !one.elementsEqual(other) }
    }
  }
}
