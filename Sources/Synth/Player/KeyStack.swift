import Scenes

/// The held keys of a mono part, the oldest first. When the stack is full, the oldest is forgotten, but never the one
/// that sounds.
struct KeyStack {
  private let notes: UnsafeMutablePointer<Note>
  private(set) var count = 0

  /// An empty stack in memory for `Limits.heldKeys` notes, which it uses exclusively.
  init(_ notes: UnsafeMutablePointer<Note>) { self.notes = notes }

  /// The note at an index 0..<`count`, in place.
  @_noLocks
  subscript(index: Int) -> UnsafeMutablePointer<Note> { notes + index }

  /// The position of the note with an ID; `count` when it is not held.
  @_noLocks
  func index(of id: UInt32) -> Int {
    var index = 0
    while index < count, notes[index].id != id { index &+= 1 }
    return index
  }

  /// Inserts a note by age, behind all notes that are not newer. The note `sounding` is not forgotten for it.
  @_noLocks
  mutating func add(_ note: Note, sounding: UInt32) {
    if count == Limits.heldKeys {
      if note.order < notes[0].order { return }
      remove(notes[0].id == sounding ? 1 : 0)
    }
    var index = count
    while index > 0, notes[index &- 1].order > note.order {
      notes[index] = notes[index &- 1]
      index &-= 1
    }
    notes[index] = note
    count &+= 1
  }

  /// Removes the note at a position.
  @_noLocks
  mutating func remove(_ index: Int) {
    count &-= 1
    var index = index
    while index < count {
      notes[index] = notes[index &+ 1]
      index &+= 1
    }
  }

  /// Removes all notes.
  @_noLocks
  mutating func removeAll() { count = 0 }

  /// True when a key is down, other than that of the given ID.
  @_noLocks
  func hasKey(besides id: UInt32) -> Bool {
    var index = 0
    while index < count {
      if notes[index].held & Note.byKeys != 0, notes[index].id != id { return true }
      index &+= 1
    }
    return false
  }

  /// The position of the note that should sound: among those whose key is down, or, if there are none, among those that
  /// a pedal holds. Of several notes of one key, the newest. `count` when nothing is held.
  @_noLocks
  func best(_ priority: NotePriority) -> Int {
    var best = count
    var index = 0
    while index < count {
      if best == count || isBetter(notes[index], notes[best], priority) { best = index }
      index &+= 1
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
