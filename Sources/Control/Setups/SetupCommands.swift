import Parameters
import Presets
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
