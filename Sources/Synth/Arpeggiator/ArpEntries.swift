/// A key that an arpeggio plays: a finger, or what a latch or a pedal keeps of it.
struct ArpEntry {
  /// The note of the key, shaped as it was struck. Its ID identifies the finger.
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

  /// The entry at a position 0..<`count`, in place.
  @_noLocks
  subscript(place: Int) -> UnsafeMutablePointer<ArpEntry> { entries + place }

  /// The position of the entry of a finger; `count` when there is none.
  @_noLocks
  func place(of id: UInt32) -> Int {
    var place = 0
    while place < count, entries[place].note.id != id { place &+= 1 }
    return place
  }

  /// Adds an entry by its age, and replaces that of the same finger. False when there is no room.
  @_noLocks
  mutating func add(_ entry: ArpEntry) -> Bool {
    let same = place(of: entry.note.id)
    if same < count { remove(same) }
    if count == Limits.arpKeys { return false }
    var place = count
    while place > 0, entries[place &- 1].note.order > entry.note.order {
      entries[place] = entries[place &- 1]
      place &-= 1
    }
    entries[place] = entry
    count &+= 1
    return true
  }

  /// Removes the entry at a position.
  @_noLocks
  mutating func remove(_ place: Int) {
    count &-= 1
    var place = place
    while place < count {
      entries[place] = entries[place &+ 1]
      place &+= 1
    }
  }

  /// Removes all entries.
  @_noLocks
  mutating func removeAll() { count = 0 }

  /// Removes the entries whose keys are up.
  @_noLocks
  mutating func removeReleased() {
    var place = 0
    while place < count {
      if entries[place].isDown { place &+= 1 } else { remove(place) }
    }
  }

  /// Whether a key is down.
  var hasKey: Bool {
    @_noLocks get {
      var place = 0
      while place < count {
        if entries[place].isDown { return true }
        place &+= 1
      }
      return false
    }
  }
}
