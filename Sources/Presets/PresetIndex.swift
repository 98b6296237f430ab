/// The presets in order and by name. A value, made anew when a preset comes or goes.
struct PresetIndex {
  /// The slots that hold a preset, ascending.
  private(set) var slots: [Slot] = []
  /// The first slot of each page that holds a preset, ascending.
  private(set) var pages: [Slot] = []
  /// The slot of each name in lower case: the player's own before the factory's, lower slots before higher.
  private(set) var byName: [String: Slot] = [:]

  init() {}

  /// An index of the player's own presets and of the factory's by their names; the player's own hides the factory's
  /// in the same slot.
  init(own: [Slot: String], factory: [Slot: String]) {
    let names = factory.merging(own) { _, own in own }
    slots = names.keys.sorted()
    for slot in slots {
      if pages.last != slot.page { pages.append(slot.page) }
      guard let key = names[slot]?.lowercased() else { continue }
      if let other = byName[key], own[other] != nil || own[slot] == nil { continue }
      byName[key] = slot
    }
  }

  /// The slots whose name in lower case fits: one for each name, ascending.
  func slots(where fits: (String) -> Bool) -> [Slot] { byName.filter { fits($0.key) }.values.sorted() }

  /// The slot after another, the first after the last; the first of all for nil.
  func next(after slot: Slot?) -> Slot? {
    guard let slot else { return slots.first }
    let index = count { $0 <= slot }
    return index < slots.count ? slots[index] : slots.first
  }

  /// The slot before another, the last before the first; the last of all for nil.
  func previous(before slot: Slot?) -> Slot? {
    guard let slot else { return slots.last }
    let index = count { $0 < slot }
    return index > 0 ? slots[index - 1] : slots.last
  }

  /// How many slots come first that `isBefore` is true of, by halving.
  private func count(_ isBefore: (Slot) -> Bool) -> Int {
    var (low, high) = (0, slots.count)
    while low < high {
      let middle = (low + high) / 2
      if isBefore(slots[middle]) { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
