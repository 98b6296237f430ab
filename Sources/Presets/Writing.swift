import Synth

// What the writer does on its own thread.

extension Writer {
  private struct Batch {
    var shelves: [Slot: Shelf] = [:]
    var factory: [Preset]?
    var session: Session?
    var isEmpty: Bool { shelves.isEmpty && factory == nil && session == nil }
  }

  /// Writes until `finish` and a last attempt.
  func work() {
    var file = File()
    var retry = 0.0
    var told: StoreError?
    var isLast = false
    while true {
      let (isStopping, isNew) = desk.withLock { desk in
        defer { desk.isNew = false }
        return (desk.isStopping, desk.isNew)
      }
      if isNew || now() >= retry {
        do throws(StoreError) {
          try open(&file)
          retry = 0
          if try write(to: &file) { told = nil }
        } catch {
          let before = told
          told = error
          // A file that could only be read may be opened for writing next time; there is none after the last.
          if file.store?.isReadOnly == true {
            file.store = nil
            if isStopping && !isLast {
              (isLast, retry) = (true, 0)
              continue
            }
          }
          if error.isDamage && before?.isDamage != true {
            // At once again: opening puts the damaged file aside.
            (file.store, retry) = (nil, 0)
            continue
          }
          retry = now() + Limits.retrySeconds
          if isNew || before != error { post(.failed(error, waiting: waiting)) }
        }
      }
      let (due, mayWrite) = desk.withLock { (min($0.sessionDue, $0.clientsDue), $0.mayWrite) }
      if isStopping && (mayWrite || file.store == nil) { break }
      wake.wait(seconds: (retry > 0 ? retry : mayWrite ? due : .infinity) - now())
      wake.silence()
    }
    file.store = nil
    desk.withLock { $0.isDone = true }
    mail.ring()
  }

  struct File {
    var store: Store?
    /// The session as it lies in the file.
    var session: String?
    /// The clients as they lie in the file.
    var clients: String?
  }

  private func open(_ file: inout File) throws(StoreError) {
    if file.store?.isInPlace == true { return }
    file.store = nil
    let new = try Store.open(path)
    file.store = new.store
    file.session = new.contents.session
    file.clients = new.contents.clients
    desk.withLock { $0.mayWrite = false }
    post(.opened(new.contents, damaged: new.damaged, readOnly: new.store.isReadOnly))
  }

  /// Takes what is due from the desk and writes it; puts it back when that fails. False when it has to wait.
  private func write(to file: inout File) throws(StoreError) -> Bool {
    guard let store = file.store, desk.withLock({ $0.mayWrite }) else { return false }
    let batch = desk.withLock { desk in
      var batch = Batch(shelves: desk.shelves, factory: desk.factory)
      (desk.shelves, desk.factory) = ([:], nil)
      if desk.isStopping || !batch.isEmpty || desk.sessionDue <= now() {
        (batch.session, desk.session, desk.sessionDue) = (desk.session, nil, .infinity)
      }
      return batch
    }
    if !batch.isEmpty { try write(batch, to: store, &file) }
    try writeClients(to: store, &file)
    return true
  }

  private func write(_ batch: Batch, to store: Store, _ file: inout File) throws(StoreError) {
    let session = batch.session?.text ?? file.session
    do {
      try store.write(
        shelves: batch.shelves, factory: batch.factory, session: session == file.session ? nil : session)
    } catch {
      putBack(batch)
      throw error
    }
    file.session = session
    if !batch.shelves.isEmpty { post(.durable(batch.shelves.keys.sorted())) }
  }

  private func putBack(_ batch: Batch) {
    desk.withLock { desk in
      desk.shelves.merge(batch.shelves) { newer, _ in newer }
      if desk.factory == nil { desk.factory = batch.factory }
      if let session = batch.session {
        desk.session = desk.session ?? session
        desk.sessionDue = 0
      }
    }
  }

  private func post(_ letter: Letter) {
    desk.withLock { $0.letters.append(letter) }
    mail.ring()
  }
}
