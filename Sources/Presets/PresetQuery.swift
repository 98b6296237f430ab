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
