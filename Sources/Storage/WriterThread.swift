import Glibc
import System

/// The store's thread, the only one that waits for a disk, and what it shares with the control thread.
package final class WriterThread: Sendable {
  /// The database file.
  let path: String
  /// The kinds of documents that are read.
  let kinds: [DocumentKind]
  /// Milliseconds to wait for another process that holds the file.
  let patience: Int32
  let pending = Mutex(PendingWrites())
  private let events = Mutex<[WriterEvent]>([])
  private let isOver = Mutex(false)
  private let workPipe: WakePipe
  /// Readable when there are events.
  let eventPipe: WakePipe

  /// What the thread needs; it does not run yet. Nil when the system has no descriptor left.
  package init?(_ path: String, _ kinds: [DocumentKind], patience: Int32 = Database.patience) {
    guard let workPipe = WakePipe(), let eventPipe = WakePipe() else { return nil }
    (self.path, self.kinds, self.patience) = (path, kinds, patience)
    (self.workPipe, self.eventPipe) = (workPipe, eventPipe)
  }

  /// Starts the thread; false when the system has none to give.
  func start() -> Bool { startDetachedThread { self.run() } }

  private func run() {
    var writer = Writer(self, clock: monotonic)
    while let next = writer.round(monotonic()) {
      workPipe.wait(next == .max ? .max : next - monotonic())
      workPipe.clear()
    }
  }

  // MARK: - From the control thread

  /// Has new states of some documents written; returns at once.
  func put(_ changes: [DocumentID: DocumentHistory]) {
    pending.withLock { $0.put(changes) }
    workPipe.wake()
  }

  /// Says that the control thread knows what is in the file: from now on it may be written.
  func allowWrites() {
    pending.withLock { $0.mayWrite = true }
    workPipe.wake()
  }

  /// Asks for a last attempt to write what is left, after which the thread ends.
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

  /// After `stop`: nil while the thread works, then whether everything is on the disk.
  package var isFinished: Bool? { isOver.withLock { $0 } ? pending.withLock { $0.isDone } : nil }

  // MARK: - From the writer's thread

  /// Tells the control thread something.
  func post(_ event: WriterEvent) {
    events.withLock { $0.append(event) }
    eventPipe.wake()
  }

  /// Says that the last attempt has been made.
  func finish() {
    isOver.withLock { $0 = true }
    eventPipe.wake()
  }
}
