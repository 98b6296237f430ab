/// What waits to be written: the newest state of each document. The control thread puts it in, the writer's thread
/// takes it out; a value behind a lock.
struct PendingWrites: Sendable {
  private(set) var documents: [DocumentID: DocumentHistory] = [:]
  // When each kind that has something here is to be written, nanoseconds; that of a kind that something has just come
  // for is set at the next round, by the writer's clock.
  private var due: [DocumentKind: Int64] = [:]
  private var arrived: Set<DocumentKind> = []
  // What the player saved by hand and is being written.
  private var savesInWork = 0
  // How long the last write took, seconds.
  private var writeSeconds = 0.0
  // Something that the player saved by hand has come since the last round.
  private var isUrgent = false
  /// The control thread knows what is in the file, so that nothing there is overwritten unseen.
  var mayWrite = false
  /// There is one last attempt.
  private(set) var isStopping = false

  /// Puts new states in; an empty history is a document to be deleted.
  mutating func put(_ changes: [DocumentID: DocumentHistory]) {
    documents.merge(changes) { _, new in new }
    for id in changes.keys {
      arrived.insert(id.kind)
      if id.kind.reports == .savesAndFailures { isUrgent = true }
    }
  }

  /// Asks for a last attempt to write what is left.
  mutating func stop() { (isStopping, isUrgent) = (true, true) }

  /// Begins a round of the writer: true when it must not wait for the time of the next attempt.
  mutating func beginRound(_ now: Int64) -> Bool {
    for kind in arrived {
      due[kind] = min(due[kind] ?? .max, now + Int64(gatherSeconds(kind) * 1e9))
    }
    arrived = []
    defer { isUrgent = false }
    return isUrgent
  }

  /// What was taken out last is on the disk, after so many seconds.
  mutating func wrote(in seconds: Double) { (writeSeconds, savesInWork) = (seconds, 0) }

  /// How long changes of a kind are gathered: on a slow disk, no more than a twentieth of the time is spent writing.
  private func gatherSeconds(_ kind: DocumentKind) -> Double {
    let range = kind.gatherSeconds
    return max(range.lowerBound, min(writeSeconds * 20, range.upperBound))
  }

  /// When something is due next, nanoseconds; `Int64.max` when nothing waits.
  var nextDue: Int64 { due.values.min() ?? .max }

  /// Takes out what is to be written in one transaction: all that the player hears of, as soon as one kind of it is
  /// due, or all `inSilence`. What is left gathers on.
  mutating func take(_ now: Int64, inSilence: Bool) -> [DocumentID: DocumentHistory] {
    func belongs(_ kind: DocumentKind) -> Bool { (kind.reports == .nothing) == inSilence }
    guard isStopping || due.contains(where: { belongs($0.key) && $0.value <= now }) else { return [:] }
    due = due.filter { !belongs($0.key) }
    if !inSilence { savesInWork = savesPut }
    defer { documents = documents.filter { !belongs($0.key.kind) } }
    return documents.filter { belongs($0.key.kind) }
  }

  /// Puts back what could not be written, unless something newer has come, to be due at a time.
  mutating func putBack(_ batch: [DocumentID: DocumentHistory], due time: Int64) {
    documents.merge(batch) { newer, _ in newer }
    savesInWork = 0
    for id in batch.keys { due[id.kind] = min(due[id.kind] ?? .max, time) }
  }

  /// Leaves what is written in silence where it is until something comes for it.
  mutating func postponeSilence() { due = due.filter { $0.key.reports != .nothing } }

  /// What the player saved by hand and is not on the disk yet.
  var savesWaiting: Int { savesPut + savesInWork }

  private var savesPut: Int { documents.keys.count { $0.kind.reports == .savesAndFailures } }

  /// True when all that the player hears of is on the disk.
  var isDone: Bool { documents.keys.allSatisfy { $0.kind.reports == .nothing } }
}
