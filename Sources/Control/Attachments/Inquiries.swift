/// Answers requests that take a while, such as those for which files are read. Control thread.
public protocol InquiryHandler<Request, Answer>: AnyObject {
  associatedtype Request
  associatedtype Answer
  /// Begins to answer a request, and calls `reply` exactly once: at once or in a later round of the loop, on the control
  /// thread.
  func handle(_ request: Request, reply: @escaping (Result<Answer, RequestRefused>) -> Void)
}

/// Requests to something outside the instrument that answers them later. Control thread.
public final class Inquiries<Request, Answer> {
  private let missing: String
  /// Answers the requests; nil if there is no handler.
  public weak var handler: (any InquiryHandler<Request, Answer>)?

  /// - Parameter missing: The reason for a refusal while there is no handler.
  init(missing: String) { self.missing = missing }

  /// Passes a request to the handler. `reply` is called once, on the control thread, now or later.
  public func ask(_ request: Request, reply: @escaping (Result<Answer, RequestRefused>) -> Void) {
    guard let handler else { return reply(.failure(RequestRefused(missing))) }
    handler.handle(request, reply: reply)
  }
}
