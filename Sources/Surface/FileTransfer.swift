import Synth

/// A file that is being received in pieces, and one that is offered in pieces. Both are forgotten after a minute without
/// a piece. Control thread.
struct FileTransfer {
  private var received: [UInt8] = []
  private var offered: (bytes: [UInt8], name: String) = ([], "")
  private var forgetsAt = Int64.max

  /// The maximum size of a piece that is sent, bytes: two digits for each byte must fit into a datagram.
  static let pieceBytes = 30_000
  /// How long a file waits for the next piece, nanoseconds.
  static let timeout: Int64 = 60_000_000_000

  /// Receives a piece at an offset; 0 begins a new file. Throws if a piece before it is missing, or the file gets too
  /// large.
  mutating func write(_ bytes: [UInt8], at offset: Int, now: Int64) throws {
    if offset == 0 { received = [] }
    if offset != received.count { throw Refusal("has \(received.count) bytes so far") }
    if offset + bytes.count > Limits.backupBytes {
      throw Refusal("takes \(Limits.backupBytes >> 20) MiB at most")
    }
    received += bytes
    forgetsAt = now + FileTransfer.timeout
  }

  /// Removes and returns the received file. Throws if there is none.
  mutating func takeUpload() throws -> [UInt8] {
    if received.isEmpty { throw Refusal("has no file; send its pieces by /file/write before") }
    defer { received = [] }
    return received
  }

  /// Offers a file to be read in pieces.
  mutating func offer(_ bytes: [UInt8], _ name: String) {
    offered = (bytes, name)
    // The timeout starts at the next `expire`.
    forgetsAt = .min
  }

  /// The piece of the offered file at an offset; empty at its end. Throws if there is no file.
  mutating func read(at offset: Int, now: Int64) throws -> ArraySlice<UInt8> {
    if offered.bytes.isEmpty { throw Refusal("has no file; /backup or /songs/export prepares one") }
    guard (0...offered.bytes.count).contains(offset) else {
      throw Refusal("takes an offset, 0…\(offered.bytes.count)")
    }
    forgetsAt = now + FileTransfer.timeout
    return offered.bytes[offset...].prefix(FileTransfer.pieceBytes)
  }

  /// Forgets both files if no piece was sent or received for a minute. Returns the time of the next call; nil without
  /// a file.
  mutating func expire(_ now: Int64) -> Int64? {
    if received.isEmpty && offered.bytes.isEmpty { return nil }
    if forgetsAt == .min { forgetsAt = now + FileTransfer.timeout }
    if now < forgetsAt { return forgetsAt }
    self = FileTransfer()
    return nil
  }
}

extension Node {
  // swift-format-ignore
  static let transfer: [Node] = [
    .command("/file/write", .instrument, [.int(nil, "offset"), .string("bytes, two hexadecimal digits each")], "A piece of a file at an offset in bytes, for /songs/import and /restore. Offset 0 begins a new file.") { request in
      let (bytes, offset) = try request.piece()
      try request.surface.transfer.write(bytes, at: offset, now: request.now)
    },
    .lateQuery("/file/read", [.int(nil, "offset")], "Answers with the piece of the file that /backup or /songs/export has prepared, two hexadecimal digits for each byte; empty at its end.", changes: true) { query, reply in
      guard let offset = Int(query.words[0]) else { throw Refusal("takes an offset") }
      let piece = try query.surface.transfer.read(at: offset, now: query.now)
      reply(.success([OSCMessage("/file/read", .string(Hexadecimal.text(piece)))]))
    },
  ]
}
