/// The change of one document by an edit, for undo and redo.
public struct DocumentChange: Sendable, Equatable {
  /// The document.
  public package(set) var id: DocumentID
  let before: Document?
  let after: Document?
}

extension Documents {
  /// Runs `edits` and returns the changes that they made.
  public func recording<Failure>(_ edits: () throws(Failure) -> Void) throws(Failure) -> [DocumentChange] {
    recorded = []
    defer { recorded = nil }
    try edits()
    return recorded ?? []
  }

  /// Undoes a change. False, without effect, if the document has changed since.
  public func undo(_ change: DocumentChange) -> Bool {
    if self[change.id.kind, change.id.key] != change.after { return false }
    goBack(to: change.before, change.id.kind, change.id.key)
    return true
  }

  /// Redoes a change. False, without effect, if the document has changed since.
  public func redo(_ change: DocumentChange) -> Bool {
    if self[change.id.kind, change.id.key] != change.before { return false }
    goForward(to: change.after, change.id.kind, change.id.key)
    return true
  }

  /// Restores a removed document. False if the key is in use, or no document was removed from it.
  public func restore(_ kind: DocumentKind, _ key: String) -> Bool {
    let history = history(kind, key)
    guard history.current == nil, let last = history.earlier.last else { return false }
    goBack(to: last, kind, key)
    recorded?.append(DocumentChange(id: DocumentID(kind, key), before: nil, after: last))
    return true
  }
}
