import Storage

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
