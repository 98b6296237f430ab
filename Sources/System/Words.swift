// Searching in text without the library of regular expressions, which a program that calls its `contains` holds in
// memory as a whole: 0.9 MB.

extension StringProtocol {
  /// Whether `words` stand somewhere in it, byte for byte; true for none.
  public func includes(_ words: some StringProtocol) -> Bool {
    let (all, wanted) = (Array(utf8), Array(words.utf8))
    if wanted.isEmpty { return true }
    return all.indices.contains { all[$0...].starts(with: wanted) }
  }

  /// The same with other words wherever `words` stand; they are not empty.
  public func with(_ words: String, replacedBy other: String) -> String {
    var (text, place) = ("", startIndex)
    while place < endIndex {
      if self[place...].hasPrefix(words), let end = index(place, offsetBy: words.count, limitedBy: endIndex) {
        text += other
        place = end
      } else {
        text.append(self[place])
        formIndex(after: &place)
      }
    }
    return text
  }
}

/// Words that somebody else wrote, in quotation marks for a sentence: 40 letters at most, and none that moves a cursor or
/// turns the direction of writing.
public func quoted(_ words: some StringProtocol) -> String {
  let shown = words.unicodeScalars.prefix(40).map { scalar in
    switch scalar.properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator: "?"
    default: String(scalar)
    }
  }
  return "\"" + shown.joined() + (words.unicodeScalars.count > 40 ? "…" : "") + "\""
}
