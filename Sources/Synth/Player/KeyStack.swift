/// The held keys of a mono part, the oldest first. When the stack is full, the oldest is forgotten, but never the one
/// that sounds.
struct KeyStack {
  private let notes: UnsafeMutablePointer<Note>
  private(set) var count = 0

  /// An empty stack in memory for `Limits.heldKeys` notes, which it uses exclusively.
  init(_ notes: UnsafeMutablePointer<Note>) { self.notes = notes }

  /// The note at a position 0..<`count`, in place.
  @_noLocks
  subscript(place: Int) -> UnsafeMutablePointer<Note> { notes + place }

  /// The position of the note with an ID; `count` when it is not held.
  @_noLocks
  func place(of id: UInt32) -> Int {
    var place = 0
    while place < count, notes[place].id != id { place &+= 1 }
    return place
  }

  /// Inserts a note by age, behind all notes that are not newer. The note `sounding` is not forgotten for it.
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

  /// Removes the note at a position.
  @_noLocks
  mutating func remove(_ place: Int) {
    count &-= 1
    var place = place
    while place < count {
      notes[place] = notes[place &+ 1]
      place &+= 1
    }
  }

  /// Removes all notes.
  @_noLocks
  mutating func removeAll() { count = 0 }

  /// True when a key is down, other than that of the given ID.
  @_noLocks
  func hasKey(besides id: UInt32) -> Bool {
    var place = 0
    while place < count {
      if notes[place].held & Note.byKeys != 0, notes[place].id != id { return true }
      place &+= 1
    }
    return false
  }

  /// The position of the note that should sound: among those whose key is down, or, if there are none, among those that
  /// a pedal holds. Of several notes of one key, the newest. `count` when nothing is held.
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

  /// Whether a note should sound rather than an older one.
  @_noLocks
  private func isBetter(_ newer: Note, _ older: Note, _ priority: NotePriority) -> Bool {
    let (isDown, wasDown) = (newer.held & Note.byKeys != 0, older.held & Note.byKeys != 0)
    if isDown != wasDown { return isDown }
    switch priority {
    case .last: return true
    case .low: return newer.key <= older.key
    case .high: return newer.key >= older.key
    }
  }
}
