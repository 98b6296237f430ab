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
