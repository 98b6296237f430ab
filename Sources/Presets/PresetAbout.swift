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

  /// An empty description.
  public init() {}

  /// The first words of description lines.
  static let words: Set<Substring> = ["category", "tags", "author", "about"]

  /// Reads the rest of a line that begins with one of `words`. Returns the expected input if it is invalid.
  mutating func take(_ word: Substring, _ rest: Substring) -> String? {
    switch word {
    case "category":
      category = PresetCategory(rawValue: String(rest))
      if category == nil {
        return "expected one of " + PresetCategory.allCases.map(\.rawValue).joined(separator: ", ")
      }
    case "tags":
      tags = rest.split(separator: ",").map { String(TextFormat.trimmed($0)).lowercased() }
      if tags.isEmpty { return "expected words with commas between" }
    case "author":
      author = Document.name(String(rest))
      if author == nil { return "expected a name" }
    default:
      description = rest.isEmpty ? nil : TextFormat.printable(rest, length: 200)
      if description == nil { return "expected a sentence" }
    }
    return nil
  }
}
