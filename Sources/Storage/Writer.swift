/// Writes what waits into the database, tries again what could not be written, and opens the file anew when it was
/// lost. The writer's thread runs it by the machine's clock, a test by one of its own.
package struct Writer {
  private let thread: WriterThread
  private let clock: () -> Int64
  private var store: Store?
  // No attempt before this time, unless the player saves something; 0 when the last one went well.
  private var retryAt: Int64 = 0
  // What the player was told last.
  private var reported: StoreError?
  private var hasReopened = false

  /// Between two attempts to write what could not be written, nanoseconds.
  static let retryInterval: Int64 = 10_000_000_000

  /// A writer of what `thread` holds, which must not be started then. By `clock`, in nanoseconds, it measures how long
  /// writes take.
  package init(_ thread: WriterThread, clock: @escaping () -> Int64) {
    (self.thread, self.clock) = (thread, clock)
  }

  /// One round at a time in nanoseconds: writes what is due. Returns when it wants the next one, if nothing comes
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
      // A file that could only be read may be opened for writing next time; there is none after the last.
      let wasReadOnly = store?.isReadOnly == true
      if wasReadOnly { store = nil }
      if wasReadOnly && !hasReopened && thread.pending.withLock({ $0.isStopping }) {
        hasReopened = true
        return attempt(now, false)
      }
      if error.isDamage && before?.isDamage != true {
        // At once again: opening puts the damaged file aside.
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
    let opened = try Store.open(thread.path, thread.kinds, patience: thread.patience)
    store = opened.store
    thread.pending.withLock { $0.mayWrite = false }
    thread.post(.opened(opened.documents, damaged: opened.damaged, isReadOnly: opened.store.isReadOnly))
  }

  /// Takes what is due and writes it; puts it back when that fails. False when the control thread has not allowed it.
  private func writeDue(_ now: Int64) throws(StoreError) -> Bool {
    guard let store, thread.pending.withLock({ $0.mayWrite }) else { return false }
    let batch = thread.pending.withLock { $0.take(now, inSilence: false) }
    let start = clock()
    do {
      try store.write(batch)
    } catch {
      thread.pending.withLock { $0.putBack(batch, due: now) }
      throw error
    }
    if !batch.isEmpty {
      let seconds = Double(clock() - start) * 1e-9
      thread.pending.withLock { $0.wrote(in: seconds) }
    }
    if !batch.isEmpty && reported != nil { thread.post(.recovered) }
    let saved = batch.keys.filter { $0.kind.reports == .savesAndFailures }
    if !saved.isEmpty { thread.post(.durable(saved.sorted { $0.key < $1.key })) }
    try writeInSilence(now, store)
    return true
  }

  /// What fails here is tried again later; only damage is thrown, since the file must be put aside.
  private func writeInSilence(_ now: Int64, _ store: Store) throws(StoreError) {
    // It waits for a file that can be written to, which is opened for the sake of others.
    if store.isReadOnly { return thread.pending.withLock { $0.postponeSilence() } }
    let batch = thread.pending.withLock { $0.take(now, inSilence: true) }
    do {
      try store.write(batch)
    } catch {
      thread.pending.withLock { $0.putBack(batch, due: now + Writer.retryInterval) }
      if error.isDamage { throw error }
    }
  }
}
