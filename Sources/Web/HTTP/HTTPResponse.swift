import CMicrohttpd
import System

/// An HTTP response.
public struct HTTPResponse: Sendable {
  /// The status, as 200.
  public let status: Int
  /// The header fields, to which those of `common` are added.
  public var fields: [(name: String, value: String)]
  /// The body.
  public let body: [UInt8]
  /// A file that is the body instead.
  let file: FileContents?

  /// An answer with a body of a type.
  public init(_ status: Int = 200, _ body: [UInt8], type: String) {
    (self.status, self.body, fields, file) = (status, body, [("Content-Type", type)], nil)
  }

  /// An answer whose body is a file.
  init(_ file: FileContents, type: String) {
    (status, body, fields, self.file) = (200, [], [("Content-Type", type)], file)
  }

  /// A sentence.
  public init(_ status: Int, _ sentence: String) {
    self.init(status, Array((sentence + "\n").utf8), type: "text/plain; charset=utf-8")
  }

  /// An answer without a body.
  public init(_ status: Int) { (self.status, body, fields, file) = (status, [], [], nil) }

  /// The answer with one more field.
  func with(_ name: String, _ value: String) -> HTTPResponse {
    var answer = self
    answer.fields.append((name, value))
    return answer
  }

  /// The answer as a file to be stored under a name.
  public func download(_ name: String) -> HTTPResponse {
    // Characters that a file name or a header field cannot hold become underscores.
    let safe = String(
      name.map { $0.isASCII && $0 != "\"" && $0 != "\\" && $0 != "/" && $0 >= " " ? $0 : "_" })
    let exact = name.utf8.map { byte -> String in
      let letter = Character(Unicode.Scalar(byte))
      if letter.isASCII && (letter.isLetter || letter.isNumber || ".-_".contains(letter)) {
        return String(letter)
      }
      let digits = String(byte, radix: 16, uppercase: true)
      return "%" + (digits.count < 2 ? "0" : "") + digits
    }.joined()
    return with("Content-Disposition", "attachment; filename=\"\(safe)\"; filename*=UTF-8''\(exact)")
  }

  /// The header fields of every answer: browsers must not guess another type than the stated one, pages of other
  /// origins cannot embed the answer, and its address is not sent to other sites.
  static let common: [(name: String, value: String)] = [
    ("X-Content-Type-Options", "nosniff"),
    ("Cross-Origin-Resource-Policy", "same-origin"),
    ("Referrer-Policy", "no-referrer"),
  ]

  /// Queues the answer. False if the connection is to be closed.
  /// - Parameter stream: Makes the stream of a file.
  func queue(on connection: OpaquePointer?, stream: (FileContents) -> FileStream) -> MHD_Result {
    let response: OpaquePointer?
    if let file {
      response = http_create_stream(
        UInt64(file.count),
        { object, position, buffer, count in
          guard let object, let buffer else { return -2 }
          return Unmanaged<FileStream>.fromOpaque(object).takeUnretainedValue()
            .copy(at: Int(position), to: UnsafeMutableRawBufferPointer(start: buffer, count: count))
        }, Unmanaged.passRetained(stream(file)).toOpaque(),
        { object in
          if let object { Unmanaged<FileStream>.fromOpaque(object).release() }
        })
    } else {
      response = body.withUnsafeBytes { http_create_response($0.baseAddress, $0.count) }
    }
    guard let response else { return .NO }
    defer { http_destroy_response(response) }
    for (name, value) in HTTPResponse.common + fields { http_add_header(response, name, value) }
    return http_queue_response(connection, UInt32(status), response)
  }
}

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

/// The result of the handler of a request: its answer, now or later, or the upgrade to a WebSocket.
public enum HandlerResult {
  /// It is answered at once.
  case now(HTTPResponse)
  /// It is answered later, on the control thread. The closure starts the work and gets the function to be called once
  /// with the answer.
  case later((@escaping (HTTPResponse) -> Void) -> Void)
  /// It becomes a WebSocket.
  case upgrade(key: String)
}
