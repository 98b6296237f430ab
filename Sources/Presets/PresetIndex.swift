/// An index of the presets in order and by name.
struct PresetIndex {
  /// The slots that hold a preset, in ascending order.
  private(set) var slots: [Slot] = []
  /// The first slot of each page that holds a preset, in ascending order.
  private(set) var pages: [Slot] = []
  /// The slot of each name in lower case: user presets before factory presets, then lower slots before higher.
  private(set) var byName: [String: Slot] = [:]
  // The preset in each slot.
  private var held: [Slot: Held] = [:]

  private struct Held: Equatable {
    /// The name in lower case.
    let name: String
    let isUser: Bool
  }

  init() {}

  /// An index of user and factory presets by their names. A user preset hides a factory preset in its slot.
  init(user: [Slot: String], factory: [Slot: String]) {
    held = factory.mapValues { Held(name: $0.lowercased(), isUser: false) }
    held.merge(user.mapValues { Held(name: $0.lowercased(), isUser: true) }) { _, user in user }
    slots = held.keys.sorted()
    for slot in slots {
      if pages.last != slot.page { pages.append(slot.page) }
      if let held = held[slot] { claim(slot, held) }
    }
  }

  /// Sets the name of the preset in a slot; nil if the slot is empty.
  mutating func set(_ slot: Slot, name: String?, isUser: Bool) {
    let new = name.map { Held(name: $0.lowercased(), isUser: isUser) }
    guard let old = held[slot] else {
      guard let new else { return }
      held[slot] = new
      slots.insert(slot, at: Self.count(slots) { $0 < slot })
      let index = Self.count(pages) { $0 < slot.page }
      if index == pages.count || pages[index] != slot.page { pages.insert(slot.page, at: index) }
      return claim(slot, new)
    }
    if old == new { return }
    held[slot] = new
    if byName[old.name] == slot {
      byName[old.name] = nil
      for (other, held) in held where held.name == old.name { claim(other, held) }
    }
    if let new { return claim(slot, new) }
    let index = Self.count(slots) { $0 < slot }
    slots.remove(at: index)
    let hasNeighbor = [index - 1, index].contains {
      slots.indices.contains($0) && slots[$0].page == slot.page
    }
    if !hasNeighbor { pages.remove(at: Self.count(pages) { $0 < slot.page }) }
  }

  /// Gives a name to a slot, unless a preset that comes before it has the name.
  private mutating func claim(_ slot: Slot, _ new: Held) {
    if let other = byName[new.name], other != slot, let known = held[other], known.name == new.name {
      let isBefore = known.isUser == new.isUser ? other < slot : known.isUser
      if isBefore { return }
    }
    byName[new.name] = slot
  }

  /// The slots whose name in lower case fits, one for each name, in ascending order.
  func slots(where fits: (String) -> Bool) -> [Slot] { byName.filter { fits($0.key) }.values.sorted() }

  /// The slots after another, in ascending order; all for nil.
  func slots(after slot: Slot?) -> ArraySlice<Slot> {
    slot.map { slot in slots[Self.count(slots) { $0 <= slot }...] } ?? slots[...]
  }

  /// The slot after another, cyclically; the first for nil.
  func next(after slot: Slot?) -> Slot? {
    guard let slot else { return slots.first }
    let index = Self.count(slots) { $0 <= slot }
    return index < slots.count ? slots[index] : slots.first
  }

  /// The slot before another, cyclically; the last for nil.
  func previous(before slot: Slot?) -> Slot? {
    guard let slot else { return slots.last }
    let index = Self.count(slots) { $0 < slot }
    return index > 0 ? slots[index - 1] : slots.last
  }

  /// The number of leading slots for which `isBefore` is true, by binary search.
  private static func count(_ slots: [Slot], _ isBefore: (Slot) -> Bool) -> Int {
    var (low, high) = (0, slots.count)
    while low < high {
      let middle = (low + high) / 2
      if isBefore(slots[middle]) { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
