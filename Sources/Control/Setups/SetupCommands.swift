import Parameters
import Presets
import Scenes
import Storage
import System

// Commands that manage setups as documents: list, rename, remove, restore, import and export.

extension Setups {
  /// All setups as they are now, to be listed on any thread.
  public var listing: DocumentCollection { shelf.collection }

  /// A setup as a line of fields separated by tabs: number, name, category, what a recall leaves alone. Any thread.
  public static func line(_ entry: DocumentShelf.Entry) -> String {
    // The knobs, and with them the names that they hold, are left out.
    let about = (try? SetupText.read(entry.document.text, names: NameRegister()))?.setup.about
    let number = Slot(key: entry.key).map { "\($0.setupNumber)" } ?? entry.key
    return [
      number, entry.document.name, about?.category ?? "", about.map { "\($0.keep)" } ?? "cannot be read",
    ].tabbedLine
  }

  /// The text of a setup with its name and key.
  public func text(of words: String) throws -> String {
    shelf.exported(try shelf.find(try slot(of: words).key))
  }

  /// Renames the current setup.
  public func rename(to wish: String) throws(DocumentError) {
    guard let slot, document != nil else { throw DocumentError(description: "there is no setup to rename") }
    try rename(slot, to: wish)
  }

  /// Renames a setup, also in the setlists.
  private func rename(_ slot: Slot, to wish: String) throws(DocumentError) {
    let before = library.documents[.setup, slot.key]?.name ?? ""
    try change("renaming") { () throws(DocumentError) in
      try shelf.rename(slot.key, to: wish)
      onRenamed(before, library.documents[.setup, slot.key]?.name ?? "")
    }
  }

  /// Moves the current setup to the trash; the sound stays.
  public func remove() throws(DocumentError) {
    guard let slot, document != nil else { throw DocumentError(description: "there is no setup to delete") }
    try change("removal") { () throws(DocumentError) in try shelf.remove(slot.key) }
  }

  /// Sets the category, the notes or what a recall of the current setup leaves alone.
  public func describe(_ field: String, _ words: String) throws(DocumentError) {
    guard let slot, document != nil else { throw DocumentError(description: "there is no setup to describe") }
    try describe(slot, field, words)
  }

  private func describe(_ slot: Slot, _ field: String, _ words: String) throws(DocumentError) {
    guard let document = library.documents[.setup, slot.key], var setup = prepared(slot)?.setup else {
      throw DocumentError(description: "cannot read this setup")
    }
    try setup.about.set(field, words)
    let described = Document(
      name: document.name, text: SetupText.write(setup, names: writer.names), saved: document.saved)
    try change("description") { () throws(DocumentError) in
      _ = try library.documents.amend(described, .setup, slot.key)
    }
  }

  /// Runs a change of documents as a step of the history.
  private func change(_ action: String, _ body: () throws(DocumentError) -> Void) throws(DocumentError) {
    settle()
    let (before, name) = (state, name)
    let changes = try library.documents.recording(body)
    let words = "\(action) of setup \"\(name)\""
    add(.init(action: words, before: before, after: state, changes: changes))
    writer.changed(.show)
    presets.saving.post(change: words)
  }

  // MARK: - By the name of a setup

  /// Renames a setup. Returns a sentence about what was done.
  public func rename(_ words: String, to wish: String) throws -> String {
    let slot = try slot(of: words)
    let before = library.documents[.setup, slot.key]?.name ?? ""
    try rename(slot, to: wish)
    return "\"\(before)\" is named \"\(library.documents[.setup, slot.key]?.name ?? "")\" now"
  }

  /// Moves a setup to the trash. Returns a sentence about what was done.
  public func remove(_ words: String) throws -> String {
    let slot = try slot(of: words)
    let name = library.documents[.setup, slot.key]?.name ?? ""
    try change("removal") { () throws(DocumentError) in try shelf.remove(slot.key) }
    return "\"\(name)\" is in the trash"
  }

  /// Restores a setup from the trash. Returns a sentence about what was done.
  public func restore(_ words: String) throws -> String {
    let key = Int(words).flatMap { Slot(setupNumber: $0) }?.key ?? words
    var name = ""
    try change("restoring") { () throws(DocumentError) in name = try shelf.restore(key).document.name }
    return "\"\(name)\" is back"
  }

