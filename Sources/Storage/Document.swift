/// Something that pipit keeps on disk: a text under a name. Its kind says what the text means.
public struct Document: Sendable, Equatable {
  /// For people; empty where there is one of its kind only.
  public let name: String
  private let source: Source

  private enum Source: Sendable {
    case text(String)
    case made(@Sendable () -> String)
  }

  /// A document with a text.
  public init(name: String = "", text: String) { (self.name, source) = (name, .text(text)) }

  /// A document whose text is made when it is asked for, on any thread: for what changes more often than it is
  /// written, so that the text is made once for each write and not once for each change.
  public init(name: String = "", made: @escaping @Sendable () -> String) {
    (self.name, source) = (name, .made(made))
  }

  /// The text.
  public var text: String {
    switch source {
    case .text(let text): text
    case .made(let make): make()
    }
  }

  /// The bytes of the text; nil for one that is yet to be made.
  var knownBytes: Int? { if case .text(let text) = source { text.utf8.count } else { nil } }

  /// The same name and the same text.
  public static func == (one: Document, other: Document) -> Bool {
    one.name == other.name && one.text == other.text
  }
}

/// Which document: one kind has each key once.
public struct DocumentID: Hashable, Comparable, Sendable, CustomStringConvertible {
  /// The kind.
  public let kind: DocumentKind
  /// Tells documents of one kind apart; empty where there is only one.
  public let key: String

  /// The document of a kind with a key.
  public init(_ kind: DocumentKind, _ key: String = "") { (self.kind, self.key) = (kind, key) }

  /// By kind, then by key.
  public static func < (one: DocumentID, other: DocumentID) -> Bool {
    (one.kind.name, one.key) < (other.kind.name, other.key)
  }

  /// As `preset 1/5` or `session`.
  public var description: String { key.isEmpty ? kind.name : "\(kind.name) \(key)" }
}

/// One document with the versions that it had before, for undo.
package struct DocumentHistory: Sendable, Equatable {
  /// Nil when the document was removed.
  package var current: Document?
  /// The versions before, oldest first.
  package var earlier: [Document] = []

  /// True when nothing is left to keep.
  package var isEmpty: Bool { current == nil && earlier.isEmpty }

  /// All versions with their ages: 0 is the present one, 1 the one before it and so on.
  var versions: [(age: Int, document: Document)] {
    (current.map { [(0, $0)] } ?? []) + earlier.reversed().enumerated().map { ($0 + 1, $1) }
  }

  /// Whether it was begun without knowing of another one that has the same place: by another name, and nothing in it
  /// is what lies there now.
  func isStranger(to other: DocumentHistory) -> Bool {
    guard let theirs = other.current, let own = current, theirs.name != own.name else { return false }
    return own != theirs && !earlier.contains(theirs)
  }

  /// Puts another document in the place of the present one, nil to remove it, and keeps up to `limit` earlier ones.
  mutating func replace(_ document: Document?, limit: Int) {
    // Saving the same twice must not push the earlier versions out.
    if limit > 0, let before = current, before != document { earlier.append(before) }
    current = document
    earlier = earlier.suffix(limit)
  }

  /// Goes back to a document that was there before, nil for none. Nothing is lost: the present one becomes the oldest.
  mutating func goBack(to document: Document?, limit: Int) {
    if let place = earlier.lastIndex(where: { $0 == document }) { earlier.remove(at: place) }
    if limit > 0, let undone = current { earlier.insert(undone, at: 0) }
    current = document
    earlier = earlier.suffix(limit)
  }

  /// Goes forward again to a document that was gone back from.
  mutating func goForward(to document: Document?, limit: Int) {
    if let place = earlier.firstIndex(where: { $0 == document }) { earlier.remove(at: place) }
    replace(document, limit: limit)
  }

  /// Goes back to the version before. Nothing is lost: after the oldest comes the newest again.
  mutating func undo() {
    let before = earlier.popLast()
    if let undone = current { earlier.insert(undone, at: 0) }
    current = before
  }

  /// This history on top of one that was found later: what is not known yet becomes the oldest, up to `limit`.
  func above(_ other: DocumentHistory, limit: Int) -> DocumentHistory {
    let known = earlier + (current.map { [$0] } ?? [])
    let older = limit == 0 ? [] : other.earlier + (other.current.map { [$0] } ?? [])
    let unknown = older.filter { !known.contains($0) }
    return DocumentHistory(current: current, earlier: (unknown + earlier).suffix(limit))
  }
}

/// Documents of all kinds, each with its history.
struct DocumentSet: Sendable {
  private var kinds: [DocumentKind: [String: DocumentHistory]] = [:]

  var isEmpty: Bool { kinds.values.allSatisfy { $0.values.allSatisfy(\.isEmpty) } }

  /// The documents of one kind, by key.
  subscript(kind: DocumentKind) -> [String: DocumentHistory] { kinds[kind] ?? [:] }

  /// One document's history: empty when there is no such document, or when it was removed and nothing is left of it.
  subscript(id: DocumentID) -> DocumentHistory {
    get { kinds[id.kind]?[id.key] ?? DocumentHistory() }
    set { kinds[id.kind, default: [:]][id.key] = newValue }
  }

  /// All of them, those that were removed too, in no order.
  var all: [(id: DocumentID, history: DocumentHistory)] {
    kinds.flatMap { kind, documents in documents.map { (DocumentID(kind, $0), $1) } }
  }
}
