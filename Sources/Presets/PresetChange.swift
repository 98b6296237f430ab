/// What one edit did to the player's preset in a slot, so that it can be taken back and done again.
public struct PresetChange: Sendable, Equatable {
  /// Where.
  public internal(set) var slot: Slot
  let before: Document?
  let after: Document?
}

extension Library {
  /// Runs some edits; what they changed.
  public func recording(_ edits: () throws(LibraryError) -> Void) throws(LibraryError) -> [PresetChange] {
    changes = []
    defer { changes = nil }
    try edits()
    return changes ?? []
  }

  /// Takes a change back. False, and nothing is done, when the slot holds something else than what it left there.
  public func undo(_ change: PresetChange) -> Bool {
    if documents[.preset, change.slot.key] != change.after { return false }
    take(change, goBack: true)
    return true
  }

  /// Does a change again. False, and nothing is done, when the slot holds something else than what it found there.
  public func redo(_ change: PresetChange) -> Bool {
    if documents[.preset, change.slot.key] != change.before { return false }
    take(change, goBack: false)
    return true
  }

  func take(_ change: PresetChange, goBack: Bool) {
    if goBack {
      documents.goBack(to: change.before, .preset, change.slot.key)
    } else {
      documents.goForward(to: change.after, .preset, change.slot.key)
    }
    updateIndex()
  }

  /// Puts a document into a slot, nil to remove the one that is there.
  func put(_ document: Document?, in slot: Slot) throws(LibraryError) {
    let before = documents[.preset, slot.key]
    if let document {
      try documents.save(document, .preset, slot.key)
    } else {
      documents.remove(.preset, slot.key)
    }
    if before != document { changes?.append(PresetChange(slot: slot, before: before, after: document)) }
    updateIndex()
  }

  /// Presets that were moved since the last call, because another lay in their slot when the database was read: where
  /// they were, and where they are.
  public func takeMoved() -> [Slot: Slot] {
    documents.takeMoved().reduce(into: [:]) { moved, pair in
      if let from = Slot(key: pair.key.key), let to = Slot(key: pair.value.key) { moved[from] = to }
    }
  }
}

extension PresetChange {
  /// The same change, of a preset that has been moved since.
  public func moved(_ places: [Slot: Slot]) -> PresetChange {
    var change = self
    change.slot = places[slot] ?? slot
    return change
  }
}
