import Presets
import Storage

/// A library whose writer takes its rounds when a test says so, by the test's clock: nothing waits. One thread.
public final class SteppedLibrary {
  /// The library.
  public let library: Library
  private let thread: WriterThread
  private var writer: Writer

  /// A library over `folder`'s database, which it has not opened yet.
  /// - Parameter writeSeconds: How long each write seems to take.
  public init(
    _ folder: Folder, factory: String? = nil, writeSeconds: Double = 0,
    log: @escaping (String) -> Void = { _ in }
  ) {
    guard let thread = WriterThread(folder.database, DocumentKind.all, busyTimeout: 0) else {
      preconditionFailure("no descriptor is left")
    }
    self.thread = thread
    // It is looked at before a write and after it.
    var time: Int64 = 0
    writer = Writer(thread) {
      time += Int64(writeSeconds * 1e9)
      return time
    }
    library = Library(Documents(writer: thread), factory: factory, log: log)
  }

  /// One round of the writer. When it wants the next one, in seconds; nil after the last.
  @discardableResult
  public func round(at seconds: Double) -> Double? {
    writer.round(Int64(seconds * 1e9)).map { Double($0) * 1e-9 }
  }

  /// Rounds, each heard of, until nothing more happens at this time. What the library reported.
  @discardableResult
  public func run(at seconds: Double) -> [Report] {
    var all: [Report] = []
    while true {
      let before = library.revision
      let next = round(at: seconds)
      let reports = library.reports()
      all += reports
      guard let next else { return all + library.reports() }
      if reports.isEmpty && library.revision == before && next > seconds { return all }
    }
  }

  /// The last attempt to write what is left: true when everything is on the disk.
  public func stop(at seconds: Double) -> Bool {
    thread.stop()
    run(at: seconds)
    return thread.isFinished ?? false
  }
}
