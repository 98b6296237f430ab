// A range of a part consists of two knobs: the lowest and the highest key or velocity that it plays.

extension ParameterID {
  /// The knob at the other end of this knob's range, and whether the other end is the high one; nil if this knob is
  /// not the end of a range.
  public var otherEnd: (knob: ParameterID, isHigh: Bool)? {
    ParameterID.ends[row].map { (ParameterID(row: $0.row, part: part), $0.isHigh) }
  }

  private static let ends: [Int: (row: Int, isHigh: Bool)] = {
    var ends: [Int: (row: Int, isHigh: Bool)] = [:]
    for (low, row) in Table.rows.enumerated() where row.field.scope == .input && row.address.hasSuffix("/low")
    {
      let other = row.address.dropLast(3) + "high"
      guard let high = Table.rows.firstIndex(where: { $0.address == other }) else { continue }
      ends[low] = (high, true)
      ends[high] = (low, false)
    }
    return ends
  }()
}
