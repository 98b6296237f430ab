/// A key that plays a chord.
struct ChordKey {
  /// The note of the key. Its ID identifies the finger.
  var note = Note()
  /// The keys that sound.
  var keys = PitchSet()

  /// No key.
  @_noLocks init() {}
  /// A key that plays others.
  @_noLocks init(_ note: Note, _ keys: PitchSet) { (self.note, self.keys) = (note, keys) }
}

/// The keys of a part that are down and play chords: a pitch that two of them play ends with the last.
struct ChordKeys {
  private let held: UnsafeMutablePointer<ChordKey>
  private(set) var count = 0

  /// No keys, in memory for `Limits.arpKeys` of them, which it uses exclusively.
  init(_ held: UnsafeMutablePointer<ChordKey>) { self.held = held }

  /// The key at an index 0..<`count`, in place.
  @_noLocks
  subscript(index: Int) -> UnsafeMutablePointer<ChordKey> { held + index }

  /// The position of the key of a finger; `count` when it is up.
  @_noLocks
  func index(of id: UInt32) -> Int {
    var index = 0
    while index < count, held[index].note.id != id { index &+= 1 }
    return index
  }

  /// Adds a key. False when there is no room.
  @_noLocks
  mutating func add(_ key: ChordKey) -> Bool {
    if count == Limits.arpKeys { return false }
    held[count] = key
    count &+= 1
    return true
  }

  /// Removes the key at a position.
  @_noLocks
  mutating func remove(_ index: Int) {
    count &-= 1
    var index = index
    while index < count {
      held[index] = held[index &+ 1]
      index &+= 1
    }
  }

  /// Removes all keys.
  @_noLocks
  mutating func removeAll() { count = 0 }

  /// Whether a key plays a pitch 0…127.
  @_noLocks
  func plays(_ key: Int) -> Bool {
    var index = 0
    while index < count {
      if held[index].keys.contains(key) { return true }
      index &+= 1
    }
    return false
  }
}
