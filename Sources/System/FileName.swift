/// Names of files that come from other machines.
public enum FileName {
  /// The maximum length of a name, bytes of UTF-8. The name of a temporary file may be longer.
  public static let bytes = 200

  /// Whether a name is safe and readable: without path parts and control characters, not hidden, and not too long.
  public static func isValid(_ name: some StringProtocol) -> Bool { problem(name) == nil }

  /// What a name is to be and is not, as the end of a sentence that begins with "takes a name"; nil for a valid one.
  static func problem(_ name: some StringProtocol) -> String? {
    if name.isEmpty { return "" }
    if name.utf8.count > bytes { return " of \(bytes) bytes at most, not \(name.utf8.count)" }
    if name.hasPrefix(".") { return " that does not begin with '.'" }
    if name.first?.isWhitespace == true || name.last?.isWhitespace == true {
      return " without a space at its beginning or end"
    }
    if !name.unicodeScalars.allSatisfy(isValid) {
      return " without '/', '\\', control characters and characters that cannot be seen"
    }
    return nil
  }

  private static func isValid(_ scalar: Unicode.Scalar) -> Bool {
    if scalar == "/" || scalar == "\\" || scalar == "\u{FFFD}" { return false }
    switch scalar.properties.generalCategory {
    case .control, .format, .surrogate, .lineSeparator, .paragraphSeparator: return false
    default: return true
    }
  }
}
