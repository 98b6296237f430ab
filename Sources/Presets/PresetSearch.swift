import Storage

/// Why a name means no preset, or more than one.
public struct NoSuchPreset: Error, Sendable, Equatable, CustomStringConvertible {
  /// The name as it was written.
  public let name: String
  /// The names that begin so, or else those that have a word that does, in order of their slots; may be empty.
  public let candidates: [String]
  /// The slot that the name is the place of, where nothing lies; nil for any other name.
  public var place: Slot?
  /// Whether a preset has the place for its name.
  var isName = false

  /// A sentence for the player that names the first of the candidates.
  public var description: String {
    let name = TextFormat.printable(name[...])
    if let place {
      return "nothing lies in \(place)" + (isName ? "; the preset of that name is \"=\(name)\"" : "")
    }
    if candidates.isEmpty { return "no preset is named \"\(name)\"" }
    let listed = candidates.prefix(NoSuchPreset.listed).map { "\"\($0)\"" }.joined(separator: ", ")
    let more = candidates.count - NoSuchPreset.listed
    return "\"\(name)\" may be \(listed)" + (more > 0 ? " and \(more) more" : "")
  }

  /// Candidates that the sentence spells out.
  static let listed = 6
}

// Presets by the name that a person types.

extension Library {
  /// The preset that a name means: the one in a slot, as `1/5`, else the one of exactly this name, else the one of this
  /// name in any case, else the only one whose name begins so. Behind an equals sign stands a whole name, also one that
  /// looks like a place: `=1/5`. Of presets of one name, the player's own come first, then those of lower slots, then
  /// those outside the banks.
  public func find(_ name: String) throws(NoSuchPreset) -> Preset {
    let name = Document.name(name) ?? ""
    if let slot = Slot(key: name) {
      if let preset = self[slot] { return preset }
      throw NoSuchPreset(name: name, candidates: [], place: slot, isName: named(name) != nil)
    }
    if let preset = spelled(name) { return preset }
    if name.hasPrefix("="), let preset = spelled(String(name.dropFirst())) { return preset }
    let key = name.lowercased()
    if name.isEmpty { throw NoSuchPreset(name: name, candidates: []) }
    var found = presets { $0.hasPrefix(key) }
    if found.count == 1 { return found[0] }
    if found.isEmpty { found = presets { $0.split(separator: " ").contains { $0.hasPrefix(key) } } }
    throw NoSuchPreset(name: name, candidates: found.map(\.name))
  }

  /// The preset of exactly a name, else the one of this name in any case.
  private func spelled(_ name: String) -> Preset? {
    guard let preset = named(name), preset.name != name else { return named(name) }
    return presets.first { $0.name == name } ?? outside.first { $0.name == name } ?? preset
  }

  /// The preset with a name, in any case. The player's own come first, then those of lower slots, then those
  /// outside the banks.
  public func named(_ name: String) -> Preset? {
    let key = name.lowercased()
    if let slot = index.byName[key] { return self[slot] }
    return outside.first { $0.name.lowercased() == key }
  }

  /// The presets whose name in lower case fits, one for each name.
  private func presets(where fits: (String) -> Bool) -> [Preset] {
    let found = index.slots(where: fits).compactMap { self[$0] }
    let more = outside.filter { fits($0.name.lowercased()) && index.byName[$0.name.lowercased()] == nil }
    return found + more
  }
}
