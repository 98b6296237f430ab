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
