import Presets
import Storage

/// A library whose writer works only when a test calls it, by the test's clock, without waiting. One thread.
public final class SteppedLibrary {
  /// The library.
  public let library: Library
  private let thread: WriterThread
  private var writer: Writer

  /// Creates a library with the database of `folder`, which it has not opened yet.
  /// - Parameter writeSeconds: The apparent duration of each write.
  public init(
    _ folder: Folder, factory: String? = nil, writeSeconds: Double = 0,
    log: @escaping (String) -> Void = { _ in }
  ) {
    guard let thread = WriterThread(folder.database, DocumentKind.all, busyTimeout: 0) else {
      preconditionFailure("no descriptor is left")
    }
    self.thread = thread
    // The clock is read before and after each write.
    var time: Int64 = 0
    writer = Writer(thread) {
      time += Int64(writeSeconds * 1e9)
      return time
    }
    library = Library(Documents(writer: thread), factory: factory, log: log)
  }

  /// Runs one round of the writer. Returns when it needs the next one, in seconds; nil after the last.
  @discardableResult
  public func round(at seconds: Double) -> Double? {
    writer.round(Int64(seconds * 1e9)).map { Double($0) * 1e-9 }
  }

  /// Runs rounds, and reads the reports of each, until nothing more happens at this time. Returns the reports.
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

  /// Makes the last attempt to write unsaved data. True if everything is on the disk.
  public func stop(at seconds: Double) -> Bool {
    thread.stop()
    run(at: seconds)
    return thread.isFinished ?? false
  }
}
