import CALSA

/// An ALSA or kernel call that failed: the attempted operation and its error code.
public struct ALSAError: Error, CustomStringConvertible {
  /// The attempted operation and its object, such as "Starting thread pipit midi".
  public let attempted: String
  /// The positive error number.
  public let code: Int32

  init(_ attempted: String, code: Int32) {
    self.attempted = attempted
    self.code = code < 0 ? -code : code
  }

  /// One line for the log: the attempted operation and the system's text for the error.
  public var description: String { "\(attempted): \(Self.text(code))" }

  static func text(_ code: Int32) -> String {
    guard let text = snd_strerror(-abs(code)) else { return "error \(code)" }
    return String(cString: text)
  }

  /// Returns `result`, or throws if it is negative.
  @discardableResult
  static func check(_ result: Int32, _ attempted: @autoclosure () -> String) throws(ALSAError) -> Int32 {
    if result < 0 { throw ALSAError(attempted(), code: result) }
    return result
  }
}
