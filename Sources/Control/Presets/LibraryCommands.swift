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

// Tags, favorites and descriptions of presets, by the name of a preset or for the preset of a part. Each change is a
// step in the history of a part.

extension PartPresets {
  // MARK: - By the name of a preset

  /// Sets the tags of a preset: a comma-separated list, or changes such as `+soft, -dark`. Returns a sentence about
  /// what was done.
  public func tag(_ name: String, _ edit: String) throws -> String {
    let preset = try library.find(name)
    try tag(preset, edit, writer.focus)
    let tags = library.about(preset.slot.flatMap { library[$0] } ?? preset).tags
    return tags.isEmpty
      ? "\"\(preset.name)\" has no tags" : "\"\(preset.name)\" has the tags \(tags.joined(separator: ", "))"
  }

  /// Marks a preset as a favorite, or no longer. Returns a sentence about what was done.
  public func favorite(_ name: String, _ isOn: Bool) throws -> String {
    let preset = try library.find(name)
    try describe(preset, isOn ? "favorite" : "favorite, no longer,", writer.focus) { $0.isFavorite = isOn }
    return "\"\(preset.name)\" is \(isOn ? "a" : "no") favorite"
  }

  /// Sets a field of a preset's description: `category`, `author` or `about`; without words it is removed. Returns a
  /// sentence about what was done.
  public func describe(_ name: String, _ field: String, _ words: String) throws -> String {
    let preset = try library.find(name)
    try describe(preset, field, words, writer.focus)
    return words.isEmpty
      ? "\"\(preset.name)\" has no \(field) now" : "\"\(preset.name)\" has the \(field) \"\(words)\""
  }

  // MARK: - By part

  /// The description of the preset of a part; empty without one.
  public func about(part: Int) -> PresetAbout {
    // Feedback reads it after every change of any state.
    if let known = descriptions[part], known.edition == library.edition, known.origin == origins[part] {
      return known.about
    }
    let about = preset(part: part).map { library.about($0) } ?? PresetAbout()
    descriptions[part] = (library.edition, origins[part], about)
    return about
  }

  /// Sets the tags of a part's preset, as `tag(_:_:)`.
  public func tag(part: Int, _ edit: String) throws(DocumentError) {
    try tag(try described(part), edit, part)
  }

  /// Marks the preset of a part as a favorite, or no longer.
  public func favorite(part: Int, _ isOn: Bool) throws(DocumentError) {
    try describe(try described(part), isOn ? "favorite" : "favorite, no longer,", part) {
      $0.isFavorite = isOn
    }
  }

  /// The name of a macro of a part's preset, 0..<4; `Macro 1` without a name.
  public func macroName(_ macro: Int, part: Int) -> String {
    let name = about(part: part).macros[macro]
    return name.isEmpty ? "Macro \(macro + 1)" : name
  }

  /// Names a macro of a part's preset, 0..<4; without letters its name is removed.
  public func name(macro: Int, part: Int, _ name: String) throws(DocumentError) {
    let preset = try described(part)
    if preset.isFactory {
      throw DocumentError(
        description: "names macros of your own presets; \"\(preset.name)\" is a factory preset, save it first"
      )
    }
    try describe(preset, "the name of macro \(macro + 1)", part) {
      $0.macros[macro] = Document.name(name) ?? ""
    }
  }

  /// The preset of a part; nil if it has none, or it was removed.
  func preset(part: Int) -> Preset? {
    if let slot = slot(part: part) { return library[slot] }
    return origins[part].slot == nil ? library.presetOutside(named: name(part: part)) : nil
  }

  private func described(_ part: Int) throws(DocumentError) -> Preset {
    if let preset = preset(part: part) { return preset }
    throw DocumentError(description: "finds no preset in the part")
  }

  // MARK: - Changes

  private func tag(_ preset: Preset, _ edit: String, _ part: Int) throws(DocumentError) {
    let tags = try Library.tags(library.about(preset).tags, edit: edit)
    try describe(preset, "tags", part) { $0.tags = tags }
  }

  private func describe(
    _ preset: Preset, _ field: String, _ words: String, _ part: Int
  ) throws(DocumentError) {
    var about = library.about(preset)
    try about.set(field, words)
    try describe(preset, field, part) { $0 = about }
  }

