import Control
import Presets
import Storage
import System

/// Makes and restores backups of the running instrument. A worker thread compresses, checks and waits for the disk;
/// none of this delays a note. Control thread.
public final class BackupKeeper: InquiryHandler {
  private let instrument: Instrument
  private let folders: BoxFolders
  private let version: String
  private let worker: Worker
  private var isRestoring = false

  /// A keeper for an instrument whose files are in `folders`.
  /// - Parameter version: The version of pipit.
  public init(_ instrument: Instrument, _ folders: BoxFolders, version: String, _ worker: Worker) {
    (self.instrument, self.folders, self.version, self.worker) = (instrument, folders, version, worker)
  }

  public func handle(
    _ request: BackupRequest, reply: @escaping (Result<BackupAnswer, RequestRefused>) -> Void
  ) {
    switch request {
    case .make:
      make { result in
        reply(
          result.map { .made(name: $0.name, $0.file, problems: $0.problems) }
            .mapError { RequestRefused($0.description) })
      }
    case .restore(let file):
      restore(file) { result in
        reply(result.map { .restored($0.sentences) }.mapError { RequestRefused($0.description) })
      }
    }
  }

  /// Makes a backup of the present state, and passes it to `then` on the control thread.
  public func make(then: @escaping (Result<BoxSnapshot.Made, BackupError>) -> Void) {
    guard !isRestoring else { return then(.failure(BackupKeeper.isBusy)) }
    let snapshot = snapshot
    let isStarted = worker.run {
      Result { () throws(BackupError) in try snapshot.backup() }
    } then: {
      then($0)
    }
    if !isStarted { then(.failure(BackupKeeper.noThread)) }
  }

  /// Replaces the present state by a backup, and passes the outcome to `then` on the control thread, once all of it is
  /// on the disk or could not be written. A backup that is refused changes nothing.
  public func restore(
    _ file: FileContents, then: @escaping (Result<CheckedBackup.Outcome, BackupError>) -> Void
  ) {
    guard !isRestoring else { return then(.failure(BackupKeeper.isBusy)) }
    let (snapshot, folders) = (snapshot, folders)
    isRestoring = true
    let isStarted = worker.run {
      Result { () throws(BackupError) in
        let backup = try CheckedBackup(file, for: folders)
        return (backup, try backup.restoreFiles(over: snapshot))
      }
    } then: { [self] (result: Result<(CheckedBackup, CheckedBackup.Outcome), BackupError>) in
      isRestoring = false
      switch result {
      case .failure(let error): then(.failure(error))
      case .success(let (backup, outcome)):
        instrument.restore(backup.documents, of: backup.kinds)
        instrument.whenSaved { [instrument] isSaved in
          instrument.notices.post(backup.summary, about: .backup, .moment(seconds: 60))
          then(.success(isSaved ? outcome : outcome.notOnDisk))
        }
      }
    }
    if isStarted { return }
    isRestoring = false
    then(.failure(BackupKeeper.noThread))
  }

  private var snapshot: BoxSnapshot {
    BoxSnapshot(instrument.snapshot(of: DocumentKind.ofPlayer), folders, version: version)
  }

  private static let isBusy = BackupError("a backup is being restored; ask again when it is done")
  private static let noThread = BackupError("the system has no thread left")
}

/// An error in making or restoring a backup, described by a sentence.
public struct BackupError: Error, Sendable, CustomStringConvertible {
  /// The reason.
  public let description: String

  /// An error with its reason.
  public init(_ reason: String) { description = reason }
}
