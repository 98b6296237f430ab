import Parameters
import Scenes
import Storage

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

// Changes of user presets: recording, undo, redo, moves.

extension DocumentChange {
  /// The slot of the changed preset; nil if the document is not a preset.
  public var slot: Slot? { id.kind == .preset ? Slot(key: id.key) : nil }

  /// The slot with which the preset exchanged its own; nil for other changes.
  public var exchangedSlot: Slot? { slot == nil ? nil : partner.flatMap { Slot(key: $0.key) } }

  /// The change at the preset's new slot, if the preset was moved since. An exchange of slots stays.
  public func moved(_ moves: [Slot: Slot]) -> DocumentChange {
    if partner != nil { return self }
    var change = self
    if let slot = slot.flatMap({ moves[$0] }) { change.id = DocumentID(.preset, slot.key) }
    return change
  }
}

extension Library {
  /// Runs `edits` and returns the changes that they made.
  public func recording(_ edits: () throws(DocumentError) -> Void) throws(DocumentError) -> [DocumentChange] {
    try documents.recording(edits)
  }

  /// Runs `edits`, which do not fail as a whole, and returns the changes that they made.
  public func recordingBundle(_ edits: () -> Void) -> [DocumentChange] { documents.recording(edits) }

  /// Undoes a change. False, without effect, if the slot has changed since.
  public func undo(_ change: DocumentChange) -> Bool {
    defer { update(change) }
    return documents.undo(change)
  }

  /// Redoes a change. False, without effect, if the slot has changed since.
  public func redo(_ change: DocumentChange) -> Bool {
    defer { update(change) }
    return documents.redo(change)
  }

  /// Updates the index after a change was undone or redone.
  private func update(_ change: DocumentChange) {
    if change.id.kind == .mark { return updateMark(change.id.key) }
    for slot in [change.slot, change.exchangedSlot].compactMap({ $0 }) { updateIndex(slot) }
  }

  /// Saves a document in a slot, or removes the one there for nil.
  func put(_ document: Document?, in slot: Slot) throws(DocumentError) {
    if let document {
      try documents.save(document, .preset, slot.key)
    } else {
      documents.remove(.preset, slot.key)
    }
    updateIndex(slot)
  }

  /// The presets moved since the last call, because the database held another preset in their slot: their old slots and
  /// their new ones.
  public func takeMoved() -> [Slot: Slot] {
    documents.takeMoved().reduce(into: [:]) { moved, pair in
      if pair.key.kind == .preset, let from = Slot(key: pair.key.key), let to = Slot(key: pair.value.key) {
        moved[from] = to
      }
    }
  }
}

// Restoring removed and replaced presets.

extension Library {
  /// Finds a removed preset: the one of a slot such as `1/5`, else the last of this name, also after an equals sign,
  /// else the only one whose name begins with it. Nil if there is none.
  public func removed(_ name: String) throws(NoSuchPreset) -> Preset? {
    let presets = documents[collection: .preset]
    if Slot(key: name) != nil { return presets.removedPreset(name) }
    let named =
      presets.trash.named(name).last
      ?? (name.hasPrefix("=") ? presets.trash.named(String(name.dropFirst())).last : nil)
    if let named { return presets.removedPreset(named.key) }
    let found = presets.trash.beginning(name)
    guard !name.isEmpty, let first = found.first, let last = found.last else { return nil }
    let (one, other) = (presets.removedPreset(first.key), presets.removedPreset(last.key))
    // They are in the order of their names.
    if one?.name.lowercased() == other?.name.lowercased() { return other }
    let listed = found.least(NoSuchPreset.listed).compactMap { presets.removedPreset($0.key)?.name }
    throw NoSuchPreset(name: name, candidates: listed, count: found.count)
  }

  /// Restores a removed preset to its slot.
  public func restore(_ slot: Slot) throws(DocumentError) {
    guard documents.restore(.preset, slot.key) else {
      throw DocumentError(description: "the trash holds no preset of \(slot.label)")
    }
    updateIndex(slot)
  }

  /// Goes back to the version of a slot before the last save or removal. Repeated calls cycle through all versions. Nil
  /// if the slot is then empty.
  @discardableResult
  public func undo(_ slot: Slot) throws(DocumentError) -> Preset? {
    guard documents.undo(.preset, slot.key) else {
      throw DocumentError(description: "there is nothing to undo in \(slot)")
    }
    updateIndex(slot)
    return self[slot]
  }
}

extension DocumentCollection {
  /// The removed preset of a slot's key, as it was; nil for none.
  func removedPreset(_ key: String) -> Preset? {
    guard let document = removed(key), let slot = Slot(key: key) else { return nil }
    return Preset(slot: slot, name: document.name, text: document.text, isFactory: false)
  }
}
