/// Names of files that come from other machines.
public enum FileName {
  /// The maximum length of a name, bytes of UTF-8. The name of a temporary file may be longer.
  public static let bytes = 200

  /// Whether a name is safe and readable: without path parts and control characters, not hidden, and not too long.
  public static func isValid(_ name: some StringProtocol) -> Bool {
    (1...bytes).contains(name.utf8.count) && !name.hasPrefix(".") && name.last?.isWhitespace == false
      && name.first?.isWhitespace == false && name.unicodeScalars.allSatisfy(isValid)
  }

  private static func isValid(_ scalar: Unicode.Scalar) -> Bool {
    if scalar == "/" || scalar == "\\" || scalar == "\u{FFFD}" { return false }
    switch scalar.properties.generalCategory {
    case .control, .format, .surrogate, .lineSeparator, .paragraphSeparator: return false
    default: return true
    }
  }
}
