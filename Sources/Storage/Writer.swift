import Glibc
import System

/// Writes pending documents to the database, repeats failed writes, and reopens a lost file. The writer thread runs it
/// with the machine's clock, tests with a simulated one.
package struct Writer {
  private let thread: WriterThread
  private let clock: () -> Int64
  private var store: Store?
  // The time of the next attempt unless the player saves; 0 after a success.
  private var retryAt: Int64 = 0
  // The error reported last.
  private var reported: StoreError?
  private var hasReopened = false

  /// The time between attempts after a failure, nanoseconds.
  static let retryInterval: Int64 = 10_000_000_000

  /// Documents that are written without reports take at most one of so many parts of the free space.
  private static let spareShare = 4

  /// A writer for `thread`, which must not be started. `clock`, in nanoseconds, measures the duration of writes.
  package init(_ thread: WriterThread, clock: @escaping () -> Int64) {
    (self.thread, self.clock) = (thread, clock)
  }

  /// Writes the documents that are due at `now`, nanoseconds. Returns the time of the next round if nothing is added
  /// before; nil after the last.
  package mutating func round(_ now: Int64) -> Int64? {
    let (isUrgent, isLast) = thread.pending.withLock { ($0.beginRound(now), $0.isStopping) }
    if isUrgent || now >= retryAt { attempt(now, isUrgent) }
    let (mayWrite, due) = thread.pending.withLock { ($0.mayWrite, $0.nextDue) }
    if isLast && (mayWrite || store == nil) {
      store = nil
      thread.finish()
      return nil
    }
    return retryAt > 0 ? retryAt : mayWrite ? due : .max
  }

  private mutating func attempt(_ now: Int64, _ isUrgent: Bool) {
    do throws(StoreError) {
      try open()
      retryAt = 0
      if try writeDue(now) { reported = nil }
    } catch {
      let before = reported
      reported = error
      // A read-only file is reopened, since it may be writable by now; in the last round at once.
      let wasReadOnly = store?.isReadOnly == true
      if wasReadOnly { store = nil }
      if wasReadOnly && !hasReopened && thread.pending.withLock({ $0.isStopping }) {
        hasReopened = true
        return attempt(now, false)
      }
      if error.isDamage && before?.isDamage != true {
        // Tries again at once, since opening renames the damaged file.
        store = nil
        return attempt(now, false)
      }
      retryAt = now + Writer.retryInterval
      if isUrgent || before != error {
        thread.post(.failed(error, waiting: thread.pending.withLock { $0.savesWaiting }))
      }
    }
  }

  private mutating func open() throws(StoreError) {
    if store?.isInPlace == true { return }
    store = nil
    let opened = try Store.open(thread.path, thread.kinds, busyTimeout: thread.busyTimeout)
    store = opened.store
    thread.pending.withLock { $0.mayWrite = false }
    thread.post(.opened(opened.documents, notes: opened.notes, isReadOnly: opened.store.isReadOnly))
  }

  /// Writes the due documents, and adds them back if that fails. False before the control thread has allowed writes.
  private func writeDue(_ now: Int64) throws(StoreError) -> Bool {
    guard let store, thread.pending.withLock({ $0.mayWrite }) else { return false }
    let batch = thread.pending.withLock { $0.take(now, unreported: false) }
    let start = clock()
    do {
      try store.write(batch)
    } catch {
      thread.pending.withLock { $0.putBack(batch, due: now) }
      throw error
    }
    for note in store.takeNotes() { thread.post(.note(note)) }
    if !batch.isEmpty {
      let seconds = Double(clock() - start) * 1e-9
      let saved = thread.pending.withLock { $0.wrote(in: seconds) }
      if reported != nil { thread.post(.recovered) }
      if !saved.isEmpty { thread.post(.durable(saved.sorted())) }
    }
    try writeUnreported(now, store)
    return true
  }

  /// Writes the due unreported kinds, each in a transaction of its own. Failures are tried again later; only damage is
  /// thrown, since the file must be renamed.
  private func writeUnreported(_ now: Int64, _ store: Store) throws(StoreError) {
    // Unreported kinds alone do not reopen a read-only file.
    if store.isReadOnly { return thread.pending.withLock { $0.postponeUnreported() } }
    let due = thread.pending.withLock { $0.take(now, unreported: true) }
    var damage: StoreError?
    for batch in Dictionary(grouping: due, by: \.key.kind).values {
      let batch = Dictionary(uniqueKeysWithValues: batch.map { ($0.key, $0.value) })
      do throws(StoreError) {
        if damage == nil, hasRoom(for: batch) {
          try store.write(batch)
          continue
        }
      } catch { if error.isDamage { damage = error } }
      thread.pending.withLock { $0.putBack(batch, due: now + Writer.retryInterval) }
    }
    if let damage { throw damage }
  }

  /// Whether the documents are small beside the free space, most of which is left to the player's saves.
  private func hasRoom(for batch: [DocumentID: DocumentHistory]) -> Bool {
    var volume = statvfs()
    guard statvfs(thread.path, &volume) == 0 else { return true }
    let bytes = batch.values.reduce(0) { $0 + $1.versions.reduce(0) { $0 + $1.document.text.utf8.count } }
    return bytes < Int(clamping: UInt64(volume.f_bavail) * UInt64(volume.f_frsize)) / Writer.spareShare
  }
}

