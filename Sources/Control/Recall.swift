import Parameters
import Presets
import Synth

// Recalling presets into parts, and what a part holds.

extension Control {
  /// Gives a part the sound of a preset. What sounds keeps the sound it started with.
  public func recall(_ preset: Preset, part: Int) {
    guard let patch = library.patch(of: preset) else {
      // The library has logged why.
      return notify("unreadable: the preset \"\(preset.name)\" was not recalled", about: .preset, log: "")
    }
    let before = begin(part)
    setSound(patch, PresetOrigin(slot: preset.slot, name: preset.name, stored: patch), part)
    end("recall of \"\(preset.name)\"", part, before)
  }

  /// Recalls the next or the previous preset into a part; from the last to the first and back.
  public func step(forward: Bool, part: Int) {
    let slot = origins[part].slot
    if let preset = forward ? library.next(after: slot) : library.previous(before: slot) {
      recall(preset, part: part)
    }
  }

  // MARK: - What a part holds

  /// The slot of the preset in a part; nil when it has none.
  public func slot(part: Int) -> Slot? { origins[part].isGone ? nil : origins[part].slot }
  /// The name of the preset in a part; empty when there is none.
  public func name(part: Int) -> String { origins[part].name }
  /// Whether the sound of a part differs from its preset as it is stored.
  public func isEdited(part: Int) -> Bool { origins[part].isEdited }

  // MARK: - The session

  /// Starts as the session was left, or with the first preset in the part that plays.
  func restoreSession() {
    if let session = library.session {
      stage.restore(session.scene)
      stage.focus = session.focus
      restoreTunings(session.tunings)
      setOrigins(session.presets)
    } else if let first = library.next(after: nil) {
      recall(first, part: 0)
    }
    forgetHistory()
  }

  /// Takes over a session that came later, and tells whoever listens by now.
  func restore(late session: Session) {
    for knob in Knob.all { set(knob, to: session.scene[knob]) }
    setOrigins(session.presets)
    restoreTunings(session.tunings)
    focus = session.focus
    // The page follows the part in focus again, instead of the preset that the start began with.
    turnedTo = nil
    forgetHistory()
  }

  private func setOrigins(_ presets: [Slot?]) {
    for (part, slot) in presets.prefix(Limits.parts).enumerated() {
      origins[part].slot = slot
      readPreset(part)
    }
  }

  // MARK: - Where a sound came from

  /// Reads anew what is stored where a part's sound came from.
  func readPreset(_ part: Int) {
    var origin = origins[part]
    if let slot = origin.slot {
      let preset = library[slot]
      // Another one may lie by now where one was removed.
      if let preset, !origin.isGone || preset.name == origin.name {
        (origin.name, origin.stored, origin.isGone) = (preset.name, library.patch(of: preset), false)
      } else if origin.name.isEmpty {
        origin = PresetOrigin()
      } else {
        (origin.stored, origin.isGone) = (nil, true)
      }
    }
    origins[part] = origin
    origins[part].isEdited = isDifferent(part)
    changed(.preset(part: part))
  }

  /// Reads anew what lies in a slot, for each part whose sound came from there.
  func readPresets(in slot: Slot) {
    for part in origins.indices where origins[part].slot == slot { readPreset(part) }
  }

  /// Presets lie somewhere else than they were saved to.
  func movePresets(_ places: [Slot: Slot]) {
    for part in origins.indices {
      origins[part].move(places)
      settled[part].origin.move(places)
      histories[part].move(places)
    }
    if let place = origins[focus].slot, places.values.contains(place) { turnedTo = place.page }
    for (from, to) in places.sorted(by: { $0.key < $1.key }) {
      let name = library[to]?.name ?? ""
      notify("\(from.place) was taken: \"\(name)\" is in \(to.place)", about: .preset, .moment(seconds: 60))
      saving = ""
    }
  }

  func setSound(_ patch: Patch, _ origin: PresetOrigin, _ part: Int) {
    stage.recall(patch, part: part)
    origins[part] = origin
    origins[part].isEdited = isDifferent(part)
    turn(to: origin.slot, part)
    changed(.sound(part: part))
    changed(.preset(part: part))
  }

  /// The page goes with the preset of the part in focus.
  func turn(to slot: Slot?, _ part: Int) {
    if part == focus { turnedTo = slot?.page ?? turnedTo }
  }

  /// Marks a part as edited, or as what is stored again.
  func mark(_ part: Int) {
    let edited = isDifferent(part)
    if edited == origins[part].isEdited { return }
    origins[part].isEdited = edited
    changed(.preset(part: part))
  }

  private func isDifferent(_ part: Int) -> Bool {
    if origins[part].isGone { return true }
    return origins[part].stored.map { !$0.isSame(as: stage.scene[part].patch) } ?? false
  }
}
