/// A problem in the text of a document that was read nevertheless.
public struct TextWarning: Sendable, Equatable, CustomStringConvertible {
  /// The line, from 1; 0 for the whole text.
  public let line: Int
  /// The problem and the expected input.
  public let problem: String

  /// A problem on a line, or with 0 in the whole text.
  package init(line: Int, problem: String) { (self.line, self.problem) = (line, problem) }

  /// The warning for a text that begins further down in a longer one, after `lines` lines.
  package func after(lines: Int) -> TextWarning {
    line == 0 ? self : TextWarning(line: line + lines, problem: problem)
  }

  /// A sentence for the log.
  public var description: String { line == 0 ? problem : "line \(line): \(problem)" }
}

/// The reason why a text cannot be read at all.
public struct TextRefusal: Error, Sendable, Equatable, CustomStringConvertible {
  /// A sentence with the expected input.
  public let description: String
}

/// The common text format of documents: a line with kind and version, then one statement per line; `#` begins a
/// comment.
package enum TextFormat {
  /// The most warnings about one text; the rest is only counted.
  static let warnings = 20

  /// The version of the written format. A higher version is read as far as possible.
  package static let version = 1

  /// The first line of a text of a kind, with a newline.
  package static func head(_ kind: String) -> String { "pipit \(kind) \(version)\n" }

  /// Calls `body` with the first word and the rest of each line, and collects the problems that it returns.
  package static func read(
    _ text: String, kind: String, limit: Int,
    body: (_ word: Substring, _ rest: Substring) -> String?
  ) throws(TextRefusal) -> [TextWarning] {
    try check(text, kind: kind, limit: limit)
    var warnings: [TextWarning] = []
    var omitted = 0
    func warn(_ line: Int, _ problem: @autoclosure () -> String) {
      if warnings.count < Self.warnings {
        warnings.append(TextWarning(line: line, problem: problem()))
      } else {
        omitted += 1
      }
    }
    for (index, bytes) in text.utf8.split(separator: 10, omittingEmptySubsequences: false).enumerated() {
      let line = trimmed(Substring(bytes))
      if index == 0 {
        let written = try version(line, kind)
        if written > version {
          warn(1, "written by a newer pipit (format \(written)); unknown lines are ignored")
        }
        continue
      }
      if line.isEmpty || line.utf8.first == UInt8(ascii: "#") { continue }
      let word = Substring(line.utf8.prefix { $0 != 32 && $0 != 9 })
      if let problem = body(word, trimmed(line[word.endIndex...])) {
        warn(index + 1, "\"\(printable(line))\": \(problem)")
      }
    }
    if omitted > 0 { warnings.append(TextWarning(line: 0, problem: "and \(omitted) more lines")) }
    return warnings
  }

  /// Throws if a text exceeds the limit, bytes.
  package static func check(_ text: String, kind: String, limit: Int) throws(TextRefusal) {
    guard text.utf8.count > limit else { return }
    throw TextRefusal(
      description: "\(text.utf8.count) bytes are too many for a \(kind); the limit is \(limit)")
  }

  private static func version(_ line: Substring, _ kind: String) throws(TextRefusal) -> Int {
    // Some editors begin a file with a byte order mark. On bytes, for speed: a start reads hundreds of texts.
    let mark = "\u{FEFF}".utf8
    let bytes = line.utf8.starts(with: mark) ? line.utf8.dropFirst(mark.count) : line.utf8
    let words = bytes.split(separator: UInt8(ascii: " ")).map(Substring.init)
    guard words.count == 3, words[0] == "pipit", words[1] == kind, let number = Int(words[2]), number > 0
    else {
      throw TextRefusal(
        description:
          "the first line is \"\(printable(line))\"; a \(kind) begins with \"pipit \(kind) \(version)\"")
    }
    return number
  }

  /// A text without spaces, tabs and carriage returns at its ends.
  package static func trimmed(_ text: Substring) -> Substring {
    func blank(_ byte: UInt8) -> Bool { byte == 32 || byte == 9 || byte == 13 }
    let bytes = text.utf8.drop(while: blank)
    guard let last = bytes.lastIndex(where: { !blank($0) }) else { return text.prefix(0) }
    return Substring(bytes[...last])
  }

  /// A line for a log: shortened, with "?" for control characters, and without invisible ones.
  package static func printable(_ line: Substring, length: Int = 60) -> String {
    let isPlain = line.utf8.count <= length && line.utf8.allSatisfy { (32..<127).contains($0) }
    if isPlain { return String(line) }
    var text = ""
    for scalar in line.unicodeScalars.prefix(length) {
      if scalar.isShown || scalar.properties.generalCategory == .control {
        text.unicodeScalars.append(scalar.isShown ? scalar : "?")
      }
    }
    return line.unicodeScalars.count > length ? text + "…" : text
  }

  /// A text with `lines` inserted after its first line.
  package static func adding(_ lines: [String], to text: String, kind: String) -> String {
    var rest = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    let first = rest.isEmpty ? String(head(kind).dropLast()) : rest.removeFirst()
    return ([first] + lines + rest).joined(separator: "\n")
  }

  /// A text without the lines that begin with one of `words`, except its first line.
  package static func removing(_ words: [String], from text: String) -> String {
    var kept = ""
    kept.reserveCapacity(text.utf8.count)
    // On bytes, for speed, and by the same lines as `read`.
    for (index, bytes) in text.utf8.split(separator: 10, omittingEmptySubsequences: false).enumerated() {
      let word = Substring(trimmed(Substring(bytes)).utf8.prefix { $0 != 32 && $0 != 9 })
      if index > 0 {
        if words.contains(where: { $0 == word }) { continue }
        kept += "\n"
      }
      kept += Substring(bytes.last == 13 ? bytes.dropLast() : bytes)
    }
    return kept
  }
}
