import Control
import Glibc
import Scenes
import System

/// The files by which pipit and the update service of the card image communicate. Methods wait for the disk. Any
/// thread.
struct UpdateFiles: Sendable {
  private let folder: String
  // The file in which the service reports a stage and a sentence, on one line.
  private let result: String

  /// The files of an update in `folder`, and the file `result` of the service.
  init(folder: String, result: String) { (self.folder, self.result) = (folder, result) }

  /// The file that is being received.
  var incoming: String { folder + "/incoming" }
  // The service waits for files with these names.
  private var ready: String { folder + "/ready" }
  private var restart: String { folder + "/restart" }
  // The service gives the file this name while it installs it.
  private var installing: String { folder + "/installing" }

  /// Carries out a request at once.
  func answer(_ request: UpdateRequest) throws(RequestRefused) -> UpdateAnswer {
    switch request {
    case .piece(let file, let offset):
      let bytes: [UInt8]
      do throws(FileError) { bytes = try file.bytes() } catch { throw RequestRefused("\(error)") }
      try keep(bytes, offset)
    case .install:
      if state.stage == .installing { throw RequestRefused("an update is being installed; wait for it") }
      try attempt("install the update") { rename(incoming, ready) }
      return UpdateAnswer(.installing)
    case .restart:
      try attempt("start the box again") {
        let file = open(restart, O_WRONLY | O_CREAT | O_CLOEXEC, 0o640)
        return file < 0 ? file : close(file)
      }
    case .state: break
    }
    return state
  }

  private var state: UpdateAnswer {
    if access(ready, F_OK) == 0 || access(installing, F_OK) == 0 { return UpdateAnswer(.installing) }
    var status = stat()
    if stat(incoming, &status) == 0 { return UpdateAnswer(.receiving, "\(status.st_size) bytes are there") }
    guard let bytes = try? readFile(result, limit: 1_024) else { return UpdateAnswer(.none) }
    let parts = String(decoding: bytes, as: UTF8.self).split(
      maxSplits: 1, omittingEmptySubsequences: false, whereSeparator: \.isWhitespace)
    let stage = parts.first.flatMap { UpdateAnswer.Stage(rawValue: String($0)) } ?? .none
    return UpdateAnswer(stage, parts.count == 2 ? String(parts[1].prefix { $0 != "\n" }) : "")
  }

  private func keep(_ bytes: [UInt8], _ offset: Int) throws(RequestRefused) {
    if state.stage == .installing { throw RequestRefused("an update is being installed; wait for it") }
    guard !bytes.isEmpty, offset >= 0, offset <= Limits.updateBytes - bytes.count else {
      throw RequestRefused("an update has at most \(Limits.updateBytes) bytes")
    }
    mkdir(folder, 0o750)
    let file = open(incoming, O_WRONLY | O_CREAT | O_CLOEXEC | (offset == 0 ? O_TRUNC : 0), 0o640)
    guard file >= 0 else { throw refusal("keep the update") }
    defer { close(file) }
    var status = stat()
    guard fstat(file, &status) == 0, status.st_size == offset else {
      throw RequestRefused(
        "this piece does not follow the \(status.st_size) bytes that are there; send the file again")
    }
    let written = bytes.withUnsafeBytes { pwrite(file, $0.baseAddress, $0.count, off_t(offset)) }
    if written != bytes.count {
      let problem = written < 0 ? refusal("keep the update") : RequestRefused("the disk is full")
      unlink(incoming)
      throw problem
    }
  }

  private func attempt(_ what: String, _ action: () -> Int32) throws(RequestRefused) {
    if action() != 0 { throw refusal(what) }
  }

  private func refusal(_ what: String) -> RequestRefused {
    RequestRefused("cannot \(what): \(String(cString: strerror(errno)))")
  }
}

/// Receives updates of the card image for the page. They are kept in the folder `update` of the state folder, where a
/// service of the image, which runs as root, finds and installs them (`packaging/image/update`). A worker thread
/// waits for the disk. Control thread.
final class UpdateKeeper: InquiryHandler {
  private let files: UpdateFiles
  private let worker: Worker

  /// A keeper of update files. It removes what an interrupted upload has left there.
  init(_ files: UpdateFiles, _ worker: Worker) {
    (self.files, self.worker) = (files, worker)
    worker.run({ unlink(files.incoming) }, then: { _ in })
  }

  func handle(
    _ request: UpdateRequest, reply: @escaping (Result<UpdateAnswer, RequestRefused>) -> Void
  ) {
    let files = files
    let isStarted = worker.run {
      Result { () throws(RequestRefused) in try files.answer(request) }
    } then: {
      reply($0)
    }
    if !isStarted { reply(.failure(RequestRefused("has no thread left to write files"))) }
  }
}

/// `pipit update`: hands over to the program of the card image that writes a system beside the running one.
enum UpdateCommand {
  private static let program = "/usr/libexec/pipit-box/update"

  static func run(_ arguments: CommandArguments) throws {
    guard access(program, X_OK) == 0 else {
      throw CommandError(
        "update: this machine does not run pipit's card image; update the package, for example with apt")
    }
    let words = [program] + arguments.operands
    var pointers = words.map { strdup($0) } + [nil]
    execv(program, &pointers)
    throw CommandError("update: cannot run \(program): \(String(cString: strerror(errno)))")
  }
}
