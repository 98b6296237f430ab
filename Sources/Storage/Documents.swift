import Glibc
import System

/// All documents, in memory. A background thread writes them to the database, so that no call waits for a disk.
///
/// Control thread only.
public final class Documents {
  private var contents = DocumentSet()
  private var reportsToCome: [Report] = []
  let writer: WriterThread?
  private var isReadOnly = false
  // Whether `finishOpening` has something to wait for.
  private var isOpening = false
  // A failure was reported since the database was last opened.
  private var hasFailed = false
  private var moved: [DocumentID: DocumentID] = [:]
  // The changes recorded so far; nil while not recording.
  var recorded: [DocumentChange]?
  /// Whether the database has been read. Before that, documents may be missing.
  public private(set) var isRead = false
  /// Incremented whenever documents are loaded from the database, at the start and later.
  public private(set) var revision = 0

  /// Documents that `writer` stores, if there is one; the caller runs it.
  package init(writer: WriterThread?) { self.writer = writer }

  /// Begins to open the database and to load all documents, which takes a few milliseconds; `finishOpening` waits for
  /// them. If it cannot be opened, it is tried again later, and `reports()` says so. Without a database nothing is
  /// stored.
  package convenience init(database: String?, _ kinds: [DocumentKind], log: (String) -> Void) {
    let writer = database.flatMap { WriterThread($0, kinds) }
    let isRunning = writer?.start() == true
    self.init(writer: isRunning ? writer : nil)
    isOpening = isRunning
    if database != nil, !isRunning {
      log(.error("could not start the thread that saves presets; nothing will be saved"))
    }
  }

  /// Waits until the database is open or cannot be opened, for ten seconds at most, since a disk may not respond.
  package func finishOpening() {
    guard isOpening, let writer else { return }
    isOpening = false
    // The first event says whether the file is open.
    writer.eventPipe.wait(10_000_000_000)
    takeEvents()
    // The events are reported by `reports()`.
    if !reportsToCome.isEmpty { writer.eventPipe.wake() }
  }

  /// Loads a database read-only, for commands. Nothing is saved. `log` receives a line if some documents are damaged.
  package convenience init(
    reading database: String, _ kinds: [DocumentKind], log: (String) -> Void
  ) throws(StoreError) {
    self.init(writer: nil)
    let store = try Store(database, writes: false)
    contents = try store.load(kinds)
    (isRead, revision) = (true, 1)
    if !store.damaged.isEmpty { log(DamagedDocument.note(store.damaged, database)) }
  }

  /// Checks a database without changing it: a sentence about the documents that are damaged, or nil. Throws if the
  /// database cannot be read. It waits for the disk; any thread.
  public static func damage(in database: String, _ kinds: [DocumentKind]) throws(StoreError) -> String? {
    let store = try Store(database, writes: false)
    _ = try store.load(kinds)
    return store.damaged.isEmpty ? nil : DamagedDocument.list(store.damaged)
  }

  deinit { writer?.stop() }

  // MARK: - Reading

  /// The current version of a document; nil if there is none.
  public subscript(kind: DocumentKind, key: String = "") -> Document? {
    contents[DocumentID(kind, key)].current
  }

  /// The documents of a kind, by key.
  public subscript(all kind: DocumentKind) -> [String: Document] {
    contents[kind].histories.compactMapValues(\.current)
  }

  /// All documents of a kind with their versions. Costs nothing, and can be read on any thread.
  public subscript(collection kind: DocumentKind) -> DocumentCollection { contents[kind] }

  /// All versions of a document; empty if there is none.
  package func history(_ kind: DocumentKind, _ key: String = "") -> DocumentHistory {
    contents[DocumentID(kind, key)]
  }

  /// All versions of the documents of a kind, by key.
  package func histories(_ kind: DocumentKind) -> [String: DocumentHistory] {
    contents[kind].histories
  }

  // MARK: - Saving

  /// Saves a document under a key; the document there becomes an earlier version. It is in memory on return, and on the
  /// disk soon after. Throws if the text is longer than its kind allows.
  /// - Parameter atOnce: Whether the player has saved it, and it counts as such, though its kind gathers changes.
  public func save(
    _ document: Document, _ kind: DocumentKind, _ key: String = "", atOnce: Bool = false
  ) throws(DocumentError) {
    try check(document, kind, key)
    var document = document
    if kind.earlierVersions > 0 { document.saved = document.saved ?? Int(time(nil)) }
    put(document, DocumentID(kind, key), atOnce: atOnce)
  }

