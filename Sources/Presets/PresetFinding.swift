import Glibc
import Storage

// The search for presets by their words.

extension Library {
  /// The presets that a query matches, including those outside the banks; the best `most` of them are listed.
  public func search(_ query: PresetQuery, most: Int = .max) -> FoundPresets {
    let found = find(query)
    return FoundPresets(count: found.count, listing: listing, keys: found.prefix(max(0, most)))
  }

  /// The slots of the presets that a query matches, the best first.
  public func searchSlots(_ query: PresetQuery) -> [Slot] {
    find(query).compactMap { Slot(number: Int($0)) }
  }

  private func find(_ query: PresetQuery) -> [PresetWords.Key] {
    if !preparesSearchInRounds { _ = prepareSearch(.max) }
    return words?.find(query) ?? []
  }

  /// Prepares the search: finds the words of at most `count` more presets, a few microseconds each. True when all are
  /// known. A search prepares what is left at once, or finds what is prepared if `preparesSearchInRounds`.
  public func prepareSearch(_ count: Int) -> Bool {
    if isSearchPrepared { return true }
    var words = words ?? PresetWords()
    self.words = nil  // so that it is changed in place
    let slots = index.slots(after: preparedTo).prefix(count)
    for slot in slots { if let preset = self[slot] { set(preset, in: &words) } }
    preparedTo = slots.last ?? preparedTo
    if slots.count < count {
      for preset in outside { set(preset, in: &words) }
      isSearchPrepared = true
    }
    self.words = words
    return isSearchPrepared
  }

  /// Forgets the words of all presets.
  func forgetWords() { (words, preparedTo, isSearchPrepared) = (nil, nil, false) }

  private func set(_ preset: Preset, in words: inout PresetWords) {
    let isMarked = preset.isFactory && documents[.mark, preset.name] != nil
    words.set(key(of: preset), preset.name, text: preset.text, about: isMarked ? about(preset) : nil)
  }

  /// Updates the words of a slot whose preset, or its description, may have changed.
  func updateWords(_ slot: Slot) {
    guard var words else { return }
    self.words = nil  // so that it is changed in place
    if let preset = self[slot] { set(preset, in: &words) } else { words.remove(key(of: slot)) }
    self.words = words
  }

  /// Updates the words of a factory preset whose mark has changed.
  func updateMark(_ name: String) {
    edition += 1
    guard var words else { return }
    self.words = nil
    for preset in Array(factory.values) + outside where preset.name == name {
      if preset.slot.map({ userPreset($0) == nil }) ?? true { set(preset, in: &words) }
    }
    self.words = words
  }

  // MARK: - Keys

  fileprivate static let outsideKeys = PresetWords.Key(Slot.banks * Slot.programs)

  private func key(of slot: Slot) -> PresetWords.Key { PresetWords.Key(slot.number) }

  private func key(of preset: Preset) -> PresetWords.Key {
    if let slot = preset.slot { return key(of: slot) }
    return Library.outsideKeys + PresetWords.Key(outside.firstIndex { $0.name == preset.name } ?? 0)
  }
}

/// The presets that a search has found. A value type; any thread.
public struct FoundPresets: Sendable {
  /// The number of all.
  public let count: Int
  let listing: PresetListing
  let keys: ArraySlice<PresetWords.Key>

  /// Those that are listed, the best first.
  public var presets: [Preset] {
    keys.compactMap { key in
      if key >= Library.outsideKeys { return listing.outside[Int(key - Library.outsideKeys)] }
      return Slot(number: Int(key)).flatMap { listing[$0] }
    }
  }

  /// Their entries in a list.
  public var entries: [CatalogEntry] { presets.map(listing.entry) }
}

/// A search for presets: words that must all match.
///
/// A word is found anywhere in the name, the category, the author or the tags. `tag:soft`, `category:pads`,
/// `author:pipit` and `name:glass` look at the beginnings of the words of one field; `favorite` also finds favorites.
public struct PresetQuery: Sendable, Equatable {
  /// The fields that a search looks at, in the order of `PresetWords`.
  enum Field: String, CaseIterable, Sendable {
    case name, category, author, tag, favorite
  }

  /// A word in lower case, as UTF-8.
  struct Word: Sendable, Equatable {
    let bytes: [UInt8]
    /// The only field in which it may be; nil for any.
    let field: Field?
  }

  /// Its words.
  let words: [Word]

  /// A search for the words of a text.
  public init(_ text: String) {
    words = text.lowercased().split(whereSeparator: \.isWhitespace).compactMap { word in
      for field in Field.allCases where word.hasPrefix(field.rawValue + ":") {
        let rest = word.dropFirst(field.rawValue.utf8.count + 1)
        return rest.isEmpty ? nil : Word(bytes: Array(rest.utf8), field: field)
      }
      return Word(bytes: Array(word.utf8), field: nil)
    }
  }
}

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

/// The lines of a preset's text that a search needs, found without reading the others: ten times as fast as
/// `PresetAbout`.
struct DescribingLines {
  private(set) var category = "", author = "", tags = "", favorite = ""

  /// The lines of a description.
  init(_ about: PresetAbout) {
    (category, author) = (about.category?.rawValue ?? "", about.author ?? "")
    tags = about.tags.joined(separator: ",")
    favorite = about.isFavorite ? PresetQuery.Field.favorite.rawValue : ""
  }

  /// The lines of a text.
  init(_ text: String) { DescribingLines.each(text) { take($0) } }

  /// Calls `body` with each line of a text that does not set a knob, without its newline.
  static func each(_ text: String, _ body: (UnsafeBufferPointer<UInt8>) -> Void) {
    var text = text
    text.withUTF8 { bytes in
      guard let start = bytes.baseAddress else { return }
      var line = start
      let end = start + bytes.count
      while line < end {
        let next = memchr(line, 10, end - line)
        let stop = next.map { UnsafePointer($0.assumingMemoryBound(to: UInt8.self)) } ?? end
        // Most lines are knobs, which begin with a slash.
        if line.pointee != UInt8(ascii: "/") {
          body(UnsafeBufferPointer(start: line, count: stop - line))
        }
        line = stop + 1
      }
    }
  }

  private mutating func take(_ bytes: UnsafeBufferPointer<UInt8>) {
    func isBlank(_ byte: UInt8) -> Bool { byte == 32 || byte == 9 || byte == 13 }
    let line = bytes.drop(while: isBlank)
    // The first letters of "category", "author", "tags" and "favorite".
    guard let first = line.first, [99, 97, 116, 102].contains(first) else { return }
    let word = line.prefix { !isBlank($0) }
    let rest = line[word.endIndex...].drop(while: isBlank)
    guard let last = rest.lastIndex(where: { !isBlank($0) }) else { return }
    let words = { String(decoding: rest[...last], as: UTF8.self) }
    if word.elementsEqual("category".utf8) { category = words() }
    if word.elementsEqual("author".utf8) { author = words() }
    if word.elementsEqual("tags".utf8) { tags = words() }
    if word.elementsEqual("favorite".utf8) {
      favorite = ["on", "1"].contains(words()) ? PresetQuery.Field.favorite.rawValue : ""
    }
  }
}
