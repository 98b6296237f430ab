import Storage

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