  /// Throws if the text is longer than its kind allows.
  func check(_ document: Document, _ kind: DocumentKind, _ key: String) throws(DocumentError) {
    guard let bytes = document.knownBytes, bytes > kind.textBytes else { return }
    throw DocumentError(
      description: "could not save \(DocumentID(kind, key)): it has \(bytes) bytes, "
        + "the limit is \(kind.textBytes)")
  }

  /// Removes a document. Its earlier versions stay, and `undo` restores it.
  public func remove(_ kind: DocumentKind, _ key: String = "") { put(nil, DocumentID(kind, key)) }

  private func put(_ document: Document?, _ id: DocumentID, atOnce: Bool = false) {
    if recorded != nil, self[id.kind, id.key] != document {
      recorded?.append(DocumentChange(id: id, before: self[id.kind, id.key], after: document))
    }
    change(id.kind, id.key, atOnce: atOnce) { $0.replace(document, limit: id.kind.earlierVersions) }
  }

  /// Goes back to the version before the last save or removal. Repeated calls cycle through all versions. False if
  /// there is none.
  public func undo(_ kind: DocumentKind, _ key: String = "") -> Bool {
    if history(kind, key).isEmpty { return false }
    change(kind, key) { $0.undo() }
    return true
  }

  /// Goes back to an earlier version, or to none for nil. The current version becomes the oldest.
  func goBack(to document: Document?, _ kind: DocumentKind, _ key: String) {
    change(kind, key) { $0.goBack(to: document, limit: kind.earlierVersions) }
  }

  /// Returns to a later version after `goBack`.
  func goForward(to document: Document?, _ kind: DocumentKind, _ key: String) {
    change(kind, key) { $0.goForward(to: document, limit: kind.earlierVersions) }
  }

  /// Sets the current version without keeping the one before.
  func set(_ document: Document?, _ kind: DocumentKind, _ key: String) {
    change(kind, key) { $0.current = document }
  }

  /// Exchanges the histories of two keys; both are written in one transaction.
  func swapHistories(_ kind: DocumentKind, _ key: String, _ other: String) {
    let (one, two) = (DocumentID(kind, key), DocumentID(kind, other))
    (contents[one], contents[two]) = (contents[two], contents[one])
    writer?.put([one: contents[one], two: contents[two]])
  }

  /// Restores an earlier version as `document`. False if there is none of that age.
  func restoreVersion(_ age: Int, _ document: Document, _ kind: DocumentKind, _ key: String) -> Bool {
    var isDone = false
    change(kind, key) { isDone = $0.restore(age: age, as: document, limit: kind.earlierVersions) }
    return isDone
  }

  func keepVersions(_ count: Int, _ kind: DocumentKind, _ key: String, _ fits: (Document) -> Bool) {
    change(kind, key) { $0.keep(count, of: fits) }
  }

  private func change(
    _ kind: DocumentKind, _ key: String, atOnce: Bool = false, _ body: (inout DocumentHistory) -> Void
  ) {
    let id = DocumentID(kind, key)
    body(&contents[id])
    writer?.put([id: contents[id]], atOnce: atOnce)
  }

  /// Replaces all versions of some documents, as the player has asked for.
  func replace(_ histories: [DocumentID: DocumentHistory]) {
    contents = DocumentSet(contents.all.merging(histories) { _, new in new })
    writer?.put(histories, atOnce: true)
  }

  /// Holds back the writes of documents of reported kinds until `releaseWrites`, so that many changes become one
  /// transaction. The last attempt before the end does not wait.
  public func holdWrites() { writer?.hold(true) }

  /// Ends `holdWrites`.
  public func releaseWrites() { writer?.hold(false) }

  // MARK: - Kinds of one document

  /// The text of the only document of a kind: empty if there is none, nil until the database has been read.
  public func text(_ kind: DocumentKind) -> String? { self[kind]?.text ?? (isRead ? "" : nil) }

