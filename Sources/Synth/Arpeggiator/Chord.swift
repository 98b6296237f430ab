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
