import Scenes

/// How the value of a knob is written at an address.
public enum Spelling: Hashable, Sendable {
  /// `/filter/cutoff`: a fader position of 0…1, or the index or name of a choice.
  case fader
  /// `/filter/cutoff/hz`: the number in the unit.
  case unit
  /// `/filter/cutoff/text`: the text of a label; sent, never accepted.
  case text
}

extension Parameter {
  /// The suffixes of the row's address, and how the value is written at each.
  public var spellings: [(leaf: String, spelling: Spelling)] {
    let all: [Spelling] = kind.unit == nil ? [.fader, .text] : [.fader, .unit, .text]
    return all.map { (leaf($0), $0) }
  }

  /// The suffix of the row's address for a spelling; empty for a unit that it does not have.
  public func leaf(_ spelling: Spelling) -> String {
    switch spelling {
    case .fader: ""
    case .unit: kind.unit.map { "/" + $0.rawValue } ?? ""
    case .text: "/text"
    }
  }
}

extension Table {
  /// Part index 0…7 and the rest of an address that begins with `/part/1` … `/part/8`.
  public static func part(_ address: Substring) -> (part: Int, rest: Substring)? {
    let bytes = address.utf8
    guard bytes.count > 7, bytes.starts(with: "/part/".utf8) else { return nil }
    let digit = bytes.index(bytes.startIndex, offsetBy: 6)
    let rest = bytes.index(after: digit)
    let part = Int(bytes[digit]) - Int(UInt8(ascii: "1"))
    guard (0..<Limits.parts).contains(part), bytes[rest] == UInt8(ascii: "/") else { return nil }
    return (part, address[rest...])
  }
}

/// The address of a knob, as files contain it: the knob, and how its value is written.
public struct Address: Hashable, Sendable {
  /// The knob.
  public let knob: ParameterID
  /// How the value is written.
  public let spelling: Spelling

  /// Finds the knob of an address, also by a former name. An address without a part, of a part's knob, means the part
  /// `focus`. Nil for any other address.
  public init?(_ address: some StringProtocol, focus: Int) {
    let address = Substring(address)
    let found =
      Address(present: address, focus)
      ?? FormerNames.address(address).flatMap { Address(present: $0[...], focus) }
    guard let found else { return nil }
    self = found
  }

  private init?(present address: Substring, _ focus: Int) {
    let named = Table.part(address)
    guard let (row, spelling) = Address.row(named?.rest ?? address) else { return nil }
    if named != nil && Table.rows[row].field.scope == .master { return nil }
    self.knob = ParameterID(row: row, part: named?.part ?? focus)
    self.spelling = spelling
  }

  /// The row of an address without a part, and its spelling.
  private static func row(_ address: Substring) -> (Int, Spelling)? {
    if let row = rows[String(address)] { return (Int(row), .fader) }
    guard let slash = address.utf8.lastIndex(of: UInt8(ascii: "/")),
      let row = rows[String(address[..<slash])].map({ Int($0) })
    else { return nil }
    let leaf = address[slash...]
    if leaf == Table.rows[row].leaf(.unit) { return (row, .unit) }
    return leaf == Table.rows[row].leaf(.text) ? (row, .text) : nil
  }

  // The rows by their addresses, which the table holds already.
  private static let rows: [String: Int16] = Dictionary(
    uniqueKeysWithValues: Table.rows.enumerated().map { ($0.element.address, Int16($0.offset)) })
}

/// Names of addresses and choices in older versions of pipit. Tablet layouts, presets and bindings that use them
/// still work; pipit itself sends and writes only the present names.
public enum FormerNames {
  // The beginnings of addresses below a part.
  private static let addresses: [(former: String, present: String)] = [
    ("/lfo/", "/lfo/1/"), ("/lfo2/", "/lfo/2/"), ("/env3/", "/env/3/"), ("/morph", "/morph/position"),
  ]
  // Sources and targets of the modulation matrix.
  private static let choices = ["lfo": "lfo-1", "lfo-rate": "lfo-1-rate", "lfo-depth": "lfo-1-depth"]

  /// The present form of a former address, with its part; nil for an address that was never renamed. Look up
  /// addresses of `Table.rows` first.
  public static func address(_ written: some StringProtocol) -> String? {
    let written = Substring(written)
    let (prefix, rest) =
      Table.part(written).map { (written[..<$0.rest.startIndex], $0.rest) } ?? ("", written)
    guard let name = addresses.first(where: { rest.hasPrefix($0.former) }) else { return nil }
    return prefix + name.present + rest.dropFirst(name.former.count)
  }

  /// The present name of a choice.
  static func choice(_ written: String) -> String { choices[written] ?? written }
}
