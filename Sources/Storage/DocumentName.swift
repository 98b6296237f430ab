extension Document {
  /// The longest name, in bytes of UTF-8.
  public static let nameBytes = 64

  /// A name as it is kept: without invisible characters, without blanks around it, cut to `nameBytes` at a character. Nil
  /// when nothing is left.
  public static func name(_ wish: String) -> String? {
    if isPlain(wish) { return wish }
    var name = ""
    for character in String(String.UnicodeScalarView(wish.unicodeScalars.filter(\.isShown))) {
      if name.isEmpty && character.isWhitespace { continue }
      if name.utf8.count + character.utf8.count > nameBytes { break }
      name.append(character)
    }
    while name.last?.isWhitespace == true { name.removeLast() }
    return name.isEmpty ? nil : name
  }

  /// Whether a name needs no change, as nearly all do. A start reads a thousand of them.
  private static func isPlain(_ name: String) -> Bool {
    let blank = UInt8(ascii: " ")
    return (1...nameBytes).contains(name.utf8.count) && name.utf8.allSatisfy { (blank..<0x7F).contains($0) }
      && name.utf8.first != blank && name.utf8.last != blank
  }
}

extension Unicode.Scalar {
  /// Whether a label shows the character. Control characters, changes of the writing direction and invisible characters are
  /// not shown: a name with one looks like another name, or changes the line that it stands in.
  package var isShown: Bool {
    switch properties.generalCategory {
    case .control, .format, .surrogate, .lineSeparator, .paragraphSeparator: false
    default: !properties.isDefaultIgnorableCodePoint
    }
  }
}
