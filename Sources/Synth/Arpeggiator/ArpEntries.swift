import Scenes

/// A key of an arpeggio: it is down, or a latch or a pedal keeps it after its release.
struct ArpEntry {
  /// The note of the key as it was struck. Its ID identifies the finger.
  var note = Note()
  /// True while the key is down.
  var isDown = true
  /// False while the transport is stopped and the key is up.
  var isPlayed = true
  /// The group of its drum, 1…127; 0 for none.
  var group: UInt8 = 0

  /// No key.
  @_noLocks init() {}
  /// A key that is down.
  @_noLocks init(_ note: Note, group: UInt8) { (self.note, self.group) = (note, group) }
}

/// The keys of a part's arpeggio in the order of their strokes. Each finger has an entry of its own, so that two
/// keyboards may hold one pitch.
struct ArpEntries {
  private let entries: UnsafeMutablePointer<ArpEntry>
  private(set) var count = 0

  /// No entries, in memory for `Limits.arpKeys` of them, which it uses exclusively.
  init(_ entries: UnsafeMutablePointer<ArpEntry>) { self.entries = entries }

  /// The entry at an index 0..<`count`, in place.
  @_noLocks
  subscript(index: Int) -> UnsafeMutablePointer<ArpEntry> { entries + index }

  /// The position of the entry of a finger; `count` when there is none.
  @_noLocks
  func index(of id: UInt32) -> Int {
    var index = 0
    while index < count, entries[index].note.id != id { index &+= 1 }
    return index
  }

  /// Inserts an entry by age, in place of an earlier one of the same finger. False when there is no room.
  @_noLocks
  mutating func add(_ entry: ArpEntry) -> Bool {
    let same = index(of: entry.note.id)
    if same < count { remove(same) }
    if count == Limits.arpKeys { return false }
    var index = count
    while index > 0, entries[index &- 1].note.order > entry.note.order {
      entries[index] = entries[index &- 1]
      index &-= 1
    }
    entries[index] = entry
    count &+= 1
    return true
  }

  /// Removes the entry at a position.
  @_noLocks
  mutating func remove(_ index: Int) {
    count &-= 1
    var index = index
    while index < count {
      entries[index] = entries[index &+ 1]
      index &+= 1
    }
  }

  /// Removes all entries.
  @_noLocks
  mutating func removeAll() { count = 0 }

  /// Removes the entries whose keys are up.
  @_noLocks
  mutating func removeReleased() {
    var index = 0
    while index < count {
      if entries[index].isDown { index &+= 1 } else { remove(index) }
    }
  }

  /// Whether a key is down.
  var hasKey: Bool {
    @_noLocks get {
      var index = 0
      while index < count {
        if entries[index].isDown { return true }
        index &+= 1
      }
      return false
    }
  }
}
