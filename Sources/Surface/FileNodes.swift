import Control
import Scenes
import System

// Songs and recordings as files: queries, which cause no feedback and are answered when the work on the disk is done.

extension Node {
  // swift-format-ignore
  static let backups: [Node] = [
    .lateQuery("/backup", [], "Prepares a backup of the whole box for /file/read: presets with versions and trash, session, devices, bindings, tunings, wavetables, songs, pads and configuration. Answers with its size in bytes, a name as /backup/name, and a sentence about each file that is left out as /backup/problem.", changes: true) { query, reply in
      let surface = query.surface
      query.instrument.backups.ask(.make) { result in
        reply(result.mapError { $0 as any Error }.map { answer in
          guard case .made(let name, let file, let problems) = answer else { return [] }
          surface.transfer.offer(file, name)
          return [OSCMessage("/backup", .int(file.count)), OSCMessage("/backup/name", .string(name))] + problems.map { OSCMessage("/backup/problem", .string($0)) }
        })
      }
    },
    .lateQuery("/restore", [], "Restores the backup whose pieces were sent by /file/write. It is checked as a whole before anything changes; presets before go to the trash or become earlier versions, and the state before is kept as a backup. Answers with sentences.", changes: true) { query, reply in
      try query.surface.transfer.takeUpload { sent in
        guard let file = file(sent, reply) else { return }
        query.instrument.backups.ask(.restore(file)) { result in
          reply(result.mapError { $0 as any Error }.map { answer in
            guard case .restored(let sentences) = answer else { return [] }
            return sentences.map { OSCMessage("/restore", .string($0)) }
          })
        }
      }
    },
  ]

  static let files: [Node] =
    folder("/songs", "song", takesFiles: true) { $0.songFiles }
    + folder("/recordings", "recording", takesFiles: false) { $0.recordingFiles }

  /// The file that was sent; nil if it could not be kept, which the reply then says.
  static func file(
    _ sent: Result<FileContents, any Error>, _ reply: (Result<[OSCMessage], any Error>) -> Void
  ) -> FileContents? {
    switch sent {
    case .success(let file): return file
    case .failure(let why):
      reply(.failure(why))
      return nil
    }
  }

  private typealias Keeper = @Sendable (Instrument) -> Inquiries<FileRequest, FileAnswer>

  private static let fields =
    "Fields separated by tabs: seconds (-1 if it cannot be read), bytes, seconds since 1970 of the last change, own or factory, name."

  // swift-format-ignore
  private static func folder(_ path: String, _ kind: String, takesFiles: Bool, _ keeper: @escaping Keeper) -> [Node] {
    let name = ArgumentType.string("a name or its beginning")
    func query(_ verb: String, _ arguments: [ArgumentType], _ about: String, changes: Bool = true, _ request: @escaping @Sendable ([String]) -> FileRequest) -> Node {
      .lateQuery(path + "/" + verb, arguments, about, changes: changes) { query, reply in
        keeper(query.instrument).ask(request(query.words)) { reply($0.mapError { $0 as any Error }.map { messages($0, path + "/" + verb) }) }
      }
    }
    let all = [
      query("list", [], "Answers with the number of \(kind)s, and each as \(path)/list/<n>, n from 0. \(fields)", changes: false) { _ in .list },
      query("trash", [], "Answers with the number of \(kind)s in the trash, and each as \(path)/trash/<n>, fields as in \(path)/list.", changes: false) { _ in .trash },
      query("rename", [name, .string("a name")], "Renames a \(kind). Answers with a sentence.") { .rename($0[0], to: $0[1]) },
      query("delete", [name], "Moves a \(kind) to the trash. Answers with a sentence.") { .delete($0[0]) },
      query("restore", [name], "Restores a \(kind) from the trash. Answers with a sentence.") { .restore($0[0]) },
      query("empty", [], "Deletes the \(kind)s in the trash for ever. Answers with a sentence.") { _ in .emptyTrash },
    ]
    if !takesFiles { return all }
    return all + [
      .lateQuery(path + "/import", [.string("a name")], "Saves the file whose pieces were sent by /file/write as a \(kind); one of that name is moved to the trash. Answers with a sentence.", changes: true) { query, reply in
        try query.surface.transfer.takeUpload { sent in
          guard let file = file(sent, reply) else { return }
          keeper(query.instrument).ask(.save(query.words[0], file)) { reply($0.mapError { $0 as any Error }.map { messages($0, path + "/import") }) }
        }
      },
      .lateQuery(path + "/export", [name], "Prepares a \(kind) for /file/read. Answers with its size in bytes, and its name as \(path)/export/name.", changes: true) { query, reply in
        let surface = query.surface
        keeper(query.instrument).ask(.read(query.words[0])) { result in
          if case .success(.contents(let name, let bytes)) = result { surface.transfer.offer(FileContents(bytes), name) }
          reply(result.mapError { $0 as any Error }.map { messages($0, path + "/export") })
        }
      },
    ]
  }

  private static func messages(_ answer: FileAnswer, _ address: String) -> [OSCMessage] {
    switch answer {
    case .files(let files):
      let lines = files.map { file in
        [
          "\(file.seconds ?? -1)", "\(file.bytes)", "\(file.modified)", file.isOwn ? "own" : "factory",
          file.name,
        ].tabbedLine
      }
      return [OSCMessage(address, .int(files.count))]
        + lines.enumerated().map { OSCMessage("\(address)/\($0)", .string($1)) }
    case .done(let sentence): return [OSCMessage(address, .string(sentence))]
    case .contents(let name, let bytes):
      return [OSCMessage(address, .int(bytes.count)), OSCMessage(address + "/name", .string(name))]
    // No node asks for an open file.
    case .opened(let name, _): return [OSCMessage(address, .string(name))]
    }
  }
}

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

  /// Writes the received bytes to the disk once they fill a piece; with `all`, however few they are.
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
