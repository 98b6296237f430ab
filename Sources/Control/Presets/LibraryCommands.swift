import Presets
import Storage
import System

// Commands for the player's presets in the library: list, rename, remove, restore and import. Each change is a step
// in the history of a part, so that a tablet can undo it.

extension PartPresets {
  /// The presets that a query matches, the best first, of which at most `most` are listed.
  public func search(_ words: String, most: Int = .max) -> FoundPresets {
    library.search(PresetQuery(words), most: most)
  }

  /// The line of one preset, as in a list.
  public func facts(of name: String) throws -> String { library.entry(try library.find(name)).line }

  /// The text of a preset, including its name and its slot.
  public func text(of name: String) throws -> String {
    library.exported(try library.find(name))
  }

  // MARK: - By the name of a preset

  /// Renames one of the player's presets. Returns a sentence about what was done.
  public func rename(_ name: String, to other: String) throws -> String {
    let (slot, before) = try own(name)
    try rename(slot, to: other, part: writer.focus)
    return "\"\(before)\" is named \"\(library[slot]?.name ?? "")\" now"
  }

  /// Removes one of the player's presets. Returns a sentence about what was done.
  public func remove(_ name: String) throws -> String {
    let (slot, name) = try own(name)
    try remove(slot, part: writer.focus)
    return "\"\(name)\" is in the trash, from \(slot.label)"
  }

  /// Restores a preset from the trash. Returns a sentence about what was done.
  public func restore(_ name: String) throws -> String {
    guard let preset = try library.removed(name), let slot = preset.slot else {
      throw DocumentError(description: "the trash holds no preset named \"\(Document.name(name) ?? "")\"")
    }
    try edit("return of \"\(preset.name)\"", slot, writer.focus) { () throws(DocumentError) in
      try library.restore(slot)
    }
    return "\"\(preset.name)\" is back in \(slot.label)"
  }

  func own(_ name: String) throws -> (slot: Slot, name: String) {
    let preset = try library.find(name)
    guard let slot = preset.slot, !preset.isFactory else {
      throw DocumentError(description: "\"\(preset.name)\" is a factory preset")
    }
    return (slot, preset.name)
  }

  // MARK: - By part

  /// Renames the preset of a part.
  public func rename(part: Int, to name: String) throws(DocumentError) {
    try rename(try ownSlot(part), to: name, part: part)
  }

  /// Removes the preset of a part; its sound stays until another is recalled. The preset is moved to the trash, and
  /// undo restores it.
  public func remove(part: Int) throws(DocumentError) { try remove(try ownSlot(part), part: part) }

  private func ownSlot(_ part: Int) throws(DocumentError) -> Slot {
    if let slot = slot(part: part) { return slot }
    throw DocumentError(description: "finds no preset of yours in the part")
  }

  private func rename(_ slot: Slot, to name: String, part: Int) throws(DocumentError) {
    try edit("renaming of \"\(library[slot]?.name ?? "")\"", slot, part) { () throws(DocumentError) in
      try library.rename(slot, to: name)
    }
  }

  private func remove(_ slot: Slot, part: Int) throws(DocumentError) {
    let name = library[slot]?.name ?? ""
    try edit("removal of \"\(name)\"", slot, part) { () throws(DocumentError) in try library.remove(slot) }
  }

  /// Edits the library as a step of a part's history, and announces its saving.
  func edit(
    _ action: String, _ slot: Slot?, _ part: Int, _ body: () throws(DocumentError) -> Void
  ) throws(DocumentError) {
    let before = beginStep(part)
    let changes = try library.recording(body)
    if let slot { readPresets(in: slot) }
    endStep(action, part, before, changes)
    writer.changed(.page)
    saving.post(change: action)
  }
}

extension CatalogEntry {
  /// The entry as fields separated by tabs: bank, program, origin, problem, name, favorite (0 or 1), category, tags,
  /// author and description. Any thread.
  public var line: String {
    let bank: String = slot.map { "\($0.bank)" } ?? "-"
    let program: String = slot.map { "\($0.program)" } ?? "-"
    let origin: String = isFactory ? "factory" : "user"
    var fields: [String] = [bank, program, origin, problem, name]
    fields += [
      about.isFavorite ? "1" : "0", about.category?.rawValue ?? "", about.tags.joined(separator: ", "),
    ]
    fields += [about.author ?? "", about.description ?? ""]
    return fields.tabbedLine
  }
}
