import Parameters

extension Panel {
  /// The modulation matrix: a line for each slot, from source to target; and the macros, its sources for the hand.
  mutating func matrix(_ frame: Frame) {
    let sections = KnobSection.of(.matrix)
    let height = Size.finger + 20
    let gap = sections.isEmpty ? 0 : (frame.h - sections.count * height) / sections.count
    var rest = frame
    for section in sections {
      let weights = section.rows.map { $0.leaf == "amount" ? 1.4 : 1 }
      let cells = rest.cutTop(height, gap: gap).columns(weights, gap: size.gap)
      for (row, cell) in zip(section.rows, cells) {
        horizontalFader(row, row.address, cell, section.color)
      }
    }
  }
}