  /// Exchanges the numbers of a setup and of another, or moves it to a free number. Returns a sentence.
  public func move(_ words: String, to number: String) throws -> String {
    let slot = try slot(of: words)
    guard let other = Int(number).flatMap({ Slot(setupNumber: $0) }) else {
      throw DocumentError(description: "takes a number from 1")
    }
    let name = library.documents[.setup, slot.key]?.name ?? ""
    settle()
    let before = state
    // Earlier steps are undone only after this one, when their slots hold the same setups again.
    let changes = library.documents.recording { library.documents.exchange(.setup, slot.key, other.key) }
    if self.slot == slot { self.slot = other } else if self.slot == other { self.slot = slot }
    if changes.isEmpty { return "\"\(name)\" has the number \(other.setupNumber) already" }
    add(.init(action: "move of setup \"\(name)\"", before: before, after: state, changes: changes))
    writer.changed(.show)
    presets.saving.post(change: "move of setup \"\(name)\"")
    return "\"\(name)\" has the number \(other.setupNumber) now"
  }

  /// Sets the category, the notes or what the recall of a setup leaves alone. Returns a sentence.
  public func describe(_ words: String, _ field: String, _ value: String) throws -> String {
    let slot = try slot(of: words)
    try describe(slot, field, value)
    return
      "\"\(library.documents[.setup, slot.key]?.name ?? "")\": \(field) \(value.isEmpty ? "removed" : value)"
  }

  /// Saves an imported text as a setup, which replaces the setup of its name. Returns a sentence about what was done.
  public func save(_ imported: ImportedShow) throws(DocumentError) -> String {
    for warning in imported.warnings { notices.log("setup, \(warning)") }
    var key = ""
    try change("import") { () throws(DocumentError) in key = try shelf.save(imported.text) }
    let number = Slot(key: key)?.setupNumber ?? 0
    return "\"\(library.documents[.setup, key]?.name ?? "")\" is setup \(number)"
  }

  /// The earlier versions of a setup as lines: age, when it was saved in seconds since 1970 or `-`, name, with a mark
  /// for edits that a recall has dropped.
  public func versions(of words: String) throws -> [String] {
    library.documents.history(.setup, try slot(of: words).key).versions.map { age, document in
      "\(age)\t\(document.saved.map { "\($0)" } ?? "-")\t\(document.name)"
        + (SetupText.isDropped(document.text) ? " (dropped edits)" : "")
    }
  }

  /// Brings back an earlier version of a setup; the current one becomes the newest of the earlier ones. The sound
  /// stays. Returns a sentence.
  public func bring(_ words: String, age: Int) throws -> String {
    let slot = try slot(of: words)
    let versions = library.documents.history(.setup, slot.key).versions
    guard age > 0, let old = versions.first(where: { $0.age == age })?.document else {
      throw DocumentError(description: "has versions 1 to \(max(versions.count - 1, 0)), not \(age)")
    }
    let unmarked = Document(name: old.name, text: SetupText.unmarked(old.text), saved: old.saved)
    _ = try library.documents.restore(age: age, as: unmarked, .setup, slot.key)
    if slot == self.slot { isBrought = true }
    writer.changed(.show)
    presets.saving.post(change: "return of a version of setup \"\(old.name)\"")
    return "\"\(old.name)\" is version \(age) again"
  }
}

// Saving setups, and keeping or dropping edits when another setup is recalled.

extension Setups {
  /// Saves everything as a setup: over the current one or, with a name, as a setup of that name, which replaces one
  /// that exists. Overwriting keeps the category, the notes and the `keep` line that the setup has.
  public func save(named wish: String? = nil) throws(DocumentError) {
    if wish == nil, let slot, let document { return try write(document.name, slot.key) }
    let name = try readable(wish ?? newName)
    let known = shelf.named(name)
    // So that removed setups can be restored.
    guard let key = known?.key ?? shelf.collection.freeKey(sparesTrash: true) else {
      throw DocumentError(description: "could not save \"\(name)\": all places are taken")
    }
    try write(known?.document.name ?? name, key)
  }

  /// Saves everything as a new setup, under a name or under `newName`.
  /// - Parameter now: CLOCK_MONOTONIC, to recognize a packet that the network has duplicated.
  public func saveNew(named wish: String? = nil, now: Int64) throws(DocumentError) {
    // The default name has changed after the first save.
    if writer.isDuplicate("new setup \(wish ?? "")", now) { return }
    let name = try readable(wish ?? newName)
    if shelf.named(name) != nil {
      throw DocumentError(description: "there is a setup \"\(name)\" already")
    }
    try save(named: name)
  }

