/// Addresses and choices by names that an older pipit had. Layouts on tablets, presets and bindings that use them go on
/// working; pipit itself sends and writes the present names only.
public enum FormerNames {
  // The beginnings of addresses below a part.
  private static let addresses: [(former: String, present: String)] = [
    ("/lfo/", "/lfo/1/"), ("/lfo2/", "/lfo/2/"), ("/env3/", "/env/3/"),
  ]
  // Sources and targets of the modulation matrix.
  private static let choices = ["lfo": "lfo-1", "lfo-rate": "lfo-1-rate", "lfo-depth": "lfo-1-depth"]

  /// The present address of a former one, with its part; nil for an address that was never renamed. An address of
  /// `Table.rows` must be looked up before.
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
