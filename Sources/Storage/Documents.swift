import System

/// All documents, in memory: nothing waits for a disk, and a thread of its own writes to the database behind it.
///
/// Not shared: one thread, that of control, makes it and calls everything here.
public final class Documents {
  private var contents = DocumentSet()
  private var reportsToCome: [Report] = []
  let writer: WriterThread?
  private var isReadOnly = false
  // Something was said to fail since the database was opened last.
  private var hasFailed = false
  private var moved: [DocumentID: DocumentID] = [:]
  // The changes of the edits that are being recorded; nil while none are.
  var recorded: [DocumentChange]?
  /// The database has been read. Before that, what is missing here may still come.
  public private(set) var isRead = false
  /// Goes up whenever documents have come from the database, which may be late.
  public private(set) var revision = 0

  /// Documents that `writer` keeps, if there is one; whoever made it runs it.
  package init(writer: WriterThread?) { self.writer = writer }

  /// Opens the database and loads everything, in a few milliseconds. A file that cannot be opened now is tried again
  /// later; of that `reports()` tells. Without a database nothing is kept.
  package convenience init(database: String?, _ kinds: [DocumentKind], log: (String) -> Void) {
    let writer = database.flatMap { WriterThread($0, kinds) }
    let isRunning = writer?.start() == true
    self.init(writer: isRunning ? writer : nil)
    guard let writer, isRunning else {
      if database != nil {
        log(.error("could not start the thread that saves presets; nothing will be kept"))
      }
      return
    }
    // The first event says that the file is open, or why not. A disk that does not answer is not waited for.
    writer.eventPipe.wait(10_000_000_000)
    takeEvents()
    // What there is to tell waits for `reports()`.
    if !reportsToCome.isEmpty { writer.eventPipe.wake() }
  }

  /// Loads what a database holds without changing anything in it, as a command line does. Nothing is saved.
  package convenience init(reading database: String, _ kinds: [DocumentKind]) throws(StoreError) {
    self.init(writer: nil)
    contents = try Store(database, writes: false).load(kinds)
    (isRead, revision) = (true, 1)
  }

  deinit { writer?.stop() }

  // MARK: - Reading

  /// A document as it was saved last, by kind and key.
  public subscript(kind: DocumentKind, key: String = "") -> Document? {
    contents[DocumentID(kind, key)].current
  }

  /// The documents of a kind, by key.
  public subscript(all kind: DocumentKind) -> [String: Document] {
    contents[kind].compactMapValues(\.current)
  }

  /// All versions of a document; empty when there is none.
  package func history(_ kind: DocumentKind, _ key: String = "") -> DocumentHistory {
    contents[DocumentID(kind, key)]
  }

  /// All versions of the documents of a kind, by key.
  package func histories(_ kind: DocumentKind) -> [String: DocumentHistory] { contents[kind] }

  // MARK: - Saving

  /// Saves a document in the place of the one that is there, which becomes an earlier version of it. It is in memory
  /// when this returns and on the disk soon after. Refuses a text that is longer than its kind may be.
  public func save(_ document: Document, _ kind: DocumentKind, _ key: String = "") throws(DocumentError) {
    if let bytes = document.knownBytes, bytes > kind.textBytes {
      throw DocumentError(
        description: "could not save \(DocumentID(kind, key)): it has \(bytes) bytes, "
          + "the limit is \(kind.textBytes)")
    }
    put(document, DocumentID(kind, key))
  }

  /// Removes a document; its earlier versions stay, and `undo` brings it back.
  public func remove(_ kind: DocumentKind, _ key: String = "") { put(nil, DocumentID(kind, key)) }

  private func put(_ document: Document?, _ id: DocumentID) {
    if recorded != nil, self[id.kind, id.key] != document {
      recorded?.append(DocumentChange(id: id, before: self[id.kind, id.key], after: document))
    }
    change(id.kind, id.key) { $0.replace(document, limit: id.kind.earlierVersions) }
  }

  /// Goes back to the version before, be it before a save or a removal. Nothing is lost: after the oldest version
  /// comes the newest again. False when there is none.
  public func undo(_ kind: DocumentKind, _ key: String = "") -> Bool {
    if history(kind, key).isEmpty { return false }
    change(kind, key) { $0.undo() }
    return true
  }

