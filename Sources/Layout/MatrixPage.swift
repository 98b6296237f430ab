import Parameters
import Synth

extension Panel {
  /// The slots of the matrix on each page: eight, so that each line has a finger's height.
  static let matrixPages: [Range<Int>] = stride(from: 1, to: Limits.slots, by: 8).map { $0..<$0 + 8 }

  /// Slots of the modulation matrix: a line for each, with its number, source, amount, target and scale.
  mutating func matrix(_ slots: Range<Int>, _ frame: Frame) {
    let sections = slots.compactMap { KnobSection.named("/mod/\($0)") }
    let isWide = size == .tablet
    for (section, line) in zip(sections, frame.rows(sections.count, gap: isWide ? 6 : 2)) {
      background("section \(section.title)", line)
      var cells = line.inset(isWide ? 6 : 2)
      let number = String(section.stem.split(separator: "/").last ?? "")
      caption(number, cells.cutLeft(isWide ? 30 : 16, gap: 4), section.color, largest: size.title)
      let rows = MatrixColumn.allCases.compactMap { column in
        section.rows.first { $0.leaf == column.rawValue }
      }
      let weights = rows.map { $0.leaf == "amount" ? 1.4 : 1 }
      for (row, cell) in zip(rows, cells.columns(weights, gap: isWide ? size.gap : 3)) {
        horizontalFader(row, row.address, cell, section.color)
      }
    }
  }

  /// The columns: source, amount, target, scale.
  private enum MatrixColumn: String, CaseIterable { case source, amount, target, scale }
}
