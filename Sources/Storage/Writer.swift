import Glibc

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