  /// Goes back to a version that was there before, nil for none; the present one becomes the oldest.
  func goBack(to document: Document?, _ kind: DocumentKind, _ key: String) {
    change(kind, key) { $0.goBack(to: document, limit: kind.earlierVersions) }
  }

  /// Goes forward again to a version that was gone back from.
  func goForward(to document: Document?, _ kind: DocumentKind, _ key: String) {
    change(kind, key) { $0.goForward(to: document, limit: kind.earlierVersions) }
  }

  private func change(_ kind: DocumentKind, _ key: String, _ body: (inout DocumentHistory) -> Void) {
    let id = DocumentID(kind, key)
    body(&contents[id])
    writer?.put([id: contents[id]])
  }

  // MARK: - One document of its kind

  /// The text of the one document of a kind: empty when there is none, nil as long as the database could not be read.
  public func text(_ kind: DocumentKind) -> String? { self[kind]?.text ?? (isRead ? "" : nil) }

  /// Saves the text of the one document of a kind. A text that is longer than its kind may be is not saved.
  public func save(text: String, _ kind: DocumentKind) { try? save(Document(text: text), kind) }

  // MARK: - What the writer tells

  /// Readable, for `poll`, when `reports()` has something to tell; nil when nothing is written.
  public var descriptor: Int32? { writer?.eventPipe.descriptor }

  /// What happened since the last call.
  public func reports() -> [Report] {
    takeEvents()
    defer { reportsToCome = [] }
    return reportsToCome
  }

  /// Writes what is left, for at most `seconds`. False when something could not be written.
  public func stop(within seconds: Double) -> Bool {
    guard let writer else { return true }
    writer.stop()
    let end = monotonic() + Int64(seconds * 1e9)
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
      case .opened(let stored, let damaged, let isReadOnly):
        note(stored, damaged, isReadOnly)
        adopt(stored)
        (isRead, self.isReadOnly, hasFailed) = (true, isReadOnly, false)
        writer?.allowWrites()
      }
    }
  }

  /// What the player saved by hand and is not on the disk yet; nil when nothing is kept.
  public var savesWaiting: Int? { writer.map { $0.pending.withLock { $0.savesWaiting } } }

  private func note(_ stored: DocumentSet, _ damaged: String?, _ isReadOnly: Bool) {
    if let damaged {
      reportsToCome.append(
        .note(
          "the preset database was damaged and lies in \(damaged) now; what could be read of it is kept"))
    } else if isRead && stored.isEmpty && !contents.isEmpty {
      reportsToCome.append(.note("the preset database was gone; it is written anew from memory"))
    }
    if hasFailed || isReadOnly != self.isReadOnly { reportsToCome.append(.opened(isReadOnly: isReadOnly)) }
  }

  /// Takes over what the database holds. What is in memory already stays on top, and is written again; what was put
  /// where something else lies goes to a place that is free.
  private func adopt(_ stored: DocumentSet) {
    var changes = moveStrangers(stored)
    for (id, own) in contents.all where stored[id] != own && changes[id] == nil {
      changes[id] = own.above(stored[id], limit: id.kind.earlierVersions)
    }
    let known = contents
    contents = stored
    for (id, own) in known.all { contents[id] = changes[id] ?? own }
    if !changes.isEmpty { writer?.put(changes) }
    revision += 1
  }
}

extension Documents {
  /// Takes what was saved without knowing of the database's document in the same place out of its way: what lies there
  /// stays as it is. The new states of both places.
  private func moveStrangers(_ stored: DocumentSet) -> [DocumentID: DocumentHistory] {
    var changes: [DocumentID: DocumentHistory] = [:]
    let strangers = contents.all.filter { $0.history.isStranger(to: stored[$0.id]) }.sorted { $0.id < $1.id }
    for (id, own) in strangers {
      let isTaken = { (key: String) in
        let other = DocumentID(id.kind, key)
        return !stored[other].isEmpty || !self.contents[other].isEmpty
      }
      guard let key = id.kind.freeKey?(isTaken) else { continue }
      let place = DocumentID(id.kind, key)
      (contents[id], contents[place]) = (stored[id], own)
      (changes[id], changes[place]) = (stored[id], own)
      moved[id] = place
    }
    return changes
  }

  /// The documents that were moved since the last call, and where to.
  package func takeMoved() -> [DocumentID: DocumentID] {
    defer { moved = [:] }
    return moved
  }
}
