import Glibc

/// The words by which presets are found, in one block of memory: a hundred thousand presets are searched in a few
/// milliseconds.
struct PresetWords {
  // For each preset a string of C: its fields in lower case, in the order of `PresetQuery.Field`, each followed by
  // `end`. Every word of a field is preceded by a blank.
  private var bytes: [UInt8] = []
  private var starts: [Int32] = [0]

  private static let end = UInt8(ascii: "\n")
  private static let blank = UInt8(ascii: " ")

  /// Adds a preset. Presets are numbered from 0 in the order in which they are added.
  mutating func add(_ name: String, _ about: PresetAbout) {
    let fields = [
      name, about.category?.rawValue ?? "", about.author ?? "", about.tags.joined(separator: " "),
      about.isFavorite ? PresetQuery.Field.favorite.rawValue : "",
    ]
    for field in fields {
      bytes.append(Self.blank)
      bytes += field.lowercased().utf8
      bytes.append(Self.end)
    }
    bytes.append(0)
    starts.append(Int32(bytes.count))
  }

  /// The numbers of the presets that a query matches, the best first: names that begin with its first word, names with
  /// a word that begins so, names that hold it, then the others. Equally good ones stay in order.
  func find(_ query: PresetQuery) -> [Int] {
    if query.words.isEmpty { return Array(0..<(starts.count - 1)) }
    let words = query.words.map { Word($0) }
    var found: [[Int]] = [[], [], [], []]
    bytes.withUnsafeBytes { bytes in
      guard let start = bytes.baseAddress?.assumingMemoryBound(to: CChar.self) else { return }
      for number in starts.indices.dropLast() {
        if let rank = Self.rank(start + Int(starts[number]), words) { found[rank].append(number) }
      }
    }
    return found.flatMap { $0 }
  }

  /// A word of a query, as strings of C.
  private struct Word {
    let inside, atStart: [CChar]
    /// The number of the only field in which it may be.
    let field: Int?

    init(_ word: PresetQuery.Word) {
      inside = word.bytes.map { CChar(bitPattern: $0) } + [0]
      atStart = [CChar(bitPattern: PresetWords.blank)] + inside
      field = word.field.flatMap { PresetQuery.Field.allCases.firstIndex(of: $0) }
    }
  }

  /// How well a preset matches, 0 for best; nil if it does not match.
  private static func rank(_ record: UnsafePointer<CChar>, _ words: [Word]) -> Int? {
    for word in words {
      guard let field = word.field else {
        if strstr(record, word.inside) == nil { return nil }
        continue
      }
      if position(of: word.atStart, inField: field, of: record) == nil { return nil }
    }
    guard let word = words.first(where: { $0.field ?? 0 == 0 }) else { return 0 }
    guard position(of: word.inside, inField: 0, of: record) != nil else { return 3 }
    guard let first = position(of: word.atStart, inField: 0, of: record) else { return 2 }
    return first == 0 ? 0 : 1
  }

  /// Where a word is in a field; nil if it is not there.
  private static func position(of word: [CChar], inField number: Int, of record: UnsafePointer<CChar>) -> Int?
  {
    var field = record
    for _ in 0..<number {
      guard let next = strchr(field, Int32(end)) else { return nil }
      field = UnsafePointer(next) + 1
    }
    guard let found = strstr(field, word), let last = strchr(field, Int32(end)), found < last else {
      return nil
    }
    return UnsafePointer(found) - field
  }
}