  private func describe(
    _ preset: Preset, _ what: String, _ part: Int, _ change: (inout PresetAbout) -> Void
  ) throws(DocumentError) {
    var about = library.about(preset)
    change(&about)
    let changed = about
    try edit("\(what) of \"\(preset.name)\"", preset.slot, part) { () throws(DocumentError) in
      try library.describe(preset, changed)
    }
    // The parts whose presets are outside the banks show it too.
    writer.changed(.preset(part: part))
  }
}

// Earlier versions of presets, places and bundles, by the name of a preset. Each change is a step in the history of a
// part.

extension PartPresets {
  // MARK: - Versions

  /// The versions of a user preset as lines of fields separated by tabs: age, when it was saved in seconds since 1970
  /// or `-` if that is unknown, and name.
  public func versions(of name: String) throws -> [String] {
    library.versions(try own(name).slot).map { version in
      "\(version.age)\t\(version.saved.map { "\($0)" } ?? "-")\t\(version.preset.name)"
    }
  }

  /// The text of a version of a user preset, including its name and its slot.
  public func text(of name: String, age: Int) throws -> String {
    library.exported(try library.version(try own(name).slot, age: age).preset)
  }

  /// The differences between two versions of a user preset, as lines of fields separated by tabs: the address of a knob,
  /// or `name`, `category`, `tags`, `author`, `about` or `favorite`; the value before, and the value after, in words
  /// with units.
  public func differences(of name: String, from age: Int, to other: Int = 0) throws -> [String] {
    let slot = try own(name).slot
    let (one, two) = (try library.version(slot, age: age), try library.version(slot, age: other))
    return library.differences(from: one.preset, to: two.preset).map {
      "\($0.address)\t\($0.before)\t\($0.after)"
    }
  }

  /// Brings back an earlier version of a user preset. The sound of a part stays until the preset is recalled. Returns
  /// a sentence about what was done.
  public func bring(_ name: String, age: Int) throws -> String {
    let (slot, before) = try own(name)
    try edit("return of version \(age) of \"\(before)\"", slot, writer.focus) { () throws(DocumentError) in
      try library.restore(slot, age: age)
    }
    let name = library[slot]?.name ?? before
    return "version \(age) of \"\(name)\" is back in \(slot.label)"
  }

  // MARK: - Places

  /// Moves a user preset to another slot, given as `BANK/PROGRAM`; a preset there gets the slot that it had. Returns a
  /// sentence about what was done.
  public func move(_ name: String, to key: String) throws -> String {
    let (slot, name) = try own(name)
    guard let other = Slot(key: key) else {
      throw DocumentError(description: "takes a place as BANK/PROGRAM, not \"\(Document.name(key) ?? "")\"")
    }
    let replaced = library[other]
    let before = beginStep(writer.focus)
    let changes = try library.recording { () throws(DocumentError) in try library.move(slot, to: other) }
    exchange(slot, other, stepOf: writer.focus)
    endStep("move of \"\(name)\"", writer.focus, before, changes)
    writer.changed(.page)
    saving.post("\"\(name)\", \(other.label)")
    let swapped =
      replaced.map { $0.isFactory || slot == other ? "" : ", \"\($0.name)\" in \(slot.label)" } ?? ""
    return "\"\(name)\" is in \(other.label)" + swapped
  }

  /// Follows two presets that have exchanged their slots in a step of a part.
  func exchange(_ slot: Slot, _ other: Slot, stepOf part: Int) {
    if slot == other { return }
    follow([slot: other, other: slot], stepOf: part)
    for either in [slot, other] { readPresets(in: either) }
  }

  // MARK: - Bundles

  /// A text with the named presets, one after the other.
  public func bundle(_ names: [String]) throws -> String {
    library.listing.bundle(try names.map { try library.find($0) })
  }
}

extension ImportedPreset {
  /// A sentence about the result, and about the lines that could not be read.
  public var sentence: String {
    guard let slot else { return "line \(line): \(problem)" }
    return (["\"\(name)\" is in \(slot.label)"] + warnings.map { "\($0)" }).joined(separator: "; ")
  }
}
