/// The documents that wait to be written, each with its newest history. The control thread adds them and the writer
/// thread removes them, under a lock.
struct PendingWrites: Sendable {
  private var reported: [DocumentID: DocumentHistory] = [:]
  private var unreported: [DocumentID: DocumentHistory] = [:]
  // When each waiting kind is due, nanoseconds. Newly added kinds get their time in the next round, from the writer's
  // clock.
  private var due: [DocumentKind: Int64] = [:]
  private var added: Set<DocumentKind> = []
  // The documents that the player has saved, and those of them that are being written.
  private var saves: Set<DocumentID> = []
  private var savesInProgress: Set<DocumentID> = []
  // The duration of the last write, seconds.
  private var writeSeconds = 0.0
  // The player has saved since the last round.
  private var isUrgent = false
  /// Whether the control thread has read the file, so that a write cannot overwrite unknown documents.
  var mayWrite = false
  /// How many reasons there are to hold back reported kinds: many changes become one transaction when all are made.
  var holds = 0
  /// Whether the next attempt is the last.
  private(set) var isStopping = false

  /// The documents that wait.
  var documents: [DocumentID: DocumentHistory] { reported.merging(unreported) { one, _ in one } }

  /// Adds new histories; an empty one deletes its document.
  /// - Parameter atOnce: Whether the player has saved them, also if their kind is otherwise gathered. Kinds that are
  ///   not reported are never written at once.
  mutating func put(_ changes: [DocumentID: DocumentHistory], atOnce: Bool = false) {
    for (id, history) in changes {
      added.insert(id.kind)
      add(id, history)
      guard id.kind.reports == .savesAndFailures || atOnce && id.kind.reports == .failures else { continue }
      saves.insert(id)
      isUrgent = true
      if atOnce { due[id.kind] = 0 }
    }
  }

  private mutating func add(_ id: DocumentID, _ history: DocumentHistory) {
    if id.kind.reports == .nothing { return unreported[id] = history }
    reported[id] = history
  }

  /// Requests a last attempt.
  mutating func stop() { (isStopping, isUrgent) = (true, true) }

  /// Begins a round of the writer. True if it must not wait for the time of the next attempt.
  mutating func beginRound(_ now: Int64) -> Bool {
    for kind in added {
      due[kind] = min(due[kind] ?? .max, now + Int64(clamping: gatherSeconds(kind) * 1e9))
    }
    added = []
    defer { isUrgent = false }
    return isUrgent
  }

  /// Notes that the last batch was written, and how long that took. Returns the player's saves in it.
  @discardableResult
  mutating func wrote(in seconds: Double) -> Set<DocumentID> {
    defer { (writeSeconds, savesInProgress) = (seconds, []) }
    return savesInProgress
  }

  /// How long changes of a kind are collected: long enough that at most a twentieth of the time is spent writing.
  private func gatherSeconds(_ kind: DocumentKind) -> Double {
    let range = kind.gatherSeconds
    return max(range.lowerBound, min(writeSeconds * 20, range.upperBound))
  }

  /// When the next kind is due, nanoseconds; `Int64.max` if none waits.
  var nextDue: Int64 {
    due.filter { holds == 0 || isStopping || $0.key.reports == .nothing }.values.min() ?? .max
  }

  /// Removes and returns the documents for one transaction: all of the reported kinds, or all of the `unreported` ones,
  /// once one of these kinds is due.
  mutating func take(_ now: Int64, unreported: Bool) -> [DocumentID: DocumentHistory] {
    func belongs(_ kind: DocumentKind) -> Bool { (kind.reports == .nothing) == unreported }
    let isDue = due.contains { belongs($0.key) && $0.value <= now } && (unreported || holds == 0)
    guard isStopping || isDue else { return [:] }
    due = due.filter { !belongs($0.key) }
    // Nothing is copied, since the control thread may wait for the lock.
    var batch: [DocumentID: DocumentHistory] = [:]
    if unreported {
      swap(&batch, &self.unreported)
    } else {
      swap(&batch, &reported)
      (savesInProgress, saves) = (saves, [])
    }
    return batch
  }

  /// Adds back documents that could not be written, due at a time, unless newer ones were added.
  mutating func putBack(_ batch: [DocumentID: DocumentHistory], due time: Int64) {
    var newer: [DocumentID: DocumentHistory] = [:]
    if batch.keys.first?.kind.reports == .nothing {
      (newer, unreported) = (unreported, batch)
    } else {
      (newer, reported) = (reported, batch)
      saves.formUnion(savesInProgress)
    }
    savesInProgress = []
    for (id, history) in newer { add(id, history) }
    for kind in Set(batch.keys.lazy.map(\.kind)) { due[kind] = min(due[kind] ?? .max, time) }
  }

  /// Postpones unreported kinds until their next change.
  mutating func postponeUnreported() { due = due.filter { $0.key.reports != .nothing } }

  /// The number of the player's saves that are not on the disk yet.
  var savesWaiting: Int { saves.count + savesInProgress.count }

  /// Whether all reported kinds are on the disk.
  var isDone: Bool { reported.isEmpty }
}
