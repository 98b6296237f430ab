import Storage

// Unused names for new presets.

extension Library {
  /// The name of a new preset made from `name`: "Glass 2" for "Glass", "Glass 3" for "Glass 2".
  public func nextName(_ name: String) -> String {
    unusedName(Document.name(name) ?? "Sound", amongFactory: true)
  }

  /// The slots of user presets by their names in lower case; for one name, the first.
  var userNames: [String: Slot] {
    index.slots.reduce(into: [:]) { names, slot in
      if let user = userPreset(slot), names[user.name.lowercased()] == nil {
        names[user.name.lowercased()] = slot
      }
    }
  }

  /// The name if it is unused, or else the first unused one of "Name 2", "Name 3" and so on.
  func unusedName(_ name: String, amongFactory: Bool) -> String {
    let names = amongFactory ? [:] : userNames
    func isUsed(_ name: String) -> Bool {
      amongFactory ? named(name) != nil : names[name.lowercased()] != nil
    }
    if !isUsed(name) { return name }
    var (stem, number) = (name, 2)
    let words = name.split(separator: " ")
    if words.count > 1, let last = words.last, let counted = Int(last), (1...9_999).contains(counted) {
      stem = words.dropLast().joined(separator: " ")
      number = counted + 1
    }
    while true {
      let tail = " \(number)"
      while stem.utf8.count + tail.utf8.count > Document.nameBytes { stem.removeLast() }
      if !isUsed(stem + tail) { return stem + tail }
      number += 1
    }
  }
}
