import Presets
import Storage
import System

/// Reads the library's reports: presets and a session from a database that could not be read at the start, and saves
/// that have succeeded or failed. Control thread.
final class LibraryWatch {
  private let library: Library
  private let presets: PartPresets
  private let session: SessionKeeper
  private let notices: NoticeBoard
  private let saving: SavingNotice
  // A failed save is logged once a minute at most, and its end only if its beginning was logged.
  private var loggedFailures = RateLimiter(burst: 1, perSecond: 1.0 / 60)
  private var logsFailure = false
  // The revision of the library whose presets the parts show.
  private var revision: Int

  init(_ presets: PartPresets, _ session: SessionKeeper, _ notices: NoticeBoard, _ saving: SavingNotice) {
    (library, self.presets, self.session) = (presets.library, presets, session)
    (self.notices, self.saving) = (notices, saving)
    revision = presets.library.revision
  }

  /// Reads the reports whenever there are any.
  func join(_ loop: PollLoop) {
    if let descriptor = library.descriptor { loop.watch(descriptor) { [weak self] in self?.readReports() } }
    readReports()
    library.preparesSearchInRounds = true
    loop.afterEachRound { [weak self] now in self?.prepareSearch(now) }
  }

  /// Prepares the search a piece at a time. Returns the time of the next call; nil when it is done.
  private func prepareSearch(_ now: Int64) -> Int64? {
    if library.isSearchPrepared { return nil }
    // A fraction of a millisecond on a Raspberry Pi.
    if !library.prepareSearch(64) { return now + 5_000_000 }
    // The buttons may show what a search has found so far.
    session.withoutMarkingChanged { presets.writer.changed(.page) }
    return nil
  }

  func readReports() {
    for report in library.reports() { take(report) }
    if library.revision == revision { return }
    revision = library.revision
    session.withoutMarkingChanged {
      presets.follow(moves: library.takeMoved())
      if !session.restoreLate() { presets.readPresets() }
      presets.writer.changed(.page)
    }
  }

  private func take(_ report: Report) {
    switch report {
    case .durable:
      saving.postSaved()
      notices.log("\(report)")
    case .recovered:
      notices.clear(about: .database)
      if logsFailure { notices.log("\(report)") }
      logsFailure = false
    case .failed(let error, let waiting):
      // On a full disk every save fails.
      let isLogged = loggedFailures.take(monotonic())
      if isLogged { logsFailure = true }
      let saves = waiting == 1 ? "1 save waits" : "\(waiting) saves wait"
      let what = waiting > 0 ? "\(saves) in memory" : "presets are not kept"
      notices.post(
        "\(error.reason): \(what)", about: waiting > 0 ? .saving : .database, .problem,
        log: isLogged ? "\(report)" : "")
      saving.fail()
    case .opened(let isReadOnly):
      if isReadOnly {
        notices.post(
          "read-only disk: what is saved stays in memory", about: .database, .problem, log: "\(report)")
      } else {
        notices.clear(about: .database)
      }
    case .note: notices.post("\(report)", about: .database, .moment(seconds: 60))
    }
  }
}
