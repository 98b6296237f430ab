/// Carries out requests to something outside the instrument: the sound card, the recorder, the song player, the
/// keyboards. Control thread.
public protocol RequestHandler<Request>: AnyObject {
  associatedtype Request
  /// Carries out a request.
  /// - Returns: Nil when it is done, or else the reason why not: a sentence without its subject, as "plays no songs here".
  func handle(_ request: Request) -> String?
}

/// Why something outside the instrument did not do what it was asked: a sentence without its subject.
public struct RequestRefused: Error, CustomStringConvertible {
  /// The reason.
  public let description: String
}

/// Something outside the instrument that surfaces show and control: its state as they show it, and who carries out their
/// requests. Control thread.
public final class Attachment<State: Equatable, Request> {
  private let writer: SceneWriter
  private let change: Change
  private let missing: String

  /// The state that surfaces show. Whoever carries out the requests keeps it up to date.
  public var state: State { didSet { if state != oldValue { writer.changed(change) } } }
  /// Carries out the requests; nil while there is nobody who could.
  public weak var handler: (any RequestHandler<Request>)?

  /// - Parameters:
  ///   - change: Announced when the state changes.
  ///   - missing: The reason of the refusal while there is no handler.
  init(_ writer: SceneWriter, _ state: State, change: Change, missing: String) {
    (self.writer, self.state, self.change, self.missing) = (writer, state, change, missing)
  }

  /// Has a request carried out. Throws when it is refused.
  public func ask(_ request: Request) throws(RequestRefused) {
    guard let handler else { throw RequestRefused(description: missing) }
    if let reason = handler.handle(request) { throw RequestRefused(description: reason) }
  }
}
