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

/// The number of insertions, deletions and substitutions that turn one sequence into the other, at most `limit`. A
/// lower limit is faster. Any thread.
@inlinable
public func editDistance<Element: Equatable>(_ one: [Element], _ other: [Element], below limit: Int = .max)
  -> Int
{
  if abs(one.count - other.count) >= limit { return limit }
  var row = Array(0...other.count)
  for (i, element) in one.enumerated() {
    var diagonal = row[0]
    row[0] = i + 1
    var least = row[0]
    for (j, wanted) in other.enumerated() {
      let above = row[j + 1]
      row[j + 1] = min(min(row[j], above) + 1, diagonal + (element == wanted ? 0 : 1))
      diagonal = above
      least = min(least, row[j + 1])
    }
    if least >= limit { return limit }
  }
  return min(row[other.count], limit)
}

/// The word of a list that is nearest to a mistyped `word`; nil if none is near.
public func nearest(to word: String, among words: [String]) -> String? {
  words.map { ($0, editDistance(Array(word), Array($0))) }.filter { $0.1 <= max(1, $0.0.count / 3) }
    .min { $0.1 < $1.1 }?.0
}

extension Sequence where Element == String {
  /// The fields as one line, separated by tabs, as the commands of the shell read it. A tab or a line break in a field
  /// becomes a space. Any thread.
  public var tabbedLine: String {
    map { field in String(field.map { $0 == "\t" || $0.isNewline ? " " : $0 }) }.joined(separator: "\t")
  }
}