  /// Saves the text of the only document of a kind. A text that is longer than the kind allows is not saved.
  public func save(text: String, _ kind: DocumentKind) { try? save(Document(text: text), kind) }

  // MARK: - Events of the writer

  /// A descriptor for `poll`, readable when `reports()` is not empty; nil without a database.
  public var descriptor: Int32? { writer?.eventPipe.descriptor }

  /// The reports since the last call.
  public func reports() -> [Report] {
    takeEvents()
    defer { reportsToCome = [] }
    return reportsToCome
  }

  /// Writes pending changes, for at most `seconds`. False if some could not be written.
  public func stop(within seconds: Double) -> Bool {
    guard let writer else { return true }
    writer.stop()
    let end = monotonic() + Int64(clamping: seconds * 1e9)
    while writer.isFinished == nil && monotonic() < end {
      writer.eventPipe.wait(end - monotonic())
      takeEvents()
    }
    return writer.isFinished ?? false
  }

  private func takeEvents() {
    for event in writer?.takeEvents() ?? [] {
      switch event {
      case .durable(let ids): reportsToCome.append(.durable(ids))
      case .recovered:
        hasFailed = false
        reportsToCome.append(.recovered)
      case .failed(let error, let waiting):
        hasFailed = true
        reportsToCome.append(.failed(error, waiting: waiting))
      case .note(let text): reportsToCome.append(.note(text))
      case .opened(let stored, let notes, let isReadOnly):
        note(stored, notes, isReadOnly)
        adopt(stored)
        (isRead, self.isReadOnly, hasFailed) = (true, isReadOnly, false)
        writer?.allowWrites()
      }
    }
  }

  /// The number of the player's saves that are not on the disk yet; nil without a database.
  public var savesWaiting: Int? { writer.map { $0.pending.withLock { $0.savesWaiting } } }

  private func note(_ stored: DocumentSet, _ notes: [String], _ isReadOnly: Bool) {
    if !notes.isEmpty {
      reportsToCome.append(.note(notes.joined(separator: "; ")))
    } else if isRead && stored.isEmpty && !contents.isEmpty {
      reportsToCome.append(.note("the preset database was deleted; it is written again from memory"))
    }
    if hasFailed || isReadOnly != self.isReadOnly { reportsToCome.append(.opened(isReadOnly: isReadOnly)) }
  }

  /// Merges the documents of the database. Versions in memory are newer and are written again; documents that conflict
  /// with unrelated ones get a free key.
  private func adopt(_ stored: DocumentSet) {
    revision += 1
    var known = contents.all
    if known.isEmpty { return contents = stored }
    var changes = moveConflicts(&known, stored)
    for (id, history) in known where stored[id] != history && changes[id] == nil {
      changes[id] = history.merging(older: stored[id], limit: id.kind.earlierVersions)
    }
    known.merge(changes) { _, changed in changed }
    contents = DocumentSet(stored.all.merging(known) { _, known in known })
    if !changes.isEmpty { writer?.put(changes) }
  }

  /// Moves documents that were saved under keys of unrelated documents in the database, which stay. Returns the new
  /// histories of both keys.
  private func moveConflicts(
    _ known: inout [DocumentID: DocumentHistory], _ stored: DocumentSet
  ) -> [DocumentID: DocumentHistory] {
    var changes: [DocumentID: DocumentHistory] = [:]
    // The free keys of a kind from which no key was taken yet.
    var free: [DocumentKind: Range<Int>] = [:]
    for (id, history) in known.sorted(by: { $0.key < $1.key })
    where history.isUnrelated(to: stored[id]) {
      guard let keys = id.kind.keys else { continue }
      let range = free[id.kind] ?? keys.assigned
      let number = range.first { number in
        let other = DocumentID(id.kind, keys.key(number))
        return stored[other].isEmpty && known[other]?.isEmpty ?? true
      }
      guard let number else { continue }
      free[id.kind] = number + 1..<range.upperBound
      let target = DocumentID(id.kind, keys.key(number))
      (known[id], known[target]) = (stored[id], history)
      (changes[id], changes[target]) = (stored[id], history)
      moved[id] = target
    }
    return changes
  }

  /// The documents moved since the last call: their old IDs and their new ones.
  package func takeMoved() -> [DocumentID: DocumentID] {
    defer { moved = [:] }
    return moved
  }
}
