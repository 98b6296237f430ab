/// A stored document: a text with a name. Its kind defines the meaning of the text.
public struct Document: Sendable, Equatable {
  /// The name for users; empty if there is only one document of its kind.
  public let name: String
  /// When it was saved, seconds since 1970 by the clock of the machine; nil if that is unknown.
  public var saved: Int?
  private let source: Source

  private enum Source: Sendable {
    case text(String)
    case made(@Sendable () -> String)
  }

  /// A document with a text.
  public init(name: String = "", text: String, saved: Int? = nil) {
    (self.name, source, self.saved) = (name, .text(text), saved)
  }

  /// A document whose text is made on demand, on any thread: for state that changes more often than it is written, so
  /// that the text is made once per write and not once per change.
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

  /// The size of the text, bytes; nil for one made on demand.
  var knownBytes: Int? { if case .text(let text) = source { text.utf8.count } else { nil } }

  /// Compares names and texts, not when they were saved.
  public static func == (one: Document, other: Document) -> Bool {
    one.name == other.name && one.text == other.text
  }
}

/// Identifies a document by its kind and its key, which is unique within the kind.
public struct DocumentID: Hashable, Comparable, Sendable, CustomStringConvertible {
  /// The kind.
  public let kind: DocumentKind
  /// The key; empty if there is only one document of the kind.
  public let key: String

  /// The ID of a kind and a key.
  public init(_ kind: DocumentKind, _ key: String = "") { (self.kind, self.key) = (kind, key) }

  /// Compares kinds, then keys.
  public static func < (one: DocumentID, other: DocumentID) -> Bool {
    (one.kind.name, one.key) < (other.kind.name, other.key)
  }

  /// The ID as text, as `preset 1/5` or `session`.
  public var description: String { key.isEmpty ? kind.name : "\(kind.name) \(key)" }
}

/// A document with its earlier versions, for undo.
package struct DocumentHistory: Sendable, Equatable {
  /// The current version; nil after removal.
  package var current: Document?
  /// The earlier versions, oldest first.
  package var earlier: [Document] = []

  /// A history.
  package init(current: Document? = nil, earlier: [Document] = []) {
    (self.current, self.earlier) = (current, earlier)
  }

  /// Whether there is no version at all.
  package var isEmpty: Bool { current == nil && earlier.isEmpty }

  /// The last version of a removed document; nil for any other.
  var removed: Document? { current == nil ? earlier.last : nil }

  /// All versions with their ages: 0 is the current one, 1 the one before, and so on.
  package var versions: [(age: Int, document: Document)] {
    (current.map { [(0, $0)] } ?? []) + earlier.reversed().enumerated().map { ($0 + 1, $1) }
  }

  /// Whether another document of the same key is unrelated: it has another name, and its current version is none of
  /// these.
  func isUnrelated(to other: DocumentHistory) -> Bool {
    guard let stored = other.current, let current, stored.name != current.name else { return false }
    return current != stored && !earlier.contains(stored)
  }

  /// Replaces the current version, or removes it for nil, and keeps up to `limit` earlier ones.
  mutating func replace(_ document: Document?, limit: Int) {
    if limit > 0, let before = current {
      // Saving an equal document again neither pushes earlier versions out nor changes when the version was saved.
      if before == document { return }
      earlier.append(before)
    }
    current = document
    earlier = earlier.suffix(limit)
  }

  /// Goes back to an earlier version, or to none for nil. The current version becomes the oldest.
  mutating func goBack(to document: Document?, limit: Int) {
    if let index = earlier.lastIndex(where: { $0 == document }) { earlier.remove(at: index) }
    if limit > 0, let undone = current { earlier.insert(undone, at: 0) }
    current = document
    earlier = earlier.suffix(limit)
  }

  /// Returns to a later version after `goBack`.
  mutating func goForward(to document: Document?, limit: Int) {
    if let index = earlier.firstIndex(where: { $0 == document }) { earlier.remove(at: index) }
    replace(document, limit: limit)
  }

  /// Restores the version of an age, 1 for the last before the current one, as `document`. The current version
  /// becomes the newest of the earlier ones. False if there is no such version.
  mutating func restore(age: Int, as document: Document, limit: Int) -> Bool {
    guard (1...max(1, earlier.count)).contains(age), age <= earlier.count else { return false }
    earlier.remove(at: earlier.count - age)
    replace(document, limit: limit)
    return true
  }

  /// Removes the oldest of the earlier versions that satisfy `fits`, until at most `count` of these are left.
  mutating func keep(_ count: Int, of fits: (Document) -> Bool) {
    let found = earlier.indices.filter { fits(earlier[$0]) }
    for index in found.dropLast(count).reversed() { earlier.remove(at: index) }
  }

  /// Goes back to the version before the current one, which becomes the oldest, so that repeated calls cycle.
  mutating func undo() {
    let before = earlier.popLast()
    if let undone = current { earlier.insert(undone, at: 0) }
    current = before
  }

  /// Merges this history with an older one that was found later: its unknown versions become the oldest, up to `limit`.
  func merging(older other: DocumentHistory, limit: Int) -> DocumentHistory {
    let known = earlier + (current.map { [$0] } ?? [])
    let older = limit == 0 ? [] : other.earlier + (other.current.map { [$0] } ?? [])
    let unknown = older.filter { !known.contains($0) }
    return DocumentHistory(current: current, earlier: (unknown + earlier).suffix(limit))
  }
}

