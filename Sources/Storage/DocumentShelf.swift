/// Manages the documents of one kind: lists, finds, renames, removes, restores, exports and imports them. Changes can
/// be recorded for undo (`Documents.recording`).
///
/// To be used on the thread of its `Documents`.
public struct DocumentShelf {
  /// All documents.
  public let documents: Documents
  /// The kind of the documents on this shelf.
  public let kind: DocumentKind

  /// A document of the shelf.
  public struct Entry: Equatable, Sendable {
    /// The key of the document.
    public let key: String
    /// The document; for the trash, its last version.
    public let document: Document
  }

  /// The shelf of a kind.
  public init(_ documents: Documents, _ kind: DocumentKind) {
    (self.documents, self.kind) = (documents, kind)
  }

  /// All documents of the shelf, in memory as they are now. Can be read on any thread.
  public var collection: DocumentCollection { documents[collection: kind] }

  /// The document with a name in any case; the first in order of several, nil without one.
  public func named(_ name: String) -> Entry? {
    collection.current.named(name).first.flatMap { collection.entry($0.key) }
  }

  /// Finds a document by its key, its name in any case, or the beginning of its name if no other name begins so.
  public func find(_ words: String) throws(DocumentError) -> Entry {
    try find(words, among: collection.current) { collection.entry($0) }
  }

  // MARK: - Changes

  /// Saves a document under a name: it replaces the document of that name, or else gets a free key.
  /// - Returns: The key.
  @discardableResult
  public func save(_ text: String, named wish: String) throws(DocumentError) -> String {
    let name = try readable(wish)
    guard let key = named(name)?.key ?? collection.freeKey(sparesTrash: false) else {
      throw DocumentError(
        description: "could not save \"\(name)\": no key is free for another \(kind.name)")
    }
    try documents.save(Document(name: name, text: text), kind, key)
    return key
  }

  /// Renames a document.
  public func rename(_ words: String, to wish: String) throws(DocumentError) {
    let (entry, name) = (try find(words), try readable(wish))
    if let other = collection.current.named(name).first(where: { $0.key != entry.key }) {
      throw DocumentError(
        description: "could not rename \"\(entry.document.name)\": \(other.key) is named \"\(name)\"")
    }
    try documents.save(Document(name: name, text: entry.document.text), kind, entry.key)
  }

  /// Moves a document to the trash.
  public func remove(_ words: String) throws(DocumentError) { documents.remove(kind, try find(words).key) }

  /// Restores a document from the trash. Returns the document.
  @discardableResult
  public func restore(_ words: String) throws(DocumentError) -> Entry {
    let found = try find(words, among: collection.trash) { key in
      collection.removed(key).map { Entry(key: key, document: $0) }
    }
    _ = documents.restore(kind, found.key)
    return found
  }

  // MARK: - Texts

  /// The text of a document with its name and key, for export.
  public func exported(_ entry: Entry) -> String {
    TextFormat.adding(
      ["name \(entry.document.name)", "key \(entry.key)"], to: entry.document.text, kind: kind.name)
  }

  /// Saves an exported text: it replaces the document of its name, or else gets its own key if that is free, or else
  /// any free key.
  /// - Returns: The key.
  @discardableResult
  public func save(_ exported: ExportedText) throws(DocumentError) -> String {
    let key = exported.key
    let isFree = kind.keys?.number(key) != nil && documents[kind, key] == nil
    if isFree, let name = Document.name(exported.name), named(name) == nil {
      try documents.save(Document(name: name, text: exported.bare), kind, key)
      return key
    }
    return try save(exported.bare, named: exported.name)
  }

  // MARK: - Names

  private func readable(_ wish: String) throws(DocumentError) -> String {
    if let name = Document.name(wish) { return name }
    throw DocumentError(description: "takes a name that can be read")
  }

  private func find(
    _ words: String, among index: DocumentIndex, _ entry: (String) -> Entry?
  ) throws(DocumentError) -> Entry {
    if let entry = entry(words) ?? index.named(words).last.flatMap({ entry($0.key) }) { return entry }
    let found = words.isEmpty ? [] : index.beginning(words).least(DocumentShelf.listed)
    if found.count == 1, let entry = entry(found[0].key) { return entry }
    let shown = TextFormat.printable(words[...])
    if found.isEmpty { throw DocumentError(description: "no \(kind.name) is named \"\(shown)\"") }
    let names = found.compactMap { entry($0.key) }.map { "\"\($0.document.name)\"" }.joined(separator: ", ")
    throw DocumentError(description: "\"\(shown)\" may be \(names)")
  }

  /// The most candidates that an error lists.
  private static let listed = 6
}

extension DocumentCollection {
  /// The document with a key; nil if there is none.
  func entry(_ key: String) -> DocumentShelf.Entry? {
    document(key).map { DocumentShelf.Entry(key: key, document: $0) }
  }

  /// The documents in order.
  public var entries: [DocumentShelf.Entry] { current.places.compactMap { entry($0.key) } }

  /// The removed documents that can be restored, with their last versions, in order.
  public var trashEntries: [DocumentShelf.Entry] {
    trash.places.compactMap { place in
      removed(place.key).map { DocumentShelf.Entry(key: place.key, document: $0) }
    }
  }
}

extension Collection where Element: Comparable {
  /// The least elements, at most `most`, ascending. Takes one pass.
  @inlinable
  package func least(_ most: Int) -> [Element] {
    var least: [Element] = []
    for element in self {
      if least.count == most, let last = least.last, !(element < last) { continue }
      least.insert(element, at: least.leading { !(element < $0) })
      if least.count > most { least.removeLast() }
    }
    return least
  }
}

/// An exported text of a document, taken apart on any thread before a shelf saves it.
public struct ExportedText: Sendable {
  let name, key: String
  /// The text without its name and key.
  let bare: String

  /// Reads a text of a kind. One without a name gets the name `fallback`. Throws for a text of another kind, or one
  /// that is too long.
  public init(_ text: String, _ kind: DocumentKind, named fallback: String = "") throws(DocumentError) {
    bare = TextFormat.removing(["name", "key"], from: text)
    var (name, key) = (fallback, "")
    do throws(TextRefusal) {
      try TextFormat.check(bare, kind: kind.name, limit: kind.textBytes)
      _ = try TextFormat.read(text, kind: kind.name, limit: .max) { word, rest in
        if word == "name" { name = String(rest) }
        if word == "key" { key = String(rest) }
        return nil
      }
    } catch { throw DocumentError(description: error.description) }
    (self.name, self.key) = (name, key)
  }
}
