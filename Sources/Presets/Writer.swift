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
  let path: String
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
}

/// Seconds on a clock that never jumps.
func now() -> Double {
  var time = timespec()
  clock_gettime(CLOCK_MONOTONIC, &time)
  return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
}
