import Glibc
import Storage

/// An index of the presets in order and by name.
struct PresetIndex {
  /// The slots that hold a preset, in ascending order.
  private(set) var slots: [Slot] = []
  /// The first slot of each page that holds a preset, in ascending order.
  private(set) var pages: [Slot] = []
  /// The presets by name.
  private(set) var names = NameIndex<Slot>()
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
    names = NameIndex(held.lazy.map { (name: $0.value.name, key: $0.key) })
    for slot in slots where pages.last != slot.page { pages.append(slot.page) }
  }

  /// Sets the name of the preset in a slot; nil if the slot is empty.
  mutating func set(_ slot: Slot, name: String?, isUser: Bool) {
    let new = name.map { Held(name: $0.lowercased(), isUser: isUser) }
    let old = held[slot]
    if old == new { return }
    held[slot] = new
    if old?.name != new?.name {
      if let old { names.remove(old.name, slot) }
      if let new { names.insert(new.name, slot) }
    }
    let index = slots.leading { $0 < slot }
    if old == nil {
      slots.insert(slot, at: index)
      let page = pages.leading { $0 < slot.page }
      if page == pages.count || pages[page] != slot.page { pages.insert(slot.page, at: page) }
    }
    if new != nil { return }
    slots.remove(at: index)
    let hasNeighbor = [index - 1, index].contains {
      slots.indices.contains($0) && slots[$0].page == slot.page
    }
    if !hasNeighbor { pages.remove(at: pages.leading { $0 < slot.page }) }
  }

  /// The slots of the presets of a name in lower case, ascending.
  func slots(named name: String) -> some RandomAccessCollection<Slot> { names[name].lazy.map(\.key) }

  /// The slot of a name in lower case: user presets before factory presets, then lower slots before higher.
  func slot(named name: String) -> Slot? { best(of: names[name]) }

  /// The first user preset of those of one name, or else the first.
  private func best(of entries: ArraySlice<NameIndex<Slot>.Entry>) -> Slot? {
    if entries.count < 2 { return entries.first?.key }
    // There are few factory presets before the first user preset.
    return (entries.first { held[$0.key]?.isUser == true } ?? entries.first)?.key
  }

  /// The presets whose names begin with a text in lower case, one of each name: the slots of the first `most` in
  /// ascending order, and the number of all.
  func beginning(_ text: String, most: Int) -> (slots: [Slot], count: Int) {
    found(in: names.beginning(text), most) { _ in true }
  }

  /// The presets of which a word begins with a text in lower case without blanks, as `beginning`.
  func containing(_ text: String, most: Int) -> (slots: [Slot], count: Int) {
    var text = text
    return text.withUTF8 { word in found(in: names.all, most) { $0.hasWord(word) } }
  }

  private func found(
    in entries: ArraySlice<NameIndex<Slot>.Entry>, _ most: Int, where fits: (String) -> Bool
  ) -> (slots: [Slot], count: Int) {
    var (slots, count) = ([Slot](), 0)
    var start = entries.startIndex
    while start < entries.endIndex {
      let name = entries[start].name
      // Those of one name are neighbours.
      var end = start + 1
      while end < entries.endIndex, entries[end].name == name { end += 1 }
      if fits(name), let slot = best(of: entries[start..<end]) {
        count += 1
        slots.append(slot)
      }
      start = end
    }
    return (slots.least(most), count)
  }

  /// The slots after another, in ascending order; all for nil.
  func slots(after slot: Slot?) -> ArraySlice<Slot> {
    slot.map { slot in slots[slots.leading { $0 <= slot }...] } ?? slots[...]
  }

  /// The slot after another, cyclically; the first for nil.
  func next(after slot: Slot?) -> Slot? { slots(after: slot).first ?? slots.first }

  /// The slot before another, cyclically; the last for nil.
  func previous(before slot: Slot?) -> Slot? {
    guard let slot else { return slots.last }
    let index = slots.leading { $0 < slot }
    return index > 0 ? slots[index - 1] : slots.last
  }
}

extension String {
  /// Whether a word of this name begins with some letters. Words have blanks between them.
  fileprivate func hasWord(_ word: UnsafeBufferPointer<UInt8>) -> Bool {
    var name = self
    return name.withUTF8 { letters in
      guard let base = letters.baseAddress, let first = word.baseAddress else { return false }
      var start = 0
      while start + word.count <= letters.count {
        if memcmp(base + start, first, word.count) == 0 { return true }
        guard let blank = memchr(base + start, 32, letters.count - start) else { return false }
        start = UnsafeRawPointer(blank) - UnsafeRawPointer(base) + 1
      }
      return false
    }
  }
}
