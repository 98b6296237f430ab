import Storage

// Presets that were removed or saved over can be had back.

extension Library {
  /// Removed presets that can be brought back, in order of their slots.
  public var trash: [Preset] {
    DocumentShelf(documents, .preset).trash.compactMap { entry in
      Slot(key: entry.key).map {
        Preset(slot: $0, name: entry.document.name, text: entry.document.text, isFactory: false)
      }
    }
  }

  /// The removed preset that a name means, as any other is found: the one that lay in a slot, as `1/5`, else the last of
  /// this name, also behind an equals sign, else the only one whose name begins so. Nil when there is none.
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

  /// Brings a removed preset back to its slot.
  public func restore(_ slot: Slot) throws(DocumentError) {
    guard documents.restore(.preset, slot.key) else {
      throw DocumentError(description: "no removed preset lies in \(slot.place)")
    }
    updateIndex()
  }

  /// Goes back to the version before in a slot, be it before a save or a removal. Nothing is lost: after the
  /// oldest version comes the newest again. Nil when the slot is then empty.
  @discardableResult
  public func undo(_ slot: Slot) throws(DocumentError) -> Preset? {
    guard documents.undo(.preset, slot.key) else {
      throw DocumentError(description: "there is nothing to undo in \(slot)")
    }
    updateIndex()
    return self[slot]
  }
}
