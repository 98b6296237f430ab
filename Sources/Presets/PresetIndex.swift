/// An index of the presets in order and by name, rebuilt when presets change.
struct PresetIndex {
  /// The slots that hold a preset, in ascending order.
  private(set) var slots: [Slot] = []
  /// The first slot of each page that holds a preset, in ascending order.
  private(set) var pages: [Slot] = []
  /// The slot of each name in lower case: user presets before factory presets, then lower slots before higher.
  private(set) var byName: [String: Slot] = [:]

  init() {}

  /// An index of user and factory presets by their names. A user preset hides a factory preset in its slot.
  init(user: [Slot: String], factory: [Slot: String]) {
    let names = factory.merging(user) { _, user in user }
    slots = names.keys.sorted()
    for slot in slots {
      if pages.last != slot.page { pages.append(slot.page) }
      guard let key = names[slot]?.lowercased() else { continue }
      if let other = byName[key], user[other] != nil || user[slot] == nil { continue }
      byName[key] = slot
    }
  }

  /// The slots whose name in lower case fits, one for each name, in ascending order.
  func slots(where fits: (String) -> Bool) -> [Slot] { byName.filter { fits($0.key) }.values.sorted() }

  /// The slot after another, cyclically; the first for nil.
  func next(after slot: Slot?) -> Slot? {
    guard let slot else { return slots.first }
    let index = count { $0 <= slot }
    return index < slots.count ? slots[index] : slots.first
  }

  /// The slot before another, cyclically; the last for nil.
  func previous(before slot: Slot?) -> Slot? {
    guard let slot else { return slots.last }
    let index = count { $0 < slot }
    return index > 0 ? slots[index - 1] : slots.last
  }

  /// The number of leading slots for which `isBefore` is true, by binary search.
  private func count(_ isBefore: (Slot) -> Bool) -> Int {
    var (low, high) = (0, slots.count)
    while low < high {
      let middle = (low + high) / 2
      if isBefore(slots[middle]) { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
