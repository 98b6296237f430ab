/// A manual page in roff, with the few `man` macros that the manual needs.
struct ManualPage {
  /// The page so far.
  private(set) var text: String

  /// Begins a page. It has the program's version and no date, so that a build is reproducible.
  init(_ name: String, _ section: Int, _ about: String) {
    text = ".TH \(name.uppercased()) \(section) \"\" \"pipit \(version)\"\n"
    heading("Name")
    text += "\(ManualPage.escaped(name)) \\- \(ManualPage.escaped(about))\n"
  }

  /// Begins a section.
  mutating func heading(_ words: String) { text += ".SH \(ManualPage.escaped(words.uppercased()))\n" }

  /// Begins a subsection.
  mutating func subheading(_ words: String) { text += ".SS \(ManualPage.escaped(words))\n" }

  /// The synopsis of a command.
  mutating func synopsis(_ command: String, _ arguments: String) {
    text += ".B \(ManualPage.escaped(command))\n" + ManualPage.lines(arguments)
  }

  /// A paragraph; its lines are joined and wrapped.
  mutating func paragraph(_ words: String) { text += ".PP\n" + ManualPage.lines(words) }

  /// A term and its description.
  mutating func item(_ term: String, _ words: String) {
    text += ".TP\n.B \(ManualPage.escaped(term))\n" + ManualPage.lines(words)
  }

  /// Lines that are not wrapped.
  mutating func example(_ lines: String) {
    text += ".PP\n.nf\n.RS\n" + ManualPage.lines(lines) + ".RE\n.fi\n"
  }

  private static func lines(_ text: String) -> String {
    text.split(separator: "\n", omittingEmptySubsequences: false).map { line in
      let words = escaped(String(line))
      // A dot or an apostrophe at the beginning of a line would be a roff request.
      return (words.hasPrefix(".") || words.hasPrefix("'") ? "\\&" : "") + words + "\n"
    }.joined()
  }

  private static func escaped(_ text: String) -> String {
    text.map { $0 == "\\" ? "\\e" : $0 == "-" ? "\\-" : String($0) }.joined()
  }
}
