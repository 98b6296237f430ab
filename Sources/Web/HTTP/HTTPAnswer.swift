import System

/// The answer to a request.
public enum HTTPAnswer {
  /// It is answered at once.
  case now(HTTPResponse)
  /// It is answered later, on the control thread. The closure starts the work and gets the function to be called once
  /// with the answer.
  case later((@escaping (HTTPResponse) -> Void) -> Void)
  /// It becomes a WebSocket.
  case upgrade(key: String)
}
