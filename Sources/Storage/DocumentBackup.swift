// All versions of documents at once, for a backup.

extension Documents {
  /// All versions of the documents of some kinds. Cheap: the texts are shared.
  package func histories(of kinds: [DocumentKind]) -> [DocumentID: DocumentHistory] {
    var histories: [DocumentID: DocumentHistory] = [:]
    for kind in kinds {
      for (key, history) in self.histories(kind) where !history.isEmpty {
        histories[DocumentID(kind, key)] = history
      }
    }
    return histories
  }

  /// Replaces all documents of some kinds, in one write. A version before becomes an earlier one as far as there is
  /// room; a document that is not among the new ones is moved to the trash.
  package func restore(_ restored: [DocumentID: DocumentHistory], of kinds: [DocumentKind]) {
    var changes: [DocumentID: DocumentHistory] = [:]
    for (id, before) in histories(of: kinds) where restored[id] == nil && before.current != nil {
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
