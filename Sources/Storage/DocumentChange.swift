/// The change of one document by an edit, to be taken back and repeated.
public struct DocumentChange: Sendable, Equatable {
  /// The document.
  public package(set) var id: DocumentID
  let before: Document?
  let after: Document?
}

extension Documents {
  /// Runs some edits; returns the changes that they made.
  public func recording<Failure>(_ edits: () throws(Failure) -> Void) throws(Failure) -> [DocumentChange] {
    recorded = []
    defer { recorded = nil }
    try edits()
    return recorded ?? []
  }

  /// Takes a change back. False, and nothing is done, when the document has been changed since.
  public func undo(_ change: DocumentChange) -> Bool {
    if self[change.id.kind, change.id.key] != change.after { return false }
    goBack(to: change.before, change.id.kind, change.id.key)
    return true
  }

  /// Repeats a change. False, and nothing is done, when the document has been changed since.
  public func redo(_ change: DocumentChange) -> Bool {
    if self[change.id.kind, change.id.key] != change.before { return false }
    goForward(to: change.after, change.id.kind, change.id.key)
    return true
  }

  /// Brings a removed document back. False when there is one by that key, or none that was removed.
  public func restore(_ kind: DocumentKind, _ key: String) -> Bool {
    let history = history(kind, key)
    guard history.current == nil, let last = history.earlier.last else { return false }
    goBack(to: last, kind, key)
    recorded?.append(DocumentChange(id: DocumentID(kind, key), before: nil, after: last))
    return true
  }
}
