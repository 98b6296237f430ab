import Glibc
import System

/// Answers requests about the songs or the recordings, on a worker thread. Control thread.
public final class FileKeeper: InquiryHandler {
  private let worker: Worker
  private let kind: FileKind

  /// A keeper of files of a kind.
  public init(_ kind: FileKind, _ worker: Worker) { (self.kind, self.worker) = (kind, worker) }

  public func handle(
    _ request: FileRequest, reply: @escaping (Result<FileAnswer, RequestRefused>) -> Void
  ) {
    let kind = kind
    let isStarted = worker.run {
      Result { () throws(FileShelf.Failure) in try kind.answer(request) }
    } then: { result in
      reply(result.mapError { RequestRefused($0.description) })
    }
    if !isStarted { reply(.failure(RequestRefused("has no thread left to read files"))) }
  }
}

/// The endings of files that hold songs.
public let songEndings = [".mid", ".midi", ".kar", ".midi2"]

/// A kind of files, such as songs: their folders, and functions that examine a file. Its methods wait for the disk.
/// Any thread.
public struct FileKind: Sendable {
  /// The player's files.
  public let shelf: FileShelf
  /// A folder of files that came with pipit, which cannot be changed; nil without one.
  let others: FileShelf?
  /// The largest file that is saved or read into the memory, bytes.
  let limit: Int
  /// The length of a file in seconds; nil if it cannot be read.
  let seconds: @Sendable (_ path: String) -> Int?
  /// Why a new file is refused; nil if it is saved.
  let problem: @Sendable (_ bytes: [UInt8]) -> String?

  /// A kind of files.
  /// - Parameters:
  ///   - others: A folder of files that came with pipit.
  ///   - limit: The largest file that is saved or read into the memory, bytes.
  ///   - seconds: The length of a file; nil if it cannot be read. Called on the worker thread.
  ///   - problem: Why a new file is refused; nil if it is saved. Called on the worker thread.
  public init(
    _ shelf: FileShelf, others folder: String? = nil, limit: Int,
    seconds: @escaping @Sendable (_ path: String) -> Int?,
    problem: @escaping @Sendable (_ bytes: [UInt8]) -> String?
  ) {
    (self.shelf, self.limit, self.seconds, self.problem) = (shelf, limit, seconds, problem)
    others = folder.map { FileShelf($0, endings: shelf.endings, kind: shelf.kind) }
  }

  /// Carries out a request at once.
  public func answer(_ request: FileRequest) throws(FileShelf.Failure) -> FileAnswer {
    switch request {
    case .list: return .files(files(shelf, isOwn: true) + (others.map { files($0, isOwn: false) } ?? []))
    case .trash:
      return .files(
        shelf.trash.map {
          StoredFile(name: $0.name, seconds: nil, bytes: $0.bytes, modified: $0.modified, isOwn: true)
        })
    case .rename(let words, let wish):
      let before = try shelf.find(words).name
      return .done("\(quoted(before)) is named \(quoted(try shelf.rename(words, to: wish))) now")
    case .delete(let words): return .done("\(quoted(try shelf.remove(words))) is in the trash")
    case .restore(let words): return .done("\(quoted(try shelf.restore(words))) is back")
    case .emptyTrash:
      let count = try shelf.emptyTrash()
      return .done("\(count) \(shelf.kind)\(count == 1 ? " is" : "s are") deleted")
    case .save(let name, let file):
      if file.count > limit { throw FileShelf.Failure("takes \(limit >> 20) MiB at most") }
      let bytes: [UInt8]
      do throws(FileError) { bytes = try file.bytes() } catch { throw FileShelf.Failure(error.reasonFirst) }
      if let problem = problem(bytes) { throw FileShelf.Failure(problem) }
      return .done("\(quoted(try shelf.save(name, bytes))) is saved")
    case .read(let words):
      let (name, path) = try find(words)
      do throws(FileError) {
        return .contents(name, try readFile(path, limit: limit, waits: false))
      } catch { throw FileShelf.Failure(error.reasonFirst) }
    case .open(let words):
      let (name, path) = try find(words)
      let descriptor = Glibc.open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
      var status = stat()
      if descriptor < 0 { throw FileShelf.Failure(FileError("read", path).reasonFirst) }
      let file = OpenFile(descriptor, path)
      guard fstat(descriptor, &status) == 0 else {
        throw FileShelf.Failure(FileError("read", path).reasonFirst)
      }
      return .opened(name, FileContents(file, count: Int(status.st_size)))
    }
  }

  private func files(_ shelf: FileShelf, isOwn: Bool) -> [StoredFile] {
    shelf.entries.map { entry in
      StoredFile(
        name: entry.name, seconds: seconds(shelf.path(entry)), bytes: entry.bytes, modified: entry.modified,
        isOwn: isOwn)
    }
  }

  /// The name and the path of the player's file, or else of one that came with pipit.
  private func find(_ words: String) throws(FileShelf.Failure) -> (name: String, path: String) {
    do throws(FileShelf.Failure) {
      let entry = try shelf.find(words)
      return (entry.name, shelf.path(entry))
    } catch {
      guard let others, let entry = try? others.find(words) else { throw error }
      return (entry.name, others.path(entry))
    }
  }
}

/// A song or a recording, as surfaces list it.
public struct StoredFile: Sendable, Equatable {
  /// The name with its ending.
  public let name: String
  /// The length in seconds; nil if it cannot be read.
  public let seconds: Int?
  /// The size in bytes.
  public let bytes: Int
  /// When its contents last changed, seconds since 1970.
  public let modified: Int
  /// Whether it is the player's, and not one that came with pipit.
  public let isOwn: Bool

  /// A file.
  public init(name: String, seconds: Int?, bytes: Int, modified: Int, isOwn: Bool) {
    (self.name, self.seconds, self.bytes) = (name, seconds, bytes)
    (self.modified, self.isOwn) = (modified, isOwn)
  }
}

/// A request about the songs or about the recordings. A file is given by its name, or the beginning of it.
public enum FileRequest: Sendable {
  /// Lists the files, or those in the trash.
  case list, trash
  /// Renames a file; without an ending, the new name keeps the old one.
  case rename(String, to: String)
  /// Moves a file to the trash.
  case delete(String)
  /// Restores a file from the trash.
  case restore(String)
  /// Deletes the files in the trash for ever.
  case emptyTrash
  /// Saves a new file. A file of that name is moved to the trash.
  case save(String, FileContents)
  /// Reads a file.
  case read(String)
  /// Opens a file for reading, for one that is too large for the memory.
  case open(String)
}

/// The answer to a request about files.
public enum FileAnswer: Sendable {
  /// The files in the order of their names, the player's own first.
  case files([StoredFile])
  /// It was done: a sentence.
  case done(String)
  /// The name and the contents of a file.
  case contents(String, [UInt8])
  /// The name and the contents of a file that is read piece by piece.
  case opened(String, FileContents)
}
