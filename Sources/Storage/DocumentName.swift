extension Document {
  /// The longest name, bytes of UTF-8.
  public static let nameBytes = 64

  /// A name cleaned up for storage: without invisible characters, trimmed, and cut at a character to `nameBytes`. Nil
  /// if nothing is left. Of a text, only the beginning is read.
  public static func name(_ wish: String) -> String? {
    if isPlain(wish) { return wish }
    var name = ""
    let shown = wish.unicodeScalars.prefix(16 * nameBytes).filter(\.isShown)
    for character in String(String.UnicodeScalarView(shown)) {
      if name.isEmpty && character.isWhitespace { continue }
      if name.utf8.count + character.utf8.count > nameBytes { break }
      name.append(character)
    }
    while name.last?.isWhitespace == true { name.removeLast() }
    return name.isEmpty ? nil : name
  }

  /// Whether a name needs no change. This is the fast path for nearly all names: a start reads a thousand of them.
  private static func isPlain(_ name: String) -> Bool {
    let blank = UInt8(ascii: " ")
    return (1...nameBytes).contains(name.utf8.count) && name.utf8.allSatisfy { (blank..<0x7F).contains($0) }
      && name.utf8.first != blank && name.utf8.last != blank
  }
}

extension Document {
  /// A number for a new name: the first from `first` on that is unused, and after a long run of used ones an unused
  /// number after a used one, so that a thousand names are not tried one by one.
  package static func unusedNumber(from first: Int, isUsed: (Int) -> Bool) -> Int {
    let tried = 64
    if let number = (first..<first + tried).first(where: { !isUsed($0) }) { return number }
    var (used, unused) = (first + tried - 1, first + 2 * tried)
    while isUsed(unused) { (used, unused) = (unused, 2 * unused) }
    while unused - used > 1 {
      let middle = (used + unused) / 2
      if isUsed(middle) { used = middle } else { unused = middle }
    }
    return unused
  }
}

extension Unicode.Scalar {
  /// Whether the character is visible in a label. Control characters, changes of writing direction and invisible
  /// characters are not: they would make names look alike, or disturb the line.
  package var isShown: Bool {
    switch properties.generalCategory {
    case .control, .format, .surrogate, .lineSeparator, .paragraphSeparator: false
    default: !properties.isDefaultIgnorableCodePoint
    }
  }
}
