import Parameters
import Surface
import Synth
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
