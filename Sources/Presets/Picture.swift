/// The presets in order and by name. Value, any thread.
struct Picture {
  /// The slots that hold a preset, ascending.
  private(set) var order: [Slot] = []
  /// The slot of each name in lower case: the player's own before the factory's, lower slots before higher.
  private(set) var names: [String: Slot] = [:]

  /// The first slot of each page that holds a preset, ascending.
  private(set) var pages: [Slot] = []

  init() {}

  init(order: [Slot], name: (Slot) -> (name: String, isOwn: Bool)) {
    self.order = order
    var own: Set<String> = []
    for slot in order {
      let (name, isOwn) = name(slot)
      if pages.last != slot.page { pages.append(slot.page) }
      let key = name.lowercased()
      if names[key] == nil || (isOwn && !own.contains(key)) { names[key] = slot }
      if isOwn { own.insert(key) }
    }
  }

  func next(after slot: Slot?) -> Slot? {
    guard let slot else { return order.first }
    let index = place(slot) { $0 <= $1 }
    return index < order.count ? order[index] : order.first
  }

  func previous(before slot: Slot?) -> Slot? {
    guard let slot else { return order.last }
    let index = place(slot) { $0 < $1 }
    return index > 0 ? order[index - 1] : order.last
  }

  /// How many slots stand before `slot`, by halving.
  private func place(_ slot: Slot, _ before: (Slot, Slot) -> Bool) -> Int {
    var (low, high) = (0, order.count)
    while low < high {
      let middle = (low + high) / 2
      if before(order[middle], slot) { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
