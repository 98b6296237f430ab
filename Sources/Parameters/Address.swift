import Synth

/// An OSC address that means a knob: which one, and how the value is spelled.
public struct Address: Hashable, Sendable {
  /// The three spellings of every knob.
  public enum Spelling: Hashable, Sendable {
    /// `/filter/cutoff`: 0…1 as a fader sends it, or the index or name of a choice.
    case fader
    /// `/filter/cutoff/hz`: the number in the unit.
    case unit
    /// `/filter/cutoff/text`: what a label shows; sent, never accepted.
    case text
  }

  /// The knob.
  public let knob: Knob
  /// How its value is spelled.
  public let spelling: Spelling

  /// The knob that an address means; bare addresses of a part's knobs mean the part `focus`. Nil for any other.
  public init?(_ address: some StringProtocol, focus: Int) {
    var path = Substring(address)
    var part = focus
    var named = false
    if let (index, rest) = Address.part(path) {
      (part, path, named) = (index, rest, true)
    }
    guard let (row, spelling) = Address.rows[String(path)] else { return nil }
    if named && Table.rows[row].field.scope == .master { return nil }
    self.knob = Knob(row: row, part: part)
    self.spelling = spelling
  }

  /// Part index 0…7 and the rest of an address that begins with `/part/1` … `/part/8`.
  public static func part(_ address: Substring) -> (part: Int, rest: Substring)? {
    guard address.hasPrefix("/part/") else { return nil }
    let tail = address.dropFirst(6)
    guard let slash = tail.firstIndex(of: "/"), let number = Int(tail[..<slash]),
      (1...Limits.parts).contains(number)
    else { return nil }
    return (number - 1, tail[slash...])
  }

  private static let rows: [String: (Int, Spelling)] = {
    var rows: [String: (Int, Spelling)] = [:]
    for (index, row) in Table.rows.enumerated() {
      rows[row.address] = (index, .fader)
      rows[row.address + "/text"] = (index, .text)
      if let unit = row.kind.unit { rows[row.address + "/" + unit.rawValue] = (index, .unit) }
    }
    return rows
  }()
}
