import Storage

// Names that no preset has yet.

extension Library {
  /// The name that a new preset gets whose sound was recalled as `name`: "Glass 2" for "Glass", "Glass 3" for that.
  public func nextName(_ name: String) -> String {
    unusedName(Document.name(name) ?? "Sound", amongFactory: true)
  }

  /// The slots of the player's own presets by their names in lower case; of one name, the first.
  var ownNames: [String: Slot] {
    index.slots.reduce(into: [:]) { names, slot in
      if let own = own(slot), names[own.name.lowercased()] == nil { names[own.name.lowercased()] = slot }
    }
  }

  /// A name itself if no preset has it, or else the first of "Name 2", "Name 3" and so on that none has.
  func unusedName(_ name: String, amongFactory: Bool) -> String {
    let names = amongFactory ? [:] : ownNames
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
