import Control
import Synth
import System

/// A file that is being received in pieces, and one that is offered in pieces. Both are forgotten after a minute without
/// a piece. Control thread.
///
/// What is received waits in memory until there is enough for a write, and then on the disk.
final class FileTransfer {
  /// A file that is being received.
  private final class Incoming {
    /// The bytes that are not written yet, and the number of those that are.
    var rest: [UInt8] = []
    var written = 0
    var file: OpenFile?
    var isWriting = false
    var failure: FileError?
    /// Those who wait until everything is written.
    var waiting: [() -> Void] = []
    var count: Int { written + rest.count }
  }

  private var incoming = Incoming()
  private var offered: (file: FileContents, name: String) = ([], "")
  private var forgetsAt = Int64.max
  private var disk: (worker: Worker, folder: String)?

  /// The maximum size of a piece that is sent, bytes: two digits for each byte must fit into a datagram.
  static let pieceBytes = 30_000
  /// What is received is written when there is so much of it, bytes.
  static let writtenBytes = 256 << 10
  /// The most bytes that wait for the disk.
  static let waitingBytes = 2 << 20
  /// How long a file waits for the next piece, nanoseconds.
  static let timeout: Int64 = 60_000_000_000

  /// Has what is received written by a worker into files in a folder.
  func keep(in folder: String, by worker: Worker) { disk = (worker, folder) }

  /// Receives a piece at an offset; 0 begins a new file. Calls `taken` when there is room for the next piece. Throws if
  /// a piece before it is missing, if the file gets too large, or if it cannot be written.
  func write(_ bytes: [UInt8], at offset: Int, now: Int64, taken: @escaping () -> Void) throws {
    if offset == 0 { incoming = Incoming() }
    if offset != incoming.count { throw Refusal("has \(incoming.count) bytes so far") }
    if offset + bytes.count > Limits.backupBytes {
      throw Refusal("takes \(Limits.backupBytes >> 20) MiB at most")
    }
    if let failure = incoming.failure { throw Refusal("cannot keep the file: \(failure)") }
    if incoming.rest.count + bytes.count > FileTransfer.waitingBytes {
      throw Refusal("waits for the disk; send this piece again")
    }
    incoming.rest += bytes
    forgetsAt = now + FileTransfer.timeout
    if incoming.rest.count >= FileTransfer.writtenBytes { store(incoming) }
    if incoming.isWriting && incoming.rest.count >= FileTransfer.writtenBytes {
      incoming.waiting.append(taken)
    } else {
      taken()
    }
  }

  /// Removes the received file, and passes it to `then` when it is written. Throws if there is none.
  func takeUpload(_ then: @escaping (Result<FileContents, any Error>) -> Void) throws {
    if incoming.count == 0 { throw Refusal("has no file; send its pieces by /file/write before") }
    let taken = incoming
    incoming = Incoming()
    let pass = {
      if let failure = taken.failure { return then(.failure(Refusal("cannot keep the file: \(failure)"))) }
      then(.success(taken.file.map { FileContents($0, count: taken.written) } ?? FileContents(taken.rest)))
    }
    if taken.file == nil && !taken.isWriting { return pass() }
    taken.waiting.append(pass)
    store(taken, all: true)
  }

  /// Writes what has been received, if that is enough, or all of it.
  private func store(_ incoming: Incoming, all: Bool = false) {
    guard let disk, !incoming.isWriting else { return }
    guard incoming.failure == nil, all ? !incoming.rest.isEmpty : incoming.rest.count >= Self.writtenBytes
    else {
      let waiting = incoming.waiting
      incoming.waiting = []
      for one in waiting { one() }
      return
    }
    let (bytes, file, offset, folder) = (incoming.rest, incoming.file, incoming.written, disk.folder)
    (incoming.isWriting, incoming.rest, incoming.written) = (true, [], offset + bytes.count)
    disk.worker.attempt { () -> Result<OpenFile, FileError> in
      Result { () throws(FileError) in
        let file = if let file { file } else { try OpenFile(unnamedIn: folder) }
        try file.write(bytes, at: offset)
        return file
      }
    } then: { [self] result in
      incoming.isWriting = false
      switch result ?? .failure(FileError("write", "a file in \(folder)", "the system has no thread left")) {
      case .success(let file): incoming.file = file
      case .failure(let why): incoming.failure = why
      }
      // Whoever has taken the file waits for all of it.
      store(incoming, all: incoming !== self.incoming)
    }
  }

  /// Offers a file to be read in pieces.
  func offer(_ file: FileContents, _ name: String) {
    offered = (file, name)
    // The timeout starts at the next `expire`.
    forgetsAt = .min
  }

  /// Passes the piece of the offered file at an offset to `then`; an empty one at its end. Throws if there is no file.
  func read(at offset: Int, now: Int64, _ then: @escaping (Result<[UInt8], any Error>) -> Void) throws {
    let file = offered.file
    if file.isEmpty { throw Refusal("has no file; /backup or /songs/export prepares one") }
    guard (0...file.count).contains(offset) else { throw Refusal("takes an offset, 0…\(file.count)") }
    forgetsAt = now + FileTransfer.timeout
    let read = { @Sendable in
      Result { () throws(FileError) in try file.read(at: offset, count: FileTransfer.pieceBytes) }
    }
    guard let disk, !file.isInMemory else { return then(read().mapError { $0 as any Error }) }
    disk.worker.attempt(read) { then(($0 ?? .success([])).mapError { $0 as any Error }) }
  }

  /// Forgets both files if no piece was sent or received for a minute. Returns the time of the next call; nil without
  /// a file.
  func expire(_ now: Int64) -> Int64? {
    if incoming.count == 0 && offered.file.isEmpty { return nil }
    if forgetsAt == .min { forgetsAt = now + FileTransfer.timeout }
    if now < forgetsAt { return forgetsAt }
    (incoming, offered, forgetsAt) = (Incoming(), ([], ""), .max)
    return nil
  }
}

extension Node {
  // swift-format-ignore
  static let transfer: [Node] = [
    .lateQuery("/file/write", [.int(nil, "offset"), .text("bytes, two hexadecimal digits each")], "A piece of a file at an offset in bytes, for /songs/import and /restore. Offset 0 begins a new file.", changes: true) { query, reply in
      guard let offset = Int(query.words[0]), offset >= 0, let bytes = Hexadecimal.bytes(query.words[1]) else { throw Refusal("takes an offset and bytes of two hexadecimal digits") }
      try query.surface.transfer.write(bytes, at: offset, now: query.now) { reply(.success([])) }
    },
    .lateQuery("/file/read", [.int(nil, "offset")], "Answers with the piece of the file that /backup or /songs/export has prepared, two hexadecimal digits for each byte; empty at its end.", changes: true) { query, reply in
      guard let offset = Int(query.words[0]) else { throw Refusal("takes an offset") }
      try query.surface.transfer.read(at: offset, now: query.now) { piece in
        reply(piece.map { [OSCMessage("/file/read", .string(Hexadecimal.text($0[...])))] })
      }
    },
  ]
}
