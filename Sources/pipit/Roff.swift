/// A manual page as it is written: the few requests of the man macros that the manual needs.
struct Roff {
  /// The page so far.
  private(set) var text: String

  /// Begins a page. It bears the program's version and no date, so that it is the same whenever it is built.
  init(_ name: String, _ section: Int, _ about: String) {
    text = ".TH \(name.uppercased()) \(section) \"\" \"pipit \(version)\"\n"
    heading("Name")
    text += "\(Roff.escaped(name)) \\- \(Roff.escaped(about))\n"
  }

  /// Begins a section.
  mutating func heading(_ words: String) { text += ".SH \(Roff.escaped(words.uppercased()))\n" }

  /// Begins a part of a section.
  mutating func subheading(_ words: String) { text += ".SS \(Roff.escaped(words))\n" }

  /// How the command is written; the arguments are set apart from its name.
  mutating func synopsis(_ command: String, _ arguments: String) {
    text += ".B \(Roff.escaped(command))\n" + Roff.lines(arguments)
  }

  /// A paragraph; its lines are joined and filled again.
  mutating func paragraph(_ words: String) { text += ".PP\n" + Roff.lines(words) }

  /// A term and what it means.
  mutating func item(_ term: String, _ words: String) {
    text += ".TP\n.B \(Roff.escaped(term))\n" + Roff.lines(words)
  }

  /// Lines as they are.
  mutating func example(_ lines: String) { text += ".PP\n.nf\n.RS\n" + Roff.lines(lines) + ".RE\n.fi\n" }

  private static func lines(_ text: String) -> String {
    text.split(separator: "\n", omittingEmptySubsequences: false).map { line in
      let words = escaped(String(line))
      // A dot or an apostrophe would begin a request.
      return (words.hasPrefix(".") || words.hasPrefix("'") ? "\\&" : "") + words + "\n"
    }.joined()
  }

  private static func escaped(_ text: String) -> String {
    text.map { $0 == "\\" ? "\\e" : $0 == "-" ? "\\-" : String($0) }.joined()
  }
}
