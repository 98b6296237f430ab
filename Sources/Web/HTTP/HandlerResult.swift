import System

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