/// The writer thread, the only one that waits for a disk, with the data that it shares with the control thread.
package final class WriterThread: Sendable {
  /// The database file.
  let path: String
  /// The kinds of documents to read.
  let kinds: [DocumentKind]
  /// How long to wait for another process that locks the file, milliseconds.
  let busyTimeout: Int32
  let pending = Mutex(PendingWrites())
  private let events = Mutex<[WriterEvent]>([])
  private let isOver = Mutex(false)
  private let workPipe: WakePipe
  /// The pipe that wakes the control thread for events.
  let eventPipe: WakePipe

  /// A thread that is not started yet. Nil if the system has no descriptor left.
  package init?(_ path: String, _ kinds: [DocumentKind], busyTimeout: Int32 = Database.busyTimeout) {
    guard let workPipe = WakePipe(), let eventPipe = WakePipe() else { return nil }
    (self.path, self.kinds, self.busyTimeout) = (path, kinds, busyTimeout)
    (self.workPipe, self.eventPipe) = (workPipe, eventPipe)
  }

  /// Starts the thread. False if the system has no thread left.
  func start() -> Bool { startDetachedThread { self.run() } }

  private func run() {
    var writer = Writer(self, clock: monotonic)
    while let next = writer.round(monotonic()) {
      workPipe.wait(next == .max ? .max : next - monotonic())
      workPipe.clear()
    }
  }

  // MARK: - From the control thread

  /// Schedules new histories to be written, as `PendingWrites.put`; returns at once.
  func put(_ changes: [DocumentID: DocumentHistory], atOnce: Bool = false) {
    pending.withLock { $0.put(changes, atOnce: atOnce) }
    workPipe.wake()
  }

  /// Holds back writes of reported kinds once more, or once less.
  func hold(_ isHeld: Bool) {
    pending.withLock { $0.holds += isHeld ? 1 : -1 }
    if !isHeld { workPipe.wake() }
  }

  /// Allows writes, once the control thread has read the file.
  func allowWrites() {
    pending.withLock { $0.mayWrite = true }
    workPipe.wake()
  }

  /// Requests a last attempt, after which the thread ends.
  package func stop() {
    pending.withLock { $0.stop() }
    workPipe.wake()
  }

  /// The events since the last call.
  func takeEvents() -> [WriterEvent] {
    eventPipe.clear()
    return events.withLock { events in
      defer { events = [] }
      return events
    }
  }

  /// After `stop`: nil while the thread runs, then whether everything is on the disk.
  package var isFinished: Bool? { isOver.withLock { $0 } ? pending.withLock { $0.isDone } : nil }

  // MARK: - From the writer's thread

  /// Sends an event to the control thread.
  func post(_ event: WriterEvent) {
    events.withLock { $0.append(event) }
    eventPipe.wake()
  }

  /// Marks the last attempt as done.
  func finish() {
    isOver.withLock { $0 = true }
    eventPipe.wake()
  }
}

/// An event from the writer thread to the control thread.
enum WriterEvent: Sendable {
  /// The file was opened with these documents. Nothing is written until the control thread allows it. Repeated after
  /// the file was deleted, damaged or read-only; `notes` are sentences about what was damaged.
  case opened(DocumentSet, notes: [String], isReadOnly: Bool)
  /// A sentence about what was damaged.
  case note(String)
  /// These documents, which the player has saved, were written to the disk.
  case durable([DocumentID])
  /// A write succeeded after a failure.
  case recovered
  /// Opening or writing failed, and will be tried again.
  case failed(StoreError, waiting: Int)
}

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
