import Scenes
import Storage

/// The description of a preset besides its name. It does not affect the sound.
public struct PresetAbout: Sendable, Equatable {
  /// The kind of sound; it selects the demo phrase.
  public var category: PresetCategory?
  /// Search words, in lower case.
  public var tags: [String] = []
  /// The author.
  public var author: String?
  /// One line about the sound and how to play it.
  public var description: String?
  /// Whether it is one of the player's favorites.
  public var isFavorite = false
  /// The names of its macros; empty for a macro without one.
  public var macros = Array(repeating: "", count: Limits.macros)

  /// An empty description.
  public init() {}

  /// The first words of description lines.
  static let words: Set<Substring> = ["category", "tags", "author", "about", "favorite", "macro"]

  /// Reads the rest of a line that begins with one of `words`. Returns the expected input if it is invalid.
  mutating func take(_ word: Substring, _ rest: Substring) -> String? {
    switch word {
    case "category":
      category = PresetCategory(rawValue: String(rest))
      if category == nil {
        return "expected one of " + PresetCategory.allCases.map(\.rawValue).joined(separator: ", ")
      }
    case "tags":
      tags = PresetAbout.tags(rest)
      if tags.isEmpty { return "expected words with commas between" }
    case "author":
      author = Document.name(String(rest))
      if author == nil { return "expected a name" }
    case "macro": return takeMacro(rest)
    case "favorite":
      guard ["on", "off", "1", "0"].contains(rest) else { return "expected on or off" }
      isFavorite = rest == "on" || rest == "1"
    default:
      description = rest.isEmpty ? nil : TextFormat.printable(rest, length: 200)
      if description == nil { return "expected a sentence" }
    }
    return nil
  }

  private mutating func takeMacro(_ rest: Substring) -> String? {
    let number = rest.prefix { $0.isASCII && $0.isNumber }
    guard let macro = Int(number), (1...Limits.macros).contains(macro),
      let name = Document.name(String(rest.dropFirst(number.count)))
    else { return "expected a macro from 1 to \(Limits.macros), and its name" }
    macros[macro - 1] = name
    return nil
  }

  /// Sets `category`, `author` or `about`; without words it is removed.
  public mutating func set(_ field: String, _ words: String) throws(DocumentError) {
    guard ["category", "author", "about"].contains(field) else {
      throw DocumentError(description: "takes category, author or about, and its words")
    }
    let words = TextFormat.trimmed(words.prefix { !$0.isNewline })
    if words.isEmpty {
      switch field {
      case "category": category = nil
      case "author": author = nil
      default: description = nil
      }
    } else if let why = take(Substring(field), words) {
      throw DocumentError(description: why)
    }
  }

  /// The words of a list with commas between, in lower case, each once.
  static func tags(_ list: Substring) -> [String] {
    var (tags, known): ([String], Set<String>) = ([], [])
    for word in list.split(separator: ",") {
      if let tag = Document.name(String(word))?.lowercased(), known.insert(tag).inserted { tags.append(tag) }
    }
    return tags
  }

  /// Its lines in a text.
  var lines: [String] {
    var lines: [String] = []
    if let category { lines.append("category \(category.rawValue)") }
    if !tags.isEmpty { lines.append("tags \(tags.joined(separator: ", "))") }
    if let author { lines.append("author \(author)") }
    if let description { lines.append("about \(description)") }
    for (index, name) in macros.enumerated() where !name.isEmpty {
      lines.append("macro \(index + 1) \(name)")
    }
    if isFavorite { lines.append("favorite on") }
    return lines
  }

  /// The description in the text of a preset, without the cost of reading its knobs.
  init(text: String) {
    var text = text
    text.withUTF8 { bytes in
      var rest = bytes[...]
      while let first = rest.first {
        let end = rest.firstIndex(of: UInt8(ascii: "\n")) ?? rest.endIndex
        // Most lines are knobs, which begin with a slash.
        if first != UInt8(ascii: "/") {
          let line = TextFormat.trimmed(Substring(String(decoding: rest[..<end], as: UTF8.self)))
          let word = line.prefix { $0 != " " && $0 != "\t" }
          if PresetAbout.words.contains(word) {
            _ = take(word, TextFormat.trimmed(line[word.endIndex...]))
          }
        }
        rest = rest[end...].dropFirst()
      }
    }
  }
}

/// The kind of sound of a preset: the eight kinds of the factory bank. The raw value is the word in the text.
public enum PresetCategory: String, CaseIterable, Sendable {
  case basses, leads, pads, keys
  /// Plucks, mallets, drums.
  case plucks
  /// Organs and winds.
  case organs
  /// Strings and brass.
  case strings
  /// Motion and effects.
  case motion
}

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

// The description of a preset: category, tags, author, notes and favorite.

extension Library {
  /// Changes the description of a preset. For a user preset this makes no new version. For a factory preset only the
  /// tags and the favorite can be changed.
  public func describe(_ preset: Preset, _ about: PresetAbout) throws(DocumentError) {
    if preset.isFactory { return try mark(preset, about) }
    guard let slot = preset.slot, let user = userPreset(slot) else { return }
    let text = PresetText.describing(user.text, about)
    _ = try documents.amend(Document(name: user.name, text: text), .preset, slot.key)
    updateIndex(slot)
  }

  private func mark(_ preset: Preset, _ about: PresetAbout) throws(DocumentError) {
    let own = PresetAbout(text: preset.text)
    if (about.category, about.author, about.description, about.macros)
      != (own.category, own.author, own.description, own.macros)
    {
      throw DocumentError(
        description: "\"\(preset.name)\" is a factory preset; only its tags and its favorite can be changed")
    }
    var mark = PresetMark()
    mark.isFavorite = about.isFavorite
    if about.tags != own.tags { mark.tags = about.tags }
    if mark.isEmpty {
      documents.remove(.mark, preset.name)
    } else {
      try documents.save(Document(name: preset.name, text: mark.text), .mark, preset.name)
    }
    updateMark(preset.name)
  }

  /// The tags of a preset after an edit: a list with commas between, or changes such as `+soft, -dark`.
  public static func tags(_ tags: [String], edit: String) throws(DocumentError) -> [String] {
    let words = PresetAbout.tags(edit[...])
    let isChange = words.contains { $0.hasPrefix("+") || $0.hasPrefix("-") }
    if !isChange { return words }
    var (tags, known) = (tags, Set(tags))
    for word in words {
      guard let sign = word.first, sign == "+" || sign == "-",
        let tag = Document.name(String(word.dropFirst()))
      else {
        throw DocumentError(description: "takes tags with commas between, or each with + or - before it")
      }
      if known.remove(tag) != nil { tags.removeAll { $0 == tag } }
      if sign == "+" {
        tags.append(tag)
        known.insert(tag)
      }
    }
    return tags
  }
}
