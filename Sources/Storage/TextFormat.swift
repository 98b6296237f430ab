/// Something in a preset or session that could not be taken as it stands; the rest of the text was read.
public struct TextWarning: Sendable, Equatable, CustomStringConvertible {
  /// Counted from 1; 0 for the text as a whole.
  public let line: Int
  /// What is wrong with it, and what is expected.
  public let problem: String

  /// A sentence for the log.
  public var description: String { line == 0 ? problem : "line \(line): \(problem)" }
}

/// Why a text is neither a preset nor a session.
public struct TextRefusal: Error, Sendable, Equatable, CustomStringConvertible {
  /// A sentence that says what was expected.
  public let description: String
}

/// The format that the texts of all documents share: a line with kind and version, then one statement a line, `#` before
/// comments.
package enum TextFormat {
  /// Warnings about one text that are spelled out; the rest is counted.
  static let warnings = 20

  /// The version of the format that is written. A higher one is read as far as it is known.
  package static let version = 1

  /// The first line of a text of a kind, with its newline.
  package static func head(_ kind: String) -> String { "pipit \(kind) \(version)\n" }

  /// Hands each line to `take`, as its first word and what follows, and gathers the problems that it answers.
  package static func read(
    _ text: String, kind: String, limit: Int,
    take: (_ word: Substring, _ rest: Substring) -> String?
  ) throws(TextRefusal) -> [TextWarning] {
    try check(text, kind: kind, limit: limit)
    var warnings: [TextWarning] = []
    var untold = 0
    func warn(_ line: Int, _ problem: String) {
      if warnings.count < Self.warnings {
        warnings.append(TextWarning(line: line, problem: problem))
      } else {
        untold += 1
      }
    }
    for (index, bytes) in text.utf8.split(separator: 10, omittingEmptySubsequences: false).enumerated() {
      let line = trimmed(Substring(bytes))
      if index == 0 {
        let written = try version(line, kind)
        if written > version {
          warn(1, "written by a newer pipit (format \(written)); what is unknown here is left out")
        }
        continue
      }
      if line.isEmpty || line.utf8.first == UInt8(ascii: "#") { continue }
      let word = line.prefix { $0 != " " && $0 != "\t" }
      if let problem = take(word, trimmed(line[word.endIndex...])) {
        warn(index + 1, "\"\(printable(line))\": \(problem)")
      }
    }
    if untold > 0 { warnings.append(TextWarning(line: 0, problem: "and \(untold) more lines")) }
    return warnings
  }

  /// Throws when a text has more bytes than the limit.
  package static func check(_ text: String, kind: String, limit: Int) throws(TextRefusal) {
    guard text.utf8.count > limit else { return }
    throw TextRefusal(
      description: "\(text.utf8.count) bytes are too many for a \(kind); the limit is \(limit)")
  }

  private static func version(_ line: Substring, _ kind: String) throws(TextRefusal) -> Int {
    // Editors on other systems put a byte order mark in front.
    let words = line.drop { $0 == "\u{FEFF}" }.split(separator: " ")
    guard words.count == 3, words[0] == "pipit", words[1] == kind, let number = Int(words[2]), number > 0
    else {
      throw TextRefusal(
        description:
          "the first line is \"\(printable(line))\"; a \(kind) begins with \"pipit \(kind) \(version)\"")
    }
    return number
  }

  /// Without spaces, tabs and carriage returns at either end.
  package static func trimmed(_ text: Substring) -> Substring {
    func blank(_ byte: UInt8) -> Bool { byte == 32 || byte == 9 || byte == 13 }
    let bytes = text.utf8.drop(while: blank)
    guard let last = bytes.lastIndex(where: { !blank($0) }) else { return text.prefix(0) }
    return Substring(bytes[...last])
  }

  /// A line as a log can bear it: short, and without what controls or is not seen.
  package static func printable(_ line: Substring, length: Int = 60) -> String {
    var text = ""
    for scalar in line.unicodeScalars.prefix(length) {
      if scalar.isShown || scalar.properties.generalCategory == .control {
        text.unicodeScalars.append(scalar.isShown ? scalar : "?")
      }
    }
    return line.unicodeScalars.count > length ? text + "…" : text
  }

  /// A text with lines after its first one.
  package static func adding(_ lines: [String], to text: String, kind: String) -> String {
    var rest = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    let first = rest.isEmpty ? String(head(kind).dropLast()) : rest.removeFirst()
    return ([first] + lines + rest).joined(separator: "\n")
  }

  /// A text without the lines that begin with one of some words; its first line stays.
  package static func removing(_ words: [String], from text: String) -> String {
    text.split(omittingEmptySubsequences: false) { $0.isNewline }.enumerated().filter { index, line in
      let word = trimmed(line).prefix { $0 != " " && $0 != "\t" }
      return index == 0 || !words.contains(String(word))
    }.map { String($0.element) }.joined(separator: "\n")
  }
}
