import CALSA

/// A call to ALSA or the kernel that failed: what was attempted, and the error code.
public struct ALSAError: Error, CustomStringConvertible {
  /// What was attempted, on what.
  public let attempted: String
  /// The positive error number.
  public let code: Int32

  init(_ attempted: String, code: Int32) {
    self.attempted = attempted
    self.code = code < 0 ? -code : code
  }

  /// The sentence for the log.
  public var description: String { "\(attempted): \(Self.text(code))" }

  static func text(_ code: Int32) -> String {
    guard let text = snd_strerror(-abs(code)) else { return "error \(code)" }
    return String(cString: text)
  }

  /// Passes the result of a call through and throws when it is negative.
  @discardableResult
  static func check(_ result: Int32, _ attempted: @autoclosure () -> String) throws(ALSAError) -> Int32 {
    if result < 0 { throw ALSAError(attempted(), code: result) }
    return result
  }
}
