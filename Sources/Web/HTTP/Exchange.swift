import System

/// A request that is being received, and its answer. Control thread.
///
/// A body is written to the disk piece by piece, so that it takes no more memory than a piece.
final class Exchange {
  /// The request; it has its body once all of it has come.
  private(set) var request: HTTPRequest
  /// The answer to be queued as soon as the library asks again; nil before there is one.
  var answer: HTTPResponse?
  /// False once the connection has ended.
  var isOpen = true
  /// The length of the body, bytes.
  let length: Int
  // The bytes that are not written yet, and the number of those that are.
  private var piece: [UInt8] = []
  private var written = 0
  private var file: OpenFile?
  /// Why the body cannot be kept; nil while it can.
  private(set) var failure: FileError?

  /// The size of a piece, bytes.
  static let pieceBytes = 64 << 10

  init(_ request: HTTPRequest, length: Int) { (self.request, self.length) = (request, length) }

  /// Adds bytes of the body. False if there are more than were announced.
  func append(_ bytes: UnsafeRawBufferPointer) -> Bool {
    guard written + piece.count + bytes.count <= length else { return false }
    if failure == nil { piece += bytes }
    return true
  }

  /// Whether a piece waits to be written: a full one, or the last one of a complete body.
  func hasPiece(isComplete: Bool) -> Bool {
    failure == nil && (isComplete ? !piece.isEmpty : piece.count >= Exchange.pieceBytes)
  }

  /// Writes the piece into a file in `folder` by a worker, then calls `then`.
  func write(in folder: String, _ worker: Worker, then: @escaping () -> Void) {
    let (piece, file, offset) = (piece, file, written)
    worker.attempt { () -> Result<OpenFile, FileError> in
      Result { () throws(FileError) in
        let file = if let file { file } else { try OpenFile(unnamedIn: folder) }
        try file.write(piece, at: offset)
        return file
      }
    } then: { [self] result in
      written += piece.count
      self.piece.removeAll(keepingCapacity: true)
      switch result ?? .failure(FileError("write", "a file in \(folder)", "the system has no thread left")) {
      case .success(let file):
        self.file = file
        request.body = FileContents(file, count: written)
      case .failure(let why):
        (failure, self.file, self.piece) = (why, nil, [])
      }
      then()
    }
  }
}
