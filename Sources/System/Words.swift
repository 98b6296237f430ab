// Text search without the library of regular expressions: calling its `contains` would load 0.9 MB.

extension StringProtocol {
  /// Whether it contains `words`, compared byte by byte; true for empty `words`.
  public func includes(_ words: some StringProtocol) -> Bool {
    let (all, wanted) = (Array(utf8), Array(words.utf8))
    if wanted.isEmpty { return true }
    return all.indices.contains { all[$0...].starts(with: wanted) }
  }

  /// The text with each occurrence of `words`, which must not be empty, replaced by `other`.
  public func with(_ words: String, replacedBy other: String) -> String {
    var (text, position) = ("", startIndex)
    while position < endIndex {
      if self[position...].hasPrefix(words),
        let end = index(position, offsetBy: words.count, limitedBy: endIndex)
      {
        text += other
        position = end
      } else {
        text.append(self[position])
        formIndex(after: &position)
      }
    }
    return text
  }
}

/// External text in quotation marks, for a sentence: as many characters as the longest name has, 64, with "?" for control
/// characters and others that could disturb a terminal.
public func quoted(_ words: some StringProtocol) -> String {
  let shown = words.unicodeScalars.prefix(64).map { scalar in
    switch scalar.properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator: "?"
    default: String(scalar)
    }
  }
  return "\"" + shown.joined() + (words.unicodeScalars.count > 64 ? "…" : "") + "\""
}
