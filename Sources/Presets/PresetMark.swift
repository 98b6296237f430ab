import Storage

/// The player's marks of a factory preset, whose file stays as it is.
struct PresetMark: Equatable {
  /// Whether it is a favorite.
  var isFavorite = false
  /// The tags, instead of those of the file; nil for those of the file.
  var tags: [String]?

  /// Whether it marks nothing.
  var isEmpty: Bool { !isFavorite && tags == nil }

  init() {}

  /// Reads a text; lines that are not understood are ignored.
  init(text: String) {
    _ = try? TextFormat.read(text, kind: "mark", limit: DocumentKind.mark.textBytes) { word, rest in
      if word == "favorite" { isFavorite = rest == "on" }
      if word == "tags" { tags = PresetAbout.tags(rest) }
      return nil
    }
  }

  /// The mark as text.
  var text: String {
    TextFormat.head("mark") + (isFavorite ? "favorite on\n" : "")
      + (tags.map { "tags \($0.joined(separator: ", "))\n" } ?? "")
  }
}
