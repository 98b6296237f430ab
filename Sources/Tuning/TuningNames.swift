import System

// Scales and mappings by names that users type.

extension TuningFolder {
  /// Finds a scale: the one of exactly this name, else of this name in any case, else the only one whose name begins
  /// so. Throws with suggestions if there is none or more than one.
  public func scale(named written: String) throws(TuningError) -> String {
    try TuningFolder.find(written, among: scales, as: "tuning")
  }

  /// Finds a mapping by its name or the beginning of its name, as `scale(named:)` does.
  public func map(named written: String) throws(TuningError) -> String {
    try TuningFolder.find(written, among: maps, as: "mapping")
  }

  static func find(_ written: String, among names: [String], as kind: String) throws(TuningError) -> String {
    if names.contains(written) { return written }
    let key = written.lowercased()
    if let same = names.first(where: { $0.lowercased() == key }) { return same }
    let found = key.isEmpty ? [] : names.filter { $0.lowercased().hasPrefix(key) }
    if found.count == 1 { return found[0] }
    let shown = quoted(written)
    if found.isEmpty {
      let near = key.utf8.count > 255 ? nil : nearest(to: key, among: names)
      throw TuningError(
        "finds no \(kind) named \(shown)" + (near.map { "; did you mean \"\($0)\"?" } ?? ""))
    }
    let listed = found.prefix(namesListed).map { "\"\($0)\"" }.joined(separator: ", ")
    let more = found.count - namesListed
    throw TuningError("\(shown) may be \(listed)" + (more > 0 ? " and \(more) more" : ""))
  }

  /// The most names in an error.
  private static let namesListed = 6
}
