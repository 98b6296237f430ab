import System

/// The body of an answer that is read from a file, piece by piece, on another thread, while the connection is
/// suspended. Control thread.
final class FileStream {
  private let file: FileContents
  private let connection: HTTPConnection
  private let worker: Worker
  private let resumed: () -> Void
  private var piece: [UInt8] = []
  private var start = 0
  private var isReading = false
  private var hasFailed = false

  /// The size of a piece, bytes.
  static let pieceBytes = 256 << 10

  /// - Parameter resumed: Called when the connection has been resumed.
  init(_ file: FileContents, _ connection: HTTPConnection, worker: Worker, resumed: @escaping () -> Void) {
    (self.file, self.connection, self.worker, self.resumed) = (file, connection, worker, resumed)
  }

  /// Copies bytes of the file at a position into a buffer, and returns their number; 0 if they must be read first, -2
  /// if that failed.
  func copy(at position: Int, to buffer: UnsafeMutableRawBufferPointer) -> Int {
    if hasFailed { return -2 }
    if position >= start, position < start + piece.count {
      let rest = piece[(position - start)...].prefix(buffer.count)
      buffer.copyBytes(from: rest)
      return rest.count
    }
    if isReading { return 0 }
    isReading = true
    connection.suspend()
    let file = file
    worker.attempt {
      try? file.read(at: position, count: FileStream.pieceBytes)
    } then: { [self] read in
      isReading = false
      (piece, start) = ((read ?? nil) ?? [], position)
      hasFailed = piece.isEmpty
      connection.resume()
      resumed()
    }
    return 0
  }
}
