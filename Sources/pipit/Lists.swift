import Parameters
import Surface
import Synth
import System

/// `pipit parameters`, and how lists are printed.
enum Lists {
  /// `pipit parameters`.
  static func parameters(_ arguments: CommandArguments) throws {
    var table = [["Address", "Unit", "Range", "Initial", "CC", "What it does"]]
    for row in Table.rows {
      table.append([
        row.address, row.kind.unit.map { "/" + $0.rawValue } ?? "", row.kind.span,
        row.kind.exact(value: row.initial), row.controller.map { "\($0)" } ?? "", row.about,
      ])
    }
    Console.print(arguments[.markdown] == nil ? aligned(table) : markdown(table))
  }

  /// `pipit reference commands.md`: the addresses that are no knobs.
  static var commands: String {
    var table = [["Address", "Takes", "In parts", "What it does"]]
    for node in Node.commands {
      // Markdown takes <n> for HTML.
      let about = node.about.with("<n>", replacedBy: "`<n>`")
      table.append(["`\(node.path)`", node.takes, node.isPerPart ? "yes" : "", about])
    }
    return markdown(table)
  }

  /// Rows of cells, each column as wide as its widest cell.
  static func aligned(_ rows: [[String]]) -> String {
    let columns = rows.map { $0.count }.max() ?? 0
    let widths = (0..<columns).map { column in rows.map { $0[column].count }.max() ?? 0 }
    return rows.map { row in
      var line = ""
      for (cell, width) in zip(row, widths) {
        line += cell + String(repeating: " ", count: width - cell.count + 2)
      }
      while line.hasSuffix(" ") { line.removeLast() }
      return line + "\n"
    }.joined()
  }

  private static func markdown(_ rows: [[String]]) -> String {
    func line(_ cells: [String]) -> String { "| " + cells.joined(separator: " | ") + " |\n" }
    return line(rows[0]) + line(rows[0].map { _ in "---" }) + rows.dropFirst().map(line).joined()
  }
}
