import Storage

/// What a preset says of itself besides its name. The sound does not depend on it.
public struct PresetAbout: Sendable, Equatable {
  /// The kind of sound; it chooses the phrase that the preset is shown with.
  public var category: PresetCategory?
  /// Words to find it by, in small letters.
  public var tags: [String] = []
  /// Who made it.
  public var author: String?
  /// One line on what it is and how it is played.
  public var description: String?

  /// Nothing is said.
  public init() {}

  /// The words that lines about a preset begin with.
  static let words: Set<Substring> = ["category", "tags", "author", "about"]

  /// Takes the rest of a line that begins with one of `words`; what was expected when it is something else.
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
