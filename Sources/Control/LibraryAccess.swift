import Presets

// All presets, as whoever keeps them in order asks for them. What is changed is a step in the history of the part in
// focus, so that a tablet can take it back.

extension Control {
  /// Each preset in a line: bank, program, origin, what is wrong with it, and name, with tabs between.
  public var catalog: [String] { library.catalog.map(line) }

  /// The same of the removed ones.
  public var trashCatalog: [String] { library.trashCatalog.map(line) }

  private func line(_ entry: CatalogEntry) -> String {
    let problem = entry.problem.map { $0 == "\t" ? " " : String($0) }.joined()
    return [
      entry.slot.map { "\($0.bank)" } ?? "-", entry.slot.map { "\($0.program)" } ?? "-",
      entry.isFactory ? "factory" : "user", problem, entry.name,
    ].joined(separator: "\t")
  }

  /// The text of a preset, with its name and its slot in it.
  public func text(of name: String) throws -> String {
    library.exported(try library.find(name))
  }

  /// Gives one of the player's presets another name. What was done, as a sentence.
  public func rename(_ name: String, to other: String) throws -> String {
    let (slot, before) = try own(name)
    try rename(slot, to: other, part: focus)
    return "\"\(before)\" is named \"\(library[slot]?.name ?? "")\" now"
  }

  /// Removes one of the player's presets. What was done, as a sentence.
  public func remove(_ name: String) throws -> String {
    let (slot, name) = try own(name)
    try remove(slot, part: focus)
    return "\"\(name)\" is in the trash, from \(slot.place)"
  }

  /// Brings a preset back from the trash. What was done, as a sentence.
  public func restore(_ name: String) throws -> String {
    guard let preset = try library.removed(name), let slot = preset.slot else {
      throw LibraryError(description: "the trash holds no preset named \"\(Preset.name(name) ?? "")\"")
    }
    try edit("return of \"\(preset.name)\"", slot, focus) { () throws(LibraryError) in
      try library.restore(slot)
    }
    tell("Bringing back \"\(preset.name)\"", "Back: \"\(preset.name)\", \(slot.place)")
    return "\"\(preset.name)\" is back in \(slot.place)"
  }

  /// Saves a text as a preset. What was done, and what could not be taken of it, as a sentence.
  public func importText(_ text: String, name: String) throws -> String {
    let before = begin(focus)
    var imported: (preset: Preset, warnings: [TextWarning])?
    let changes = try library.recording { () throws(LibraryError) in
      imported = try library.importText(text, name: name)
    }
    guard let imported, let slot = imported.preset.slot else { return "" }
    readPresets(in: slot)
    end("import of \"\(imported.preset.name)\"", focus, before, changes)
    changed(.page)
    let what = "\"\(imported.preset.name)\", \(slot.place)"
    tell("Importing \(what)", "Imported \(what)")
    return (["\"\(imported.preset.name)\" is in \(slot.place)"] + imported.warnings.map { "\($0)" })
      .joined(separator: "; ")
  }

  private func own(_ name: String) throws -> (slot: Slot, name: String) {
    let preset = try library.find(name)
    guard let slot = preset.slot, !preset.isFactory else {
      throw LibraryError(description: "\"\(preset.name)\" is a factory preset")
    }
    return (slot, preset.name)
  }
}
