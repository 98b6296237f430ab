import System

// Names as a person types them.

extension TuningFolder {
  /// The scale that is meant: the one of exactly this name, else of this name in any case, else the only one whose name
  /// begins so. Throws with what may be meant when there is none or more than one.
  public func scale(named written: String) throws(TuningError) -> String {
    try TuningFolder.find(written, among: scales, as: "tuning")
  }

  /// The mapping that is meant, in the same way.
  public func map(named written: String) throws(TuningError) -> String {
    try TuningFolder.find(written, among: maps, as: "mapping")
  }

  static func find(_ written: String, among names: [String], as kind: String) throws(TuningError) -> String {
    if names.contains(written) { return written }
    let key = written.lowercased()
    if let same = names.first(where: { $0.lowercased() == key }) { return same }
    let found = key.isEmpty ? [] : names.filter { $0.lowercased().hasPrefix(key) }
    if found.count == 1 { return found[0] }
    let shown = written.count > 40 ? written.prefix(39) + "…" : written[...]
    if found.isEmpty {
      let near = key.utf8.count > 255 ? nil : nearest(to: key, among: names)
      throw TuningError(
        "finds no \(kind) named \"\(shown)\"" + (near.map { "; did you mean \"\($0)\"?" } ?? ""))
    }
    let listed = found.prefix(namesListed).map { "\"\($0)\"" }.joined(separator: ", ")
    let more = found.count - namesListed
    throw TuningError("\"\(shown)\" may be \(listed)" + (more > 0 ? " and \(more) more" : ""))
  }

  /// Names that an error spells out.
  private static let namesListed = 6
}
