import Glibc
import Parameters
import Scenes
import Surface
import System

/// `pipit parameters`, and printing of lists.
enum Lists {
  /// `pipit parameters`.
  static func parameters(_ arguments: CommandArguments) throws {
    var table = TextTable(rows: [["Address", "Unit", "Range", "Initial", "CC", "What it does"]])
    let isWide = arguments[.wide] != nil || arguments[.markdown] != nil
    for row in Table.rows {
      var span = row.kind.span
      if !isWide, let names = row.kind.names {
        table.notes[table.rows.count] = "choices: " + names.joined(separator: ", ") + row.kind.further
        span = ""
      }
      table.rows.append([
        row.address, row.kind.unit.map { "/" + $0.rawValue } ?? "", span,
        row.kind.exact(value: row.initial), row.controller.map { "\($0)" } ?? "", row.about,
      ])
    }
    if arguments[.markdown] != nil { return Console.print(markdown(slotsAsOne(table.rows))) }
    Console.print(table.text(width: isWide ? nil : TextTable.terminalWidth))
  }

  /// Reduces the rows of the matrix to those of slot 1, because all slots are alike.
  private static func slotsAsOne(_ rows: [[String]]) -> [[String]] {
    rows.compactMap { row in
      guard row[0].hasPrefix("/mod/") else { return row }
      if !row[0].hasPrefix("/mod/1/") { return nil }
      return row.map {
        $0.with("/mod/1/", replacedBy: "/mod/1…\(Limits.slots)/").with("slot 1", replacedBy: "the slot")
      }
    }
  }

  /// `pipit reference commands.md`: the addresses of everything that is not a knob.
  static var commands: String {
    var table = [["Address", "Takes", "In parts", "What it does"]]
    for node in Node.commands {
      // Markdown would read <n> as HTML.
      let about = node.about.with("<n>", replacedBy: "`<n>`")
      table.append(["`\(node.path)`", node.takes, node.isPerPart ? "yes" : "", about])
    }
    return markdown(table)
  }

  /// Prints a table at the width of the terminal or, with `--wide`, each row on one line.
  static func print(_ rows: [[String]], _ arguments: CommandArguments) {
    let width = arguments[.wide] == nil ? TextTable.terminalWidth : nil
    Console.print(TextTable(rows: rows).text(width: width))
  }

  private static func markdown(_ rows: [[String]]) -> String {
    func line(_ cells: [String]) -> String { "| " + cells.joined(separator: " | ") + " |\n" }
    return line(rows[0]) + line(rows[0].map { _ in "---" }) + rows.dropFirst().map(line).joined()
  }
}

/// A table of text cells in aligned columns that fit the terminal. The first row is the header.
struct TextTable {
  var rows: [[String]]
  /// Text on separate lines below a row, by the row's index.
  var notes: [Int: String] = [:]

  /// Spaces between two columns, and before the text below a row.
  private static let (gap, indent) = (2, 4)
  /// The minimum width of the last column; if there is less space, its text is placed below the rows.
  private static let least = 30
  /// The width of notes if the width of the table is unknown.
  static let page = 80

  /// The columns of the terminal: `$COLUMNS`, or those of standard output; nil if that is not a terminal, so that each
  /// row stays one line, for `grep`.
  static var terminalWidth: Int? {
    if let columns = getenv("COLUMNS").flatMap({ Int(String(cString: $0)) }), columns > 0 { return columns }
    var size = winsize()
    guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return nil }
    return Int(size.ws_col)
  }

  /// The text in lines of at most `width` letters if the lengths of its words permit; with each row on one line if
  /// `width` is nil.
  func text(width: Int?) -> String {
    let columns = rows.first?.count ?? 0
    let natural = (0..<columns).map { column in rows.map { $0[column].count }.max() ?? 0 }
    let widths = width.map { fitted(natural, to: $0) } ?? natural
    if let width, columns > 1, let last = natural.last, widths[columns - 1] < min(last, TextTable.least) {
      // Puts the last column below its row, where there is more space.
      var narrow = TextTable(rows: rows.map { Array($0.dropLast()) }, notes: [:])
      for (index, row) in rows.enumerated().dropFirst() {
        narrow.notes[index] = [row[columns - 1], notes[index] ?? ""].filter { !$0.isEmpty }.joined(
          separator: "\n")
      }
      return narrow.text(width: width)
    }
    return rows.enumerated().map { index, row in
      let cells = zip(row, widths).map { TextTable.wrapped($0, $1) }
      let lines = (0..<(cells.map(\.count).max() ?? 0)).map { line in
        TextTable.line(zip(cells, widths).map { (line < $0.count ? $0[line] : "", $1) })
      }
      let below = (notes[index] ?? "").split(separator: "\n").flatMap {
        TextTable.wrapped(String($0), (width ?? TextTable.page) - TextTable.indent)
      }
      let space = String(repeating: " ", count: TextTable.indent)
      return (lines + below.map { space + $0 }).map { $0 + "\n" }.joined()
    }.joined()
  }

  /// The column widths after the widest columns have been reduced, as far as their words permit.
  private func fitted(_ natural: [Int], to width: Int) -> [Int] {
    let least = natural.indices.map { column in
      rows.map { $0[column].split(separator: " ").map(\.count).max() ?? 0 }.max() ?? 0
    }
    var widths = natural
    while widths.reduce(0, +) + (widths.count - 1) * TextTable.gap > width {
      let wide = widths.indices.filter { widths[$0] > least[$0] }
      guard let widest = wide.max(by: { widths[$0] < widths[$1] }) else { break }
      widths[widest] -= 1
    }
    return widths
  }

  private static func line(_ cells: [(text: String, width: Int)]) -> String {
    var line = ""
    for (text, width) in cells {
      line += text + String(repeating: " ", count: max(0, width - text.count) + gap)
    }
    while line.hasSuffix(" ") { line.removeLast() }
    return line
  }

  /// Wraps a text into lines of at most `width` letters, or of one longer word. Returns at least one line.
  static func wrapped(_ text: String, _ width: Int) -> [String] {
    if text.count <= width { return [text] }
    var lines = [""]
    for word in text.split(separator: " ") {
      let last = lines[lines.count - 1]
      if last.isEmpty {
        lines[lines.count - 1] = String(word)
      } else if last.count + 1 + word.count <= width {
        lines[lines.count - 1] += " " + word
      } else {
        lines.append(String(word))
      }
    }
    return lines
  }
}
