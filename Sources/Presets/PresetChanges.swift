import Storage

// Changes of the player's presets: recorded, taken back, repeated, moved.

extension DocumentChange {
  /// The slot of the preset that was changed; nil when the document is no preset.
  public var slot: Slot? { id.kind == .preset ? Slot(key: id.key) : nil }

  /// The change at the preset's new slot, if the preset was moved since.
  public func moved(_ moves: [Slot: Slot]) -> DocumentChange {
    var change = self
    if let slot = slot.flatMap({ moves[$0] }) { change.id = DocumentID(.preset, slot.key) }
    return change
  }
}

extension Library {
  /// Runs some edits; returns the changes that they made.
  public func recording(_ edits: () throws(DocumentError) -> Void) throws(DocumentError) -> [DocumentChange] {
    try documents.recording(edits)
  }

  /// Takes a change back. False, and nothing is done, when the slot has been changed since.
  public func undo(_ change: DocumentChange) -> Bool {
    defer { updateIndex() }
    return documents.undo(change)
  }

  /// Repeats a change. False, and nothing is done, when the slot has been changed since.
  public func redo(_ change: DocumentChange) -> Bool {
    defer { updateIndex() }
    return documents.redo(change)
  }

  /// Puts a document into a slot, nil to remove the one that is there.
  func put(_ document: Document?, in slot: Slot) throws(DocumentError) {
    if let document {
      try documents.save(document, .preset, slot.key)
    } else {
      documents.remove(.preset, slot.key)
    }
    updateIndex()
  }

  /// Presets that were moved since the last call, because another lay in their slot when the database was read: their old
  /// slots and their new ones.
  public func takeMoved() -> [Slot: Slot] {
    documents.takeMoved().reduce(into: [:]) { moved, pair in
      if let from = Slot(key: pair.key.key), let to = Slot(key: pair.value.key) { moved[from] = to }
    }
  }
}
