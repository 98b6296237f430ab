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
