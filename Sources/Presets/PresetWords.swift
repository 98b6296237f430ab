import Glibc

/// The words by which presets are found, in one block of memory: a hundred thousand presets are searched in a few
/// milliseconds.
struct PresetWords {
  /// A preset: the number of its slot, or for one outside the banks a number above all slots.
  typealias Key = UInt32

  /// The presets in ascending order.
  private(set) var keys: [Key] = []
  // A C string for each preset: its fields in lower case, in the order of `PresetQuery.Field`, each followed by
  // `end`. Every word of a field is preceded by a blank.
  private var bytes: [UInt8] = []
  private var starts: [Int32] = []
  // The number of bytes that belong to no preset any more.
  private var unused = 0

  private static let end = UInt8(ascii: "\n")
  private static let blank = UInt8(ascii: " ")

  /// Sets the words of a preset: its name and the lines of its text that describe it, or `about` instead of these.
  mutating func set(_ key: Key, _ name: String, text: String, about: PresetAbout? = nil) {
    let index = position(of: key)
    let start = Int32(bytes.count)
    if index < keys.count, keys[index] == key {
      unused += length(at: starts[index])
      starts[index] = start
    } else {
      keys.insert(key, at: index)
      starts.insert(start, at: index)
    }
    append(name)
    let found = about.map(DescribingLines.init) ?? DescribingLines(text)
    for field in [found.category, found.author, found.tags, found.favorite] { append(field) }
    bytes.append(0)
    if unused > 65_536 && unused > bytes.count / 2 { compact() }
  }

  /// Removes the unused bytes from the block.
  private mutating func compact() {
    var kept: [UInt8] = []
    kept.reserveCapacity(bytes.count - unused)
    for index in starts.indices {
      let start = Int(starts[index])
      starts[index] = Int32(kept.count)
      kept += bytes[start..<start + length(at: Int32(start))]
    }
    (bytes, unused) = (kept, 0)
  }

  /// Forgets a preset.
  mutating func remove(_ key: Key) {
    let index = position(of: key)
    guard index < keys.count, keys[index] == key else { return }
    unused += length(at: starts[index])
    keys.remove(at: index)
    starts.remove(at: index)
  }

  private func length(at start: Int32) -> Int {
    bytes.withUnsafeBytes { bytes in
      guard let first = bytes.baseAddress?.assumingMemoryBound(to: CChar.self) else { return 0 }
      return strlen(first + Int(start)) + 1
    }
  }

  private func position(of key: Key) -> Int {
    // Most are added in order.
    if let last = keys.last, last < key { return keys.count }
    var (low, high) = (0, keys.count)
    while low < high {
      let middle = (low + high) / 2
      if keys[middle] < key { low = middle + 1 } else { high = middle }
    }
    return low
  }

  private mutating func append(_ field: String) {
    bytes.append(Self.blank)
    var field = field
    let isPlain = field.withUTF8 { letters in
      for letter in letters where letter >= 0x80 { return false }
      for letter in letters {
        bytes.append(letter >= 65 && letter <= 90 ? letter + 32 : letter == 44 ? Self.blank : letter)
      }
      return true
    }
    if !isPlain { bytes += field.lowercased().utf8.map { $0 == 44 ? Self.blank : $0 } }
    bytes.append(Self.end)
  }

  /// The presets that a query matches, the best first: names that begin with its first word, names with a word that
  /// begins with it, names that contain it, then the others. Equally good ones stay in order.
  func find(_ query: PresetQuery) -> [Key] {
    if query.words.isEmpty { return keys }
    let words = query.words.map { Word($0) }
    defer { for word in words { word.atStart.deallocate() } }
    let named = words.first { $0.field ?? 0 == 0 }
    var found: [[Key]] = [[], [], [], []]
    bytes.withUnsafeBytes { bytes in
      guard let start = bytes.baseAddress?.assumingMemoryBound(to: CChar.self) else { return }
      for index in keys.indices {
        if let rank = Self.rank(start + Int(starts[index]), words, named) { found[rank].append(keys[index]) }
      }
    }
    return found.flatMap { $0 }
  }

  /// A word of a query as a C string. It is a pointer, since an array would be retained a hundred thousand times.
  private struct Word {
    /// The word with a blank before it; to be deallocated.
    let atStart: UnsafeMutablePointer<CChar>
    /// The number of the only field in which it may be.
    let field: Int?

    /// The word without the blank.
    var inside: UnsafeMutablePointer<CChar> { atStart + 1 }

    init(_ word: PresetQuery.Word) {
      let letters = [PresetWords.blank] + word.bytes + [0]
      atStart = .allocate(capacity: letters.count)
      for (index, letter) in letters.enumerated() { atStart[index] = CChar(bitPattern: letter) }
      field = word.field.flatMap { PresetQuery.Field.allCases.firstIndex(of: $0) }
    }
  }

  /// The rank of a preset's match, 0 for best; nil if it does not match. `named` is the first word that may be in the
  /// name.
  private static func rank(_ record: UnsafePointer<CChar>, _ words: [Word], _ named: Word?) -> Int? {
    for word in words {
      guard let field = word.field else {
        if strstr(record, word.inside) == nil { return nil }
        continue
      }
      if position(of: word.atStart, inField: field, of: record) == nil { return nil }
    }
    guard let named else { return 0 }
    if position(of: named.inside, inField: 0, of: record) == nil { return 3 }
    guard let first = position(of: named.atStart, inField: 0, of: record) else { return 2 }
    return first == 0 ? 0 : 1
  }

  /// The position of a word in a field; nil if it is not there.
  private static func position(
    of word: UnsafePointer<CChar>, inField number: Int, of record: UnsafePointer<CChar>
  ) -> Int? {
    var (field, left) = (record, number)
    while left > 0 {
      if field.pointee == CChar(bitPattern: end) { left -= 1 }
      field += 1
    }
    guard let found = strstr(field, word) else { return nil }
    // The word must not be in a later field.
    let length = UnsafePointer(found) - field
    return memchr(field, Int32(end), length) == nil ? length : nil
  }
}
