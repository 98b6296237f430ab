/// All versions of the documents of one kind, with indices by place and by name, so that no edit and no search of a
/// name takes longer the more documents there are. A value type: a copy of it can be read on any thread.
public struct DocumentCollection: Sendable {
  /// The kind.
  public let kind: DocumentKind
  /// The versions by key, also of removed documents.
  private(set) var histories: [String: DocumentHistory] = [:]
  /// The documents.
  public private(set) var current = DocumentIndex()
  /// The removed documents that can be restored, with their last names.
  public private(set) var trash = DocumentIndex()
  // The numbers of the keys that hold any version, ascending.
  private var used: [Int] = []

  init(_ kind: DocumentKind) { self.kind = kind }

  init(_ kind: DocumentKind, _ histories: [String: DocumentHistory]) {
    (self.kind, self.histories) = (kind, histories)
    guard let keys = kind.keys else { return }
    var (current, trash): ([(DocumentPlace, String)], [(DocumentPlace, String)]) = ([], [])
    for (key, history) in histories where !history.isEmpty {
      let place = keys.place(key)
      if place.number != .max { used.append(place.number) }
      if let name = history.current?.name { current.append((place, name)) }
      if let name = history.removed?.name { trash.append((place, name)) }
    }
    used.sort()
    (self.current, self.trash) = (DocumentIndex(current), DocumentIndex(trash))
  }

  /// The versions under a key; empty if there are none.
  subscript(key: String) -> DocumentHistory {
    get { histories[key] ?? DocumentHistory() }
    set {
      let before = histories.updateValue(newValue, forKey: key) ?? DocumentHistory()
      guard let keys = kind.keys else { return }
      let place = keys.place(key)
      current.replace(before.current?.name, newValue.current?.name, place)
      trash.replace(before.removed?.name, newValue.removed?.name, place)
      if before.isEmpty == newValue.isEmpty || place.number == .max { return }
      let index = used.leading { $0 < place.number }
      if newValue.isEmpty { used.remove(at: index) } else { used.insert(place.number, at: index) }
    }
  }

  /// The current version of a document; nil if there is none.
  public func document(_ key: String) -> Document? { histories[key]?.current }

  /// The last version of a removed document; nil for any other.
  public func removed(_ key: String) -> Document? { histories[key]?.removed }

  /// The first key for a new document that holds none. Nil if all are taken.
  /// - Parameter sparesTrash: Whether a key that holds no version at all comes first, so that removed documents can be
  ///   restored.
  public func freeKey(sparesTrash: Bool) -> String? {
    guard let keys = kind.keys else { return nil }
    let places = current.places
    let unused = sparesTrash ? firstGap(in: keys.assigned, used.count) { used[$0] } : nil
    return (unused ?? firstGap(in: keys.assigned, places.count) { places[$0].number }).map(keys.key)
  }

  /// The first number of a range that is not among `count` ascending numbers.
  private func firstGap(in range: Range<Int>, _ count: Int, _ number: (Int) -> Int) -> Int? {
    let start = (0..<count).leading { number($0) < range.lowerBound }
    // Without a gap, each number is its index above the start.
    let run = (0..<count - start).leading { number(start + $0) == range.lowerBound + $0 }
    return run < range.count ? range.lowerBound + run : nil
  }
}

/// Documents of one kind in the order of their places, and by their names.
public struct DocumentIndex: Sendable {
  /// Their places, ascending.
  public private(set) var places: [DocumentPlace] = []
  private var names = NameIndex<DocumentPlace>()

  init() {}

  init(_ documents: [(place: DocumentPlace, name: String)]) {
    places = documents.map(\.place).sorted()
    names = NameIndex(documents.lazy.map { ($0.name.lowercased(), $0.place) })
  }

  /// Follows a document that was added, renamed or removed.
  mutating func replace(_ before: String?, _ after: String?, _ place: DocumentPlace) {
    if before == after { return }
    if let before { names.remove(before.lowercased(), place) }
    if let after { names.insert(after.lowercased(), place) }
    if (before == nil) == (after == nil) { return }
    let index = places.leading { $0 < place }
    if after != nil { places.insert(place, at: index) } else { places.remove(at: index) }
  }

  /// The number of documents.
  public var count: Int { places.count }

  /// The places of the documents of a name in any case, in order.
  public func named(_ name: String) -> some RandomAccessCollection<DocumentPlace> {
    names[name.lowercased()].lazy.map(\.key)
  }

  /// The places of the documents whose names begin with a text in any case, in the order of the names.
  public func beginning(_ text: String) -> some RandomAccessCollection<DocumentPlace> {
    names.beginning(text.lowercased()).lazy.map(\.key)
  }

  /// The first document whose key has a number of at least this.
  public func first(from number: Int) -> DocumentPlace? {
    let index = places.leading { $0.number < number }
    return index < places.count ? places[index] : nil
  }

  /// The last document whose key has a number below this.
  public func last(below number: Int) -> DocumentPlace? {
    let index = places.leading { $0.number < number }
    return index > 0 ? places[index - 1] : nil
  }
}

// All versions of documents at once, for a backup.

extension Documents {
  /// All documents of some kinds with their versions. Costs nothing, and can be read on any thread.
  package func collections(of kinds: [DocumentKind]) -> [DocumentCollection] {
    kinds.map { self[collection: $0] }
  }

  /// Replaces all documents of some kinds, in one write. A version before becomes an earlier one as far as there is
  /// room; a document that is not among the new ones is moved to the trash.
  package func restore(_ restored: [DocumentID: DocumentHistory], of kinds: [DocumentKind]) {
    var changes: [DocumentID: DocumentHistory] = [:]
    for (id, before) in collections(of: kinds).histories where restored[id] == nil && before.current != nil {
      var history = before
      history.replace(nil, limit: id.kind.earlierVersions)
      changes[id] = history
    }
    for (id, history) in restored where kinds.contains(id.kind) {
      changes[id] = history.merging(older: self.history(id.kind, id.key), limit: id.kind.earlierVersions)
    }
    replace(changes)
  }
}

extension Sequence<DocumentCollection> {
  /// All versions of all documents.
  package var histories: [DocumentID: DocumentHistory] {
    var histories: [DocumentID: DocumentHistory] = [:]
    for collection in self {
      for (key, history) in collection.histories where !history.isEmpty {
        histories[DocumentID(collection.kind, key)] = history
      }
    }
    return histories
  }
}
