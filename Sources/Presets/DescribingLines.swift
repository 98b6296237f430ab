import Glibc

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
