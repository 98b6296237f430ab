import Storage

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
