import CMicrohttpd

/// A request that is being received, and its answer.
final class Exchange {
  /// The request; its body grows while it is received.
  var request: HTTPRequest
  /// The answer to be queued as soon as the library asks again; nil before there is one.
  var answer: HTTPResponse?
  /// The connection while it is suspended, waiting for the answer; nil otherwise.
  var suspended: OpaquePointer?
  /// False once the connection has ended.
  var isOpen = true
  /// The longest body that is accepted, bytes.
  let bodyLimit: Int

  init(_ request: HTTPRequest, bodyLimit: Int) { (self.request, self.bodyLimit) = (request, bodyLimit) }

  /// Adds a piece of the body. False if there is too much of it.
  func append(_ piece: UnsafeRawBufferPointer) -> Bool {
    guard request.body.count + piece.count <= bodyLimit else { return false }
    request.body += piece
    return true
  }
}
