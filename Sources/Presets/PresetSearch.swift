import Storage

/// The error for a name that matches no preset, or several.
public struct NoSuchPreset: Error, Sendable, Equatable, CustomStringConvertible {
  /// The name as typed.
  public let name: String
  /// The first names that begin with it, or else those with a word that begins with it, in the order of their slots; may
  /// be empty.
  public let candidates: [String]
  /// The number of all such names.
  let count: Int
  /// The empty slot that the name denotes; nil for any other name.
  public var slot: Slot?
  /// Whether a preset has this slot as its name.
  var isName = false

  /// - Parameter count: The number of all candidates, if not all are given.
  init(name: String, candidates: [String], count: Int? = nil, slot: Slot? = nil, isName: Bool = false) {
    (self.name, self.candidates) = (name, Array(candidates.prefix(NoSuchPreset.listed)))
    (self.count, self.slot, self.isName) = (count ?? candidates.count, slot, isName)
  }

  /// A sentence for the player with the first candidates.
  public var description: String {
    let name = TextFormat.printable(name[...])
    if let slot {
      return "\(slot) is empty" + (isName ? "; the preset of that name is \"=\(name)\"" : "")
    }
    if candidates.isEmpty { return "no preset is named \"\(name)\"" }
    let listed = candidates.map { "\"\($0)\"" }.joined(separator: ", ")
    let more = count - candidates.count
    return "\"\(name)\" may be \(listed)" + (more > 0 ? " and \(more) more" : "")
  }

  /// The most candidates that are listed.
  static let listed = 6
}

// Finding presets by typed names.

extension Library {
  /// Finds a preset: the one in a slot such as `1/5`, else the one of exactly this name, else the one of this name in
  /// any case, else the only one whose name begins with it; presets outside the banks only if no other does. An
  /// equals sign marks a whole name, also one that looks like a slot: `=1/5`. Of presets of one name, user presets
  /// come first, then those of lower slots, then those outside the banks.
  public func find(_ name: String) throws(NoSuchPreset) -> Preset {
    let name = Document.name(name) ?? ""
    if let slot = Slot(key: name) {
      if let preset = self[slot] { return preset }
      throw NoSuchPreset(name: name, candidates: [], slot: slot, isName: named(name) != nil)
    }
    if let preset = spelled(name) { return preset }
    if name.hasPrefix("="), let preset = spelled(String(name.dropFirst())) { return preset }
    let key = name.lowercased()
    if name.isEmpty { throw NoSuchPreset(name: name, candidates: []) }
    let most = NoSuchPreset.listed
    var found = candidates(index.beginning(key, most: most)) { $0.hasPrefix(key) }
    if found.count == 1 { return found.presets[0] }
    if found.count == 0, !key.contains(" ") {
      found = candidates(index.containing(key, most: most)) { name in
        name.split(separator: " ").contains { $0.hasPrefix(key) }
      }
    }
    throw NoSuchPreset(name: name, candidates: found.presets.map(\.name), count: found.count)
  }

  /// The preset of exactly this name, else the one of this name in any case.
  private func spelled(_ name: String) -> Preset? {
    guard let preset = named(name), preset.name != name else { return named(name) }
    let slot = index.slots(named: name.lowercased()).first { self[$0]?.name == name }
    return slot.flatMap { self[$0] } ?? outside.first { $0.name == name } ?? preset
  }

  /// The preset of a name in any case. User presets come first, then those of lower slots, then those outside the
  /// banks.
  public func named(_ name: String) -> Preset? {
    let key = name.lowercased()
    if let slot = index.slot(named: key) { return self[slot] }
    return outside.first { $0.name.lowercased() == key }
  }

  /// The preset outside the banks of a name; nil if there is none.
  public func presetOutside(named name: String) -> Preset? { outside.first { $0.name == name } }

  /// The presets in the found slots; if there are none, those outside the banks whose name in lower case fits.
  private func candidates(
    _ found: (slots: [Slot], count: Int), orOutside fits: (String) -> Bool
  ) -> (presets: [Preset], count: Int) {
    if found.count > 0 { return (found.slots.compactMap { self[$0] }, found.count) }
    let others = outside.filter { fits($0.name.lowercased()) }
    return (Array(others.prefix(NoSuchPreset.listed)), others.count)
  }
}

// Unused names for new presets.

extension Library {
  /// The name of a new preset made from `name`: "Glass 2" for "Glass", "Glass 3" for "Glass 2".
  public func nextName(_ name: String) -> String {
    unusedName(Document.name(name) ?? "Sound", amongFactory: true)
  }

  /// The slot of the user preset of a name in any case; the first of several, nil without one.
  func userSlot(named name: String) -> Slot? {
    // User presets come before factory presets.
    index.slot(named: name.lowercased()).flatMap { userPreset($0) == nil ? nil : $0 }
  }

  /// The name if it is unused, or else the first unused one of "Name 2", "Name 3" and so on.
  func unusedName(_ name: String, amongFactory: Bool) -> String {
    func isUsed(_ name: String) -> Bool {
      amongFactory ? named(name) != nil : userSlot(named: name) != nil
    }
    if !isUsed(name) { return name }
    var (stem, number) = (name, 2)
    let words = name.split(separator: " ")
    if words.count > 1, let last = words.last, let counted = Int(last), (1...9_999).contains(counted) {
      stem = words.dropLast().joined(separator: " ")
      number = counted + 1
    }
    func numbered(_ number: Int) -> String {
      let tail = " \(number)"
      var cut = stem
      while cut.utf8.count + tail.utf8.count > Document.nameBytes { cut.removeLast() }
      return cut + tail
    }
    return numbered(Document.unusedNumber(from: number) { isUsed(numbered($0)) })
  }
}
