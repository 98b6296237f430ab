import Glibc
import Synth

/// What the writer tells the library.
enum Letter: Sendable {
  /// The file is open, and this is in it. Nothing is written until the library says `begin`. Comes again when the
  /// file was gone, damaged or could only be read.
  case opened(Contents, damaged: String?, readOnly: Bool)
  /// These slots are on the disk.
  case durable([Slot])
  /// It could not be opened or written; it will be tried again.
  case failed(StoreError, waiting: Int)
}

/// The store's thread: the only one that waits for a disk. What is put on its desk is written in one
/// transaction, the newest state of each slot; what could not be written stays there and is tried again.
final class Writer: Sendable {
  struct Desk: Sendable {
    var shelves: [Slot: Shelf] = [:]
    var factory: [Preset]?
    var session: Session?
    var sessionDue = Double.infinity
    var clients: String?
    var clientsDue = Double.infinity
    /// The library knows what is in the file.
    var mayWrite = false
    /// Something new lies here since the last attempt.
    var isNew = false
    var isStopping = false
    var isDone = false
    var letters: [Letter] = []
  }

  let desk = Guarded(Desk())
  private let path: String
  let wake = Bell()
  /// Rings when there are letters.
  let mail = Bell()

  init(_ path: String) { self.path = path }

  /// Starts the thread; false when the system has none to give.
  func start() -> Bool {
    var thread = pthread_t()
    let context = Unmanaged.passRetained(self)
    let code = pthread_create(
      &thread, nil,
      { context in
        guard let context else { return nil }
        Unmanaged<Writer>.fromOpaque(context).takeRetainedValue().work()
        return nil
      }, context.toOpaque())
    if code != 0 {
      context.release()
      return false
    }
    pthread_detach(thread)
    return true
  }

  // MARK: - From the control thread

  /// Says that the library knows what is in the file: from now on it may be written.
  func begin() {
    desk.withLock { $0.mayWrite = true }
    wake.ring()
  }

  /// Puts the new state of some slots on the desk.
  func put(_ shelves: [Slot: Shelf], factory: [Preset]? = nil) {
    desk.withLock {
      $0.shelves.merge(shelves) { _, new in new }
      if let factory { $0.factory = factory }
      $0.isNew = true
    }
    wake.ring()
  }

  /// Puts the session on the desk, to be written within `Limits.sessionSeconds`.
  func put(_ session: Session) {
    let first = desk.withLock {
      $0.session = session
      guard $0.sessionDue == .infinity else { return false }
      $0.sessionDue = now() + Limits.sessionSeconds
      return true
    }
    if first { wake.ring() }
  }

  /// Slots that wait to be written.
  var waiting: Int { desk.withLock { $0.shelves.count } }

  /// The letters since the last call.
  func letters() -> [Letter] {
    mail.silence()
    return desk.withLock {
      let letters = $0.letters
      $0.letters = []
      return letters
    }
  }

  /// Asks for a last attempt to write what is left.
  func finish() {
    desk.withLock {
      $0.isStopping = true
      $0.isNew = true
    }
    wake.ring()
  }

  /// After `finish`: nil while the thread works, then whether everything is on the disk.
  var isFinished: Bool? {
    desk.withLock { $0.isDone ? $0.shelves.isEmpty && $0.factory == nil && $0.session == nil : nil }
  }

  // MARK: - From the writer's thread

  private struct Batch {
    var shelves: [Slot: Shelf] = [:]
    var factory: [Preset]?
    var session: Session?
    var isEmpty: Bool { shelves.isEmpty && factory == nil && session == nil }
  }

  private func work() {
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

/// Seconds on a clock that never jumps.
func now() -> Double {
  var time = timespec()
  clock_gettime(CLOCK_MONOTONIC, &time)
  return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
}
