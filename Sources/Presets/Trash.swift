import Storage

// Restoring removed and replaced presets.

extension Library {
  /// Removed presets that can be restored, in the order of their slots.
  public var trash: [Preset] {
    DocumentShelf(documents, .preset).trash.compactMap { entry in
      Slot(key: entry.key).map {
        Preset(slot: $0, name: entry.document.name, text: entry.document.text, isFactory: false)
      }
    }
  }

  /// Finds a removed preset: the one of a slot such as `1/5`, else the last of this name, also after an equals sign,
  /// else the only one whose name begins with it. Nil if there is none.
  public func removed(_ name: String) throws(NoSuchPreset) -> Preset? {
    let (trash, key) = (trash, name.lowercased())
    if let slot = Slot(key: name) { return trash.last { $0.slot == slot } }
    let named =
      trash.last { $0.name.lowercased() == key } ?? trash.last { "=" + $0.name.lowercased() == key }
    if named != nil || name.isEmpty { return named }
    let found = trash.filter { $0.name.lowercased().hasPrefix(key) }
    if Set(found.map { $0.name.lowercased() }).count < 2 { return found.last }
    throw NoSuchPreset(name: name, candidates: found.map(\.name))
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
