/// Names and what they name, in order: found by the whole name in any case, or by its beginning, in a time that grows
/// with the logarithm of their number. A value type.
package struct NameIndex<Key: Comparable & Sendable>: Sendable, Equatable {
  /// A name in lower case, and what it names.
  package struct Entry: Sendable, Equatable {
    /// The name in lower case.
    package let name: String
    /// What it names.
    package let key: Key
  }
  /// In the order of the names; those of one name in the order of their keys.
  private var entries: [Entry] = []

  /// An empty index.
  package init() {}

  /// An index of names in lower case.
  package init(_ names: some Sequence<(name: String, key: Key)>) {
    entries = names.map { Entry(name: $0.name, key: $0.key) }.sorted { Self.isBefore($0, $1.name, $1.key) }
  }

  /// Adds a name in lower case.
  package mutating func insert(_ name: String, _ key: Key) {
    entries.insert(Entry(name: name, key: key), at: entries.leading { Self.isBefore($0, name, key) })
  }

  /// Removes a name in lower case.
  package mutating func remove(_ name: String, _ key: Key) {
    let index = entries.leading { Self.isBefore($0, name, key) }
    if index < entries.count, entries[index].name == name, entries[index].key == key {
      entries.remove(at: index)
    }
  }

  /// The entries of a name in lower case, in the order of their keys.
  package subscript(name: String) -> ArraySlice<Entry> {
    let start = entries.leading { $0.name < name }
    return entries[start..<max(start, entries.leading { $0.name <= name })]
  }

  /// The entries whose names begin with a text in lower case, in the order of their names.
  package func beginning(_ text: String) -> ArraySlice<Entry> {
    let start = entries.leading { $0.name < text }
    return entries[start..<max(start, entries.leading { $0.name < text + "\u{10FFFF}" })]
  }

  /// All entries, in the order of their names.
  package var all: ArraySlice<Entry> { entries[...] }

  private static func isBefore(_ entry: Entry, _ name: String, _ key: Key) -> Bool {
    entry.name != name ? entry.name < name : entry.key < key
  }
}

extension RandomAccessCollection where Index == Int {
  /// The number of leading elements for which `isBefore` is true, by binary search, in a collection that begins at 0 and
  /// in which these come first.
  @inlinable
  package func leading(_ isBefore: (Element) -> Bool) -> Int {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if isBefore(self[middle]) { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
