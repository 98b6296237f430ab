import Presets
import Storage
import System

// Commands that manage setlists as documents: list, rename, remove, restore, import and export.

extension Setlists {
  /// All setlists as they are now, to be listed on any thread.
  public var listing: DocumentCollection { shelf.collection }

  /// A setlist as a line of fields separated by tabs: number, name, number of entries. Any thread.
  public static func line(_ entry: DocumentShelf.Entry) -> String {
    let count = (try? SetlistText.read(entry.document.text))?.setlist.entries.count
    return [entry.key, entry.document.name, count.map { "\($0)" } ?? "cannot be read"].tabbedLine
  }

  /// Each entry of the setlist as a line of fields separated by tabs: number, title, content, and the other fields in
  /// the order of `SetlistText.names`.
  public var entryCatalog: [String] {
    setlist.entries.enumerated().map { index, entry in
      let values = SetlistText.names.map { SetlistText.value($0, of: entry) }
      return (["\(index + 1)", entry.shownTitle, SetlistText.words(entry.content)] + values).tabbedLine
    }
  }

  /// The text of a setlist with its name and key.
  public func text(of words: String) throws -> String { shelf.exported(try shelf.find(words)) }

  /// Renames a setlist. Returns a sentence about what was done.
  public func rename(_ words: String, to wish: String) throws -> String {
    let entry = try shelf.find(words)
    try change("renaming of setlist \"\(entry.document.name)\"") { () throws(DocumentError) in
      try shelf.rename(entry.key, to: wish)
    }
    return "\"\(entry.document.name)\" is named \"\(library.documents[.setlist, entry.key]?.name ?? "")\" now"
  }

  /// Moves a setlist to the trash; the sound stays. Returns a sentence about what was done.
  public func remove(_ words: String) throws -> String {
    let entry = try shelf.find(words)
    try change("removal of setlist \"\(entry.document.name)\"") { () throws(DocumentError) in
      try shelf.remove(entry.key)
    }
    return "\"\(entry.document.name)\" is in the trash"
  }

  /// Restores a setlist from the trash. Returns a sentence about what was done.
  public func restore(_ words: String) throws -> String {
    var name = ""
    try change("restoring of a setlist") { () throws(DocumentError) in
      name = try shelf.restore(words).document.name
    }
    return "\"\(name)\" is back"
  }

  /// Saves an imported text as a setlist, which replaces the setlist of its name. The position in the current setlist
  /// stays with its entry. Returns a sentence about what was done.
  public func save(_ imported: ImportedShow) throws(DocumentError) -> String {
    for warning in imported.warnings { notices.log("setlist, \(warning)") }
    let before = setlist
    var key = ""
    try change("import of a setlist") { () throws(DocumentError) in key = try shelf.save(imported.text) }
    if key == self.key { follow(replaced: before) }
    return "\"\(library.documents[.setlist, key]?.name ?? "")\" is setlist \(key)"
  }

  /// The earlier versions of a setlist as lines: age, when it was saved in seconds since 1970 or `-`, name.
  public func versions(of words: String) throws -> [String] {
    library.documents.history(.setlist, try shelf.find(words).key).versions.map { age, document in
      "\(age)\t\(document.saved.map { "\($0)" } ?? "-")\t\(document.name)"
    }
  }

  /// Brings back an earlier version of a setlist. Returns a sentence about what was done.
  public func bring(_ words: String, age: Int) throws -> String {
    let entry = try shelf.find(words)
    let versions = library.documents.history(.setlist, entry.key).versions
    guard age > 0, let old = versions.first(where: { $0.age == age })?.document else {
      throw DocumentError(description: "has versions 1 to \(max(versions.count - 1, 0)), not \(age)")
    }
    let before = setlist
    try change("return of a version of setlist \"\(old.name)\"") { () throws(DocumentError) in
      _ = try library.documents.restore(age: age, as: old, .setlist, entry.key)
    }
    if entry.key == key { follow(replaced: before) }
    return "\"\(old.name)\" is version \(age) again"
  }
}
