import Scenes

/// The notes that a key plays: itself, and those of the chord memory.
struct Chord: Equatable {
  /// Semitones from the key; elements from `count` on are unused.
  private var notes = SIMD8<Int8>.zero
  /// 1…8.
  private(set) var count = 1

  /// The key alone.
  @_noLocks init() {}

  /// The chord of the knobs; the key alone while they are off. Equal notes count once.
  @_noLocks
  init(_ knobs: UnsafePointer<ChordKnobs>) {
    if knobs.pointee.on < 0.5 { return }
    var index = 0
    while index < 7 {
      let note = knobs.note(index)
      if !contains(note) {
        notes[count] = Int8(truncatingIfNeeded: note)
        count &+= 1
      }
      index &+= 1
    }
  }

  /// Semitones from the key to note 0..<`count`.
  @_noLocks
  subscript(index: Int) -> Int { Int(notes[index & 7]) }

  /// Whether one of its notes is `note` semitones from the key.
  @_noLocks
  func contains(_ note: Int) -> Bool {
    var index = 0
    while index < count {
      if self[index] == note { return true }
      index &+= 1
    }
    return false
  }

  /// The keys of the chord on a key, without those outside 0…127.
  @_noLocks
  func keys(on key: UInt8) -> PitchSet {
    var (keys, index) = (PitchSet(), 0)
    while index < count {
      let one = Int(key) &+ self[index]
      if one >= 0, one < 128 { keys.insert(one) }
      index &+= 1
    }
    return keys
  }
}

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

/// Notes of strummed chords that are still to be played, in a part.
struct Strum {
  /// A note and its frame.
  struct Stroke {
    var note = Note()
    var frame: Int64 = 0

    @_noLocks init() {}
    @_noLocks init(_ note: Note, at frame: Int64) { (self.note, self.frame) = (note, frame) }
  }

  private let strokes: UnsafeMutablePointer<Stroke>
  private(set) var count = 0

  /// No notes, in memory for `Limits.strumNotes`, which it uses exclusively.
  init(_ strokes: UnsafeMutablePointer<Stroke>) { self.strokes = strokes }

  /// The stroke at an index 0..<`count`, in place.
  @_noLocks
  subscript(index: Int) -> UnsafeMutablePointer<Stroke> { strokes + index }

  /// Adds a note. False when there is no room.
  @_noLocks
  mutating func add(_ note: Note, at frame: Int64) -> Bool {
    if count == Limits.strumNotes { return false }
    strokes[count] = Stroke(note, at: frame)
    count &+= 1
    return true
  }

  /// Removes the note at a position.
  @_noLocks
  mutating func remove(_ index: Int) {
    count &-= 1
    var index = index
    while index < count {
      strokes[index] = strokes[index &+ 1]
      index &+= 1
    }
  }

  /// Removes all notes.
  @_noLocks
  mutating func removeAll() { count = 0 }

  /// The frame of the next note; the largest number when there is none.
  var nextFrame: Int64 {
    @_noLocks get {
      var (next, index) = (Int64.max, 0)
      while index < count {
        next = min(next, strokes[index].frame)
        index &+= 1
      }
      return next
    }
  }
}
