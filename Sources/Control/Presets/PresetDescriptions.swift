import Presets
import Storage

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