  /// The default name of a new setup.
  public var newName: String {
    let number = Document.unusedNumber(from: shelf.collection.current.count + 1) {
      shelf.named("Setup \($0)") != nil
    }
    return "Setup \(number)"
  }

  func readable(_ wish: String) throws(DocumentError) -> String {
    if let name = Document.name(wish) { return name }
    throw DocumentError(description: "takes a name that can be read")
  }

  private func write(_ name: String, _ key: String) throws(DocumentError) {
    guard let target = Slot(key: key) else {
      throw DocumentError(description: "\(key) is no place of a setup")
    }
    settle()
    let before = state
    var setup = present
    setup.about = prepared(target)?.setup.about ?? about
    let text = SetupText.write(setup, names: writer.names)
    let changes = try library.documents.recording { () throws(DocumentError) in
      try library.documents.save(Document(name: name, text: text), .setup, key)
    }
    prepare(setup, target, name: name, text: text)
    (slot, tempoOfEntry, isBrought) = (target, nil, false)
    add(.init(action: "save of setup \"\(name)\"", before: before, after: state, changes: changes))
    presets.saving.post("setup \(target.setupNumber), \"\(name)\"")
    writer.changed(.show)
  }

  /// Called before another setup is recalled: saves the edits in the current one, or keeps them as an earlier version
  /// of it.
  func leave() {
    defer { isBrought = false }
    if isBrought { return }
    guard let slot, let document, let stored = prepared(slot), !isAsStored else { return }
    var setup = present
    restoreBorrowed(in: &setup)
    restoreUnedited(stored.setup, in: &setup)
    if setup.isSame(as: stored.setup) { return }
    let text = SetupText.write(setup, names: writer.names)
    do throws(DocumentError) {
      if edits == .keep {
        return try library.documents.save(Document(name: document.name, text: text), .setup, slot.key)
      }
      let edited = Document(name: document.name, text: SetupText.markDropped(text))
      try library.documents.save(edited, .setup, slot.key)
      _ = try library.documents.restore(age: 1, as: document, .setup, slot.key)
      library.documents.keep(Limits.droppedEdits, versionsOf: .setup, slot.key) {
        SetupText.isDropped($0.text)
      }
    } catch { notices.post("edits of \"\(document.name)\" are not kept: \(error)", about: .show) }
  }

  /// Restores the stored values that the player did not edit, before the edits of a setup are kept: values that a recall
  /// leaves alone, a tempo from an entry of a setlist or from a clock, and the sound before a snapshot was recalled.
  private func restoreUnedited(_ stored: Setup, in setup: inout Setup) {
    let keep = stored.about.keep
    setup.about = stored.about
    if keep.tempo || isClockFollowed || tempoOfEntry != nil { setup.tempo = stored.tempo }
    if keep.mixer { setup.equalizer = stored.equalizer }
    for part in setup.parts.indices {
      if keep.parts.contains(part) { setup.parts[part] = stored.parts[part] }
      if stored.parts[part].has(setup.parts[part].patch) {
        setup.parts[part].patch = stored.parts[part].patch
      }
      if keep.tuning { setup.parts[part].tuning = stored.parts[part].tuning }
      if !keep.mixer { continue }
      let strip = stored.parts[part].strip
      setup.parts[part].strip.level = strip.level
      setup.parts[part].strip.pan = strip.pan
      setup.parts[part].strip.mute = strip.mute
    }
  }
}

/// A text that is imported as a setup or a setlist, read and checked on any thread; the control thread saves it.
public struct ImportedShow: Sendable {
  let text: ExportedText
  let warnings: [TextWarning]

  /// Reads the text of a setup. One without a name gets the name `fallback`.
  public static func setup(_ text: String, named fallback: String) throws(DocumentError) -> ImportedShow {
    try ImportedShow(text, .setup, named: fallback) { text throws(TextRefusal) in
      try SetupText.read(text, names: NameRegister()).warnings
    }
  }

  /// Reads the text of a setlist. One without a name gets the name `fallback`.
  public static func setlist(_ text: String, named fallback: String) throws(DocumentError) -> ImportedShow {
    try ImportedShow(text, .setlist, named: fallback) { text throws(TextRefusal) in
      try SetlistText.read(text).warnings
    }
  }

  private init(
    _ text: String, _ kind: DocumentKind, named fallback: String,
    read: (String) throws(TextRefusal) -> [TextWarning]
  ) throws(DocumentError) {
    do throws(TextRefusal) { warnings = try read(text) } catch {
      throw DocumentError(description: error.description)
    }
    self.text = try ExportedText(text, kind, named: fallback)
  }
}
