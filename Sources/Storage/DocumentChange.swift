/// The change of one document by an edit, for undo and redo.
public struct DocumentChange: Sendable, Equatable {
  /// The document.
  public package(set) var id: DocumentID
  let before: Document?
  let after: Document?
  var way = Way.version

  /// How the document changed.
  enum Way: Sendable, Equatable {
    /// The document before became an earlier version.
    case version
    /// The document before was replaced and is not a version, as by a change of its tags.
    case amendment
    /// The document and all its versions exchanged keys with the document of `key`.
    case exchange(key: String)
  }

  /// The other document of an exchange of keys; nil for other changes.
  public var partner: DocumentID? {
    if case .exchange(let key) = way { DocumentID(id.kind, key) } else { nil }
  }
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
    let (kind, key) = (change.id.kind, change.id.key)
    if self[kind, key] != change.after { return false }
    switch change.way {
    case .version: goBack(to: change.before, kind, key)
    case .amendment: set(change.before, kind, key)
    case .exchange(let other):
      if self[kind, other] != change.before { return false }
      swapHistories(kind, key, other)
    }
    return true
  }

  /// Redoes a change. False, without effect, if the document has changed since.
  public func redo(_ change: DocumentChange) -> Bool {
    let (kind, key) = (change.id.kind, change.id.key)
    if self[kind, key] != change.before { return false }
    switch change.way {
    case .version: goForward(to: change.after, kind, key)
    case .amendment: set(change.after, kind, key)
    case .exchange(let other):
      if self[kind, other] != change.after { return false }
      swapHistories(kind, key, other)
    }
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

  /// Replaces the current version without keeping it as an earlier one, as when only the tags of a sound change.
  /// False if there is no document.
  public func amend(_ document: Document, _ kind: DocumentKind, _ key: String) throws(DocumentError) -> Bool {
    guard let before = self[kind, key] else { return false }
    try check(document, kind, key)
    if before == document { return true }
    recorded?.append(
      DocumentChange(id: DocumentID(kind, key), before: before, after: document, way: .amendment))
    var amended = document
    amended.saved = before.saved
    set(amended, kind, key)
    return true
  }

  /// Removes the oldest of the earlier versions of a document that satisfy `fits`, until at most `count` of these are
  /// left.
  public func keep(_ count: Int, versionsOf kind: DocumentKind, _ key: String, where fits: (Document) -> Bool)
  {
    keepVersions(count, kind, key, fits)
  }

  /// Exchanges the keys of two documents with all their versions; one of them may be empty.
  public func exchange(_ kind: DocumentKind, _ key: String, _ other: String) {
    if key == other { return }
    let (mine, its) = (self[kind, key], self[kind, other])
    recorded?.append(
      DocumentChange(id: DocumentID(kind, key), before: mine, after: its, way: .exchange(key: other)))
    swapHistories(kind, key, other)
  }

  /// Restores the version of an age, 1 for the last before the current one, as `document`: the version itself, or
  /// one with other lines that do not count as a version. False if there is no such version.
  public func restore(
    age: Int, as document: Document, _ kind: DocumentKind, _ key: String
  ) throws(DocumentError) -> Bool {
    try check(document, kind, key)
    let before = self[kind, key]
    guard restoreVersion(age, document, kind, key) else { return false }
    recorded?.append(DocumentChange(id: DocumentID(kind, key), before: before, after: document))
    return true
  }
}
