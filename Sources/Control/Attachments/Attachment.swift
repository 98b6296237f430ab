/// Carries out requests to something outside the instrument: the sound card, the recorder, the song player, the
/// keyboards. Control thread.
public protocol RequestHandler<Request>: AnyObject {
  associatedtype Request
  /// Carries out a request.
  /// - Returns: Nil if it was done, or else the reason: a sentence without its subject, such as "plays no songs
  ///   here".
  func handle(_ request: Request) -> String?
}

/// Why something outside the instrument refused a request: a sentence without its subject.
public struct RequestRefused: Error, CustomStringConvertible {
  /// The reason.
  public let description: String

  /// A refusal with its reason.
  public init(_ reason: String) { description = reason }
}

/// Something outside the instrument that surfaces show and control: the state that they show, and the handler of
/// their requests. Control thread.
public final class Attachment<State: Equatable, Request> {
  private let writer: SceneWriter
  private let change: Change
  private let missing: String

  /// The state that surfaces show. The handler keeps it up to date.
  public var state: State { didSet { if state != oldValue { writer.changed(change) } } }
  /// Carries out the requests; nil if there is no handler.
  public weak var handler: (any RequestHandler<Request>)?

  /// - Parameters:
  ///   - change: Announced when the state changes.
  ///   - missing: The reason for a refusal while there is no handler.
  init(_ writer: SceneWriter, _ state: State, change: Change, missing: String) {
    (self.writer, self.state, self.change, self.missing) = (writer, state, change, missing)
  }

  /// Passes a request to the handler. Throws if it is refused.
  public func ask(_ request: Request) throws(RequestRefused) {
    guard let handler else { throw RequestRefused(missing) }
    if let reason = handler.handle(request) { throw RequestRefused(reason) }
  }
}

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
