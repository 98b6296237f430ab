import Presets
import Storage
import Synth

// Saving the sound of a part.

extension PartPresets {
  /// Saves the sound of a part: over its preset if that is the player's, otherwise as a new preset.
  public func save(part: Int) throws(DocumentError) { try save(part, name: nil) }

  /// Saves the sound of a part under a name, replacing the player's preset with that name if there is one.
  public func save(part: Int, named name: String) throws(DocumentError) {
    try save(part, name: try readable(name))
  }

  private func save(_ part: Int, name: String?) throws(DocumentError) {
    try save(part) { (patch, origin) throws(DocumentError) in
      try library.save(
        patch, snapshots: snapshots(part: part), name: name, current: slot(part: part), origin: origin)
    }
  }

  /// Saves the sound of a part as a new preset, under a name or under `newName(part:)`.
  /// - Parameter now: CLOCK_MONOTONIC. An equal request within a quarter of a second is a packet that the network has
  ///   duplicated.
  public func saveNew(part: Int, named wish: String? = nil, now: Int64) throws(DocumentError) {
    var name: String?
    if let wish { name = try readable(wish) }
    if writer.isDuplicate("new \(part) \(name ?? "")", now) { return }
    try save(part) { (patch, origin) throws(DocumentError) in
      try library.saveNew(
        patch, snapshots: snapshots(part: part), name: name, current: slot(part: part), origin: origin)
    }
  }

  /// The default name of a new preset with a part's sound.
  public func newName(part: Int) -> String { library.nextName(name(part: part)) }

  /// Copies the sound of a part to a slot of the player's banks, replacing the preset in it.
  public func copy(part: Int, to slot: Slot) throws(DocumentError) {
    if slot.isFactory {
      let page = library.freeSlot.map { "there is room on the page \($0.page.pageName)" }
      throw DocumentError(
        description: "\(slot.label) is the factory's; "
          + (page ?? "turn to a page of your own, all of which are full"))
    }
    let name =
      slot == self.slot(part: part) || library[slot]?.name == name(part: part) ? name(part: part) : nil
    try save(part, "copy") { (patch, origin) throws(DocumentError) in
      try library.save(
        patch, snapshots: snapshots(part: part), name: name ?? library.nextName(origin), slot: slot)
    }
  }

  /// Copies the sound of a part, and the preset that it came from, to another part.
  public func copy(part: Int, toPart other: Int) {
    if part == other { return }
    let (source, before) = (beginStep(part), beginStep(other))
    setSound(source.patch, source.origin, other, snapshots: source.snapshots)
    endStep("copy of \"\(source.origin.name)\"", other, before)
  }

  private func readable(_ name: String) throws(DocumentError) -> String {
    if Document.name(name) == nil { throw DocumentError(description: "takes a name that can be read") }
    return name
  }

  private func save(
    _ part: Int, _ action: String = "save",
    _ body: (_ patch: Patch, _ origin: String) throws(DocumentError) -> Preset
  ) throws(DocumentError) {
    let before = beginStep(part)
    var saved: Preset?
    let changes = try library.recording { () throws(DocumentError) in
      saved = try body(before.patch, before.origin.name)
    }
    guard let preset = saved, let slot = preset.slot else { return }
    origins[part] = PresetOrigin(slot: slot, name: preset.name, stored: before.patch)
    origins[part].storedSnapshots = before.snapshots
    compare(part)
    // The preset that was just overwritten may be that of another part too.
    readPresets(in: slot)
    endStep("\(action) of \"\(preset.name)\"", part, before, changes)
    turnPage(to: part)
    writer.changed(.preset(part: part))
    writer.changed(.page)
    saving.post("\"\(preset.name)\", \(slot.label)")
  }
}