/// The histories of documents of all kinds.
struct DocumentSet: Sendable {
  private var kinds: [DocumentKind: DocumentCollection] = [:]

  init() {}

  /// A set of many documents, whose indices are made at once.
  init(_ histories: [DocumentID: DocumentHistory]) {
    var kinds: [DocumentKind: [String: DocumentHistory]] = [:]
    for (id, history) in histories { kinds[id.kind, default: [:]][id.key] = history }
    for (kind, histories) in kinds { self.kinds[kind] = DocumentCollection(kind, histories) }
  }

  var isEmpty: Bool { kinds.values.allSatisfy { $0.histories.values.allSatisfy(\.isEmpty) } }

  /// The documents of a kind.
  subscript(kind: DocumentKind) -> DocumentCollection { kinds[kind] ?? DocumentCollection(kind) }

  /// The history of a document; empty if there is none.
  subscript(id: DocumentID) -> DocumentHistory {
    get { kinds[id.kind]?[id.key] ?? DocumentHistory() }
    set { kinds[id.kind, default: DocumentCollection(id.kind)][id.key] = newValue }
  }

  /// All histories, also of removed documents.
  var all: [DocumentID: DocumentHistory] {
    var all: [DocumentID: DocumentHistory] = [:]
    for (kind, documents) in kinds {
      for (key, history) in documents.histories { all[DocumentID(kind, key)] = history }
    }
    return all
  }
}

extension Document {
  /// The longest name, bytes of UTF-8.
  public static let nameBytes = 64

  /// A name cleaned up for storage: without invisible characters, trimmed, and cut at a character to `nameBytes`. Nil
  /// if nothing is left. Of a text, only the beginning is read.
  public static func name(_ wish: String) -> String? {
    if isPlain(wish) { return wish }
    var name = ""
    let shown = wish.unicodeScalars.prefix(16 * nameBytes).filter(\.isShown)
    for character in String(String.UnicodeScalarView(shown)) {
      if name.isEmpty && character.isWhitespace { continue }
      if name.utf8.count + character.utf8.count > nameBytes { break }
      name.append(character)
    }
    while name.last?.isWhitespace == true { name.removeLast() }
    return name.isEmpty ? nil : name
  }

  /// Whether a name needs no change. This is the fast path for nearly all names: a start reads a thousand of them.
  private static func isPlain(_ name: String) -> Bool {
    let blank = UInt8(ascii: " ")
    return (1...nameBytes).contains(name.utf8.count) && name.utf8.allSatisfy { (blank..<0x7F).contains($0) }
      && name.utf8.first != blank && name.utf8.last != blank
  }
}

extension Document {
  /// A number for a new name: the first from `first` on that is unused, and after a long run of used ones an unused
  /// number after a used one, so that a thousand names are not tried one by one.
  package static func unusedNumber(from first: Int, isUsed: (Int) -> Bool) -> Int {
    let tried = 64
    if let number = (first..<first + tried).first(where: { !isUsed($0) }) { return number }
    var (used, unused) = (first + tried - 1, first + 2 * tried)
    while isUsed(unused) { (used, unused) = (unused, 2 * unused) }
    while unused - used > 1 {
      let middle = (used + unused) / 2
      if isUsed(middle) { used = middle } else { unused = middle }
    }
    return unused
  }
}

extension Unicode.Scalar {
  /// Whether the character is visible in a label. Control characters, changes of writing direction and invisible
  /// characters are not: they would make names look alike, or disturb the line.
  package var isShown: Bool {
    switch properties.generalCategory {
    case .control, .format, .surrogate, .lineSeparator, .paragraphSeparator: false
    default: !properties.isDefaultIgnorableCodePoint
    }
  }
}
