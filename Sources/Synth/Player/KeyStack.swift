/// The keys of a part that are held while one voice plays them all, the oldest first. The oldest is forgotten when there
/// are too many, but never the one that sounds.
struct KeyStack {
  private let notes: UnsafeMutablePointer<Note>
  private(set) var count = 0

  /// Empty, in memory for `Limits.heldKeys` notes, which it takes as its own.
  init(_ notes: UnsafeMutablePointer<Note>) { self.notes = notes }

  /// The note at a place, 0..<`count`, in place.
  @_noLocks
  subscript(place: Int) -> UnsafeMutablePointer<Note> { notes + place }

  /// The place of the note of this ID; `count` when it is not held.
  @_noLocks
  func place(of id: UInt32) -> Int {
    var place = 0
    while place < count, notes[place].id != id { place &+= 1 }
    return place
  }

  /// Adds a note as its age has it: behind all that are not newer. `sounding` is not forgotten for it.
  @_noLocks
  mutating func add(_ note: Note, sounding: UInt32) {
    if count == Limits.heldKeys {
      if note.order < notes[0].order { return }
      remove(notes[0].id == sounding ? 1 : 0)
    }
    var place = count
    while place > 0, notes[place &- 1].order > note.order {
      notes[place] = notes[place &- 1]
      place &-= 1
    }
    notes[place] = note
    count &+= 1
  }

  /// Takes out the note at a place.
  @_noLocks
  mutating func remove(_ place: Int) {
    count &-= 1
    var place = place
    while place < count {
      notes[place] = notes[place &+ 1]
      place &+= 1
    }
  }

  /// Takes out all.
  @_noLocks
  mutating func removeAll() { count = 0 }

  /// True when a key is down, but for the one of this ID.
  @_noLocks
  func hasKey(besides id: UInt32) -> Bool {
    var place = 0
    while place < count {
      if notes[place].held & Note.byKey != 0, notes[place].id != id { return true }
      place &+= 1
    }
    return false
  }

  /// The place of the note that is to sound: among those whose key is down, or when there is none among those that a
  /// pedal holds. Of notes of one key the newest. `count` when nothing is held.
  @_noLocks
  func best(_ priority: NotePriority) -> Int {
    var best = count
    var place = 0
    while place < count {
      if best == count || isBetter(notes[place], notes[best], priority) { best = place }
      place &+= 1
    }
    return best
  }

  /// Whether a note is to sound rather than an older one.
  @_noLocks
  private func isBetter(_ newer: Note, _ older: Note, _ priority: NotePriority) -> Bool {
    let (isDown, wasDown) = (newer.held & Note.byKey != 0, older.held & Note.byKey != 0)
    if isDown != wasDown { return isDown }
    switch priority {
    case .last: return true
    case .low: return newer.key <= older.key
    case .high: return newer.key >= older.key
    }
  }
}
