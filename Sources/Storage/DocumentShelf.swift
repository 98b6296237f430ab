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

  /// The documents in the order of their keys, with numbers compared by value.
  public var entries: [Entry] {
    sorted(documents[all: kind].map { Entry(key: $0, document: $1) })
  }

  /// The removed documents that can be restored, in the order of their keys.
  public var trash: [Entry] {
    sorted(
      documents.histories(kind).compactMap { key, history in
        history.current == nil ? history.earlier.last.map { Entry(key: key, document: $0) } : nil
      })
  }

  /// Finds a document by its key, its name in any case, or the beginning of its name if no other name begins so.
  public func find(_ words: String) throws(DocumentError) -> Entry { try find(words, in: entries) }

  // MARK: - Changes

  /// Saves a document under a name: it replaces the document of that name, or else gets a free key.
  /// - Returns: The key.
  @discardableResult
  public func save(_ text: String, named wish: String) throws(DocumentError) -> String {
    let name = try readable(wish)
    let known = entries.first { isNamed($0, name) }
    guard let key = known?.key ?? kind.freeKey?({ documents[kind, $0] != nil }) else {
      throw DocumentError(
        description: "could not save \"\(name)\": no key is free for another \(kind.name)")
    }
    try documents.save(Document(name: name, text: text), kind, key)
    return key
  }

  /// Renames a document.
  public func rename(_ words: String, to wish: String) throws(DocumentError) {
    let (entry, name) = (try find(words), try readable(wish))
    if let other = entries.first(where: { isNamed($0, name) && $0.key != entry.key }) {
      throw DocumentError(
        description: "could not rename \"\(entry.document.name)\": \(other.key) is named \"\(name)\"")
    }
    try documents.save(Document(name: name, text: entry.document.text), kind, entry.key)
  }

  /// Moves a document to the trash.
  public func remove(_ words: String) throws(DocumentError) { documents.remove(kind, try find(words).key) }

  /// Restores a document from the trash.
  public func restore(_ words: String) throws(DocumentError) {
    _ = documents.restore(kind, try find(words, in: trash).key)
  }

  // MARK: - Texts

  /// The text of a document with its name and key, for export.
  public func exported(_ entry: Entry) -> String {
    TextFormat.adding(
      ["name \(entry.document.name)", "key \(entry.key)"], to: entry.document.text, kind: kind.name)
  }

  /// Saves an exported text: it replaces the document of its name, or else gets its own key if that is free, or else
  /// any free key. A text without a name gets the name `fallback`.
  /// - Returns: The key.
  @discardableResult
  public func importText(_ text: String, named fallback: String = "") throws(DocumentError) -> String {
    let bare = TextFormat.removing(["name", "key"], from: text)
    var (name, key) = (fallback, "")
    do throws(TextRefusal) {
      try TextFormat.check(bare, kind: kind.name, limit: kind.textBytes)
      _ = try TextFormat.read(text, kind: kind.name, limit: .max) { word, rest in
        if word == "name" { name = String(rest) }
        if word == "key" { key = String(rest) }
        return nil
      }
    } catch { throw DocumentError(description: error.description) }
    let isFree = !key.isEmpty && kind.freeKey?({ $0 != key }) == key && documents[kind, key] == nil
    if isFree, let name = Document.name(name), !entries.contains(where: { isNamed($0, name) }) {
      try documents.save(Document(name: name, text: bare), kind, key)
      return key
    }
    return try save(bare, named: name)
  }

  // MARK: - Names

  private func readable(_ wish: String) throws(DocumentError) -> String {
    if let name = Document.name(wish) { return name }
    throw DocumentError(description: "takes a name that can be read")
  }

  private func isNamed(_ entry: Entry, _ name: String) -> Bool {
    entry.document.name.lowercased() == name.lowercased()
  }

  private func find(_ words: String, in entries: [Entry]) throws(DocumentError) -> Entry {
    if let entry = entries.first(where: { $0.key == words }) ?? entries.last(where: { isNamed($0, words) }) {
      return entry
    }
    let found = entries.filter {
      !words.isEmpty && $0.document.name.lowercased().hasPrefix(words.lowercased())
    }
    if found.count == 1 { return found[0] }
    let shown = TextFormat.printable(words[...])
    if found.isEmpty { throw DocumentError(description: "no \(kind.name) is named \"\(shown)\"") }
    let names = found.prefix(6).map { "\"\($0.document.name)\"" }.joined(separator: ", ")
    throw DocumentError(description: "\"\(shown)\" may be \(names)")
  }

  private func sorted(_ entries: [Entry]) -> [Entry] {
    func order(_ key: String) -> [(Int, String)] {
      key.split(separator: "/").map { (Int($0) ?? .max, String($0)) }
    }
    return entries.sorted { one, other in
      order(one.key).lexicographicallyPrecedes(order(other.key)) { $0 < $1 }
    }
  }
}
