import Control

/// A request handler that keeps the requests it is given, and answers as a test wishes. The test must hold it: the
/// instrument does not.
public final class RequestLog<Request>: RequestHandler {
  /// The requests so far, the oldest first.
  public private(set) var requests: [Request] = []
  private let answer: (Request) -> String?

  /// A handler that answers each request with `answer`; nil means that the request is done.
  public init(_ answer: @escaping (Request) -> String? = { _ in nil }) { self.answer = answer }

  public func handle(_ request: Request) -> String? {
    requests.append(request)
    return answer(request)
  }
}
