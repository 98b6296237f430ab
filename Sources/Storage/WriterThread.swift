import Glibc
import System

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
