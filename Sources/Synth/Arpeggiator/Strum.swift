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
