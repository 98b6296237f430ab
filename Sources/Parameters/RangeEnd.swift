// The ranges of a part are two knobs each: the lowest and the highest of what it plays.

extension ParameterID {
  /// The other end of the range that this knob is an end of, and whether that is the high one; nil for any other knob.
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
