import Parameters
import Storage
import Synth

// Edits by the player: in memory at once, on the disk soon after.

extension Library {
  /// Saves a sound. It can be recalled on return; `reports()` says when it is on the disk.
  ///
  /// It goes to `slot` if that is given. Otherwise it replaces the user preset of that name, or without a name the user
  /// preset in `current`. Otherwise it goes to the first free slot of the user banks.
  /// - Parameters:
  ///   - snapshots: The snapshots of the sound.
  ///   - name: The name as typed. Nil or empty: the name of the replaced preset, or one derived from the origin.
  ///   - slot: The slot. A preset in a factory slot hides the factory preset until it is removed.
  ///   - current: The slot that the sound was recalled from.
  ///   - origin: The name that the sound was recalled by, if it has no slot.
  @discardableResult
  public func save(
    _ patch: Patch, snapshots: Snapshots = Snapshots(), name wish: String? = nil, slot: Slot? = nil,
    current: Slot? = nil, origin: String = ""
  ) throws(DocumentError) -> Preset {
    let wished = wish.flatMap { Document.name($0) }
    let before = current.flatMap { self[$0]?.name } ?? Document.name(origin)
    guard let slot = slot ?? slotToOverwrite(wished, current) ?? freeSlot else { throw full }
    let name =
      wished ?? self[slot]?.name ?? before.map { unusedName($0, amongFactory: false) }
      ?? "Preset \(slot.bank)-\(slot.program)"
    let about = about(named: name, in: slot, current: current, origin: origin)
    let text = PresetText.write(patch, about: about, snapshots: snapshots, names: wavetables)
    try put(Document(name: name, text: text), in: slot)
    return Preset(slot: slot, name: name, text: text, isFactory: false)
  }

  /// Saves a sound as a new preset in the first free slot of the user banks, under `name` or the next name derived from
  /// `origin`, the name of the sound that was recalled; `current` is its slot.
  public func saveNew(
    _ patch: Patch, snapshots: Snapshots = Snapshots(), name: String? = nil, current: Slot? = nil,
    origin: String = ""
  ) throws(DocumentError) -> Preset {
    guard let slot = freeSlot else { throw full }
    return try save(
      patch, snapshots: snapshots, name: name.flatMap { Document.name($0) } ?? nextName(origin), slot: slot,
      current: current, origin: origin)
  }

  /// The description of a sound that is saved: that of the preset of this name in the slot, or else that of its origin
  /// without the author, and no favorite yet.
  private func about(named name: String, in slot: Slot, current: Slot?, origin: String) -> PresetAbout {
    if let user = userPreset(slot), user.name.lowercased() == name.lowercased() {
      return PresetAbout(text: user.text)
    }
    guard let model = current.flatMap({ self[$0] }) ?? presetOutside(named: origin) else {
      return PresetAbout()
    }
    var about = about(model)
    (about.author, about.isFavorite) = (nil, false)
    return about
  }

  /// Renames the user preset in a slot.
  public func rename(_ slot: Slot, to wish: String) throws(DocumentError) {
    let user = try userDocument(slot, "rename")
    guard let name = Document.name(wish) else {
      throw DocumentError(description: "takes a name that can be read")
    }
    let other = userSlot(named: name)
    if let other, other != slot {
      throw DocumentError(
        description: "could not rename \"\(user.name)\": \(other.label) is named \"\(name)\"")
    }
    try put(Document(name: name, text: user.text), in: slot)
  }

  /// Moves the user preset in a slot to the trash; a factory preset there becomes visible again. `restore` and `undo`
  /// bring it back.
  public func remove(_ slot: Slot) throws(DocumentError) {
    _ = try userDocument(slot, "remove")
    try put(nil, in: slot)
  }

  /// Saves the session. Cheap, so it may be called after every change: changes are collected for some seconds before a
  /// write.
  /// - Parameter atOnce: Whether the player has saved something that the session holds. It is then written without
  ///   delay, and `savesWaiting` counts it.
  public func save(_ session: Session, atOnce: Bool = false) {
    self.session = session
    // Its text is made later, so that it cannot be too long here.
    try? documents.save(Document { [wavetables] in session.text(wavetables) }, .session, atOnce: atOnce)
  }

  private func slotToOverwrite(_ name: String?, _ current: Slot?) -> Slot? {
    if let name {
      let key = name.lowercased()
      if let current, userPreset(current)?.name.lowercased() == key { return current }
      guard let slot = index.slot(named: key), userPreset(slot) != nil else { return nil }
      return slot
    }
    return current.flatMap { userPreset($0) == nil ? nil : $0 }
  }

  /// The slot for the next new preset; nil if all are in use. Slots of removed presets come last, so that these can be
  /// restored.
  public var freeSlot: Slot? {
    documents[collection: .preset].freeKey(sparesTrash: true).flatMap { Slot(key: $0) }
  }

  private var full: DocumentError {
    DocumentError(description: "could not save: all banks are full; give a slot to overwrite")
  }

  func userDocument(_ slot: Slot, _ attempt: String) throws(DocumentError) -> Document {
    if let user = userPreset(slot) { return user }
    let why =
      factory[slot].map { "\"\($0.name)\" is a factory preset" } ?? "there is no preset in \(slot.label)"
    throw DocumentError(description: "could not \(attempt) the preset: \(why)")
  }
}
