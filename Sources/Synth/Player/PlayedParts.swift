/// How a part is being played: what it remembers from note to note.
struct PlayedPart {
  /// The keys held, while one voice plays them.
  var stack: KeyStack
  /// True while one voice plays all keys.
  var isMono = false
  /// The ID of the note that this voice sounds; `Note.noID` for none.
  var sounding = Note.noID
  /// The pitch of the note played last, octaves from concert pitch, and whether there was one.
  var pitch: Float = 0
  var hasPlayed = false
  /// The number of the tuning that its notes have.
  var tuning: UInt64 = 0
  /// What the knob of the mode said when it was last looked at, and what a message of MIDI has said since.
  var knob: Float = 0
  var mode: PlayMode?

  @_noLocks init(_ stack: KeyStack) { self.stack = stack }
}

/// How all parts are being played.
struct PlayedParts: ~Copyable {
  private let parts: UnsafeMutablePointer<PlayedPart>
  private let notes: UnsafeMutablePointer<Note>

  init() {
    notes = .allocate(capacity: Limits.parts * Limits.heldKeys)
    notes.initialize(repeating: Note(), count: Limits.parts * Limits.heldKeys)
    parts = .allocate(capacity: Limits.parts)
    reset()
  }

  deinit {
    parts.deallocate()
    notes.deallocate()
  }

  /// Nothing held, nothing played.
  func reset() {
    for part in 0..<Limits.parts {
      (parts + part).initialize(to: PlayedPart(KeyStack(notes + part * Limits.heldKeys)))
    }
  }

  /// Places of keys that are held, those of all parts.
  static var places: Int { @_noLocks @inline(__always) get { Limits.parts &* Limits.heldKeys } }

  /// The first place from `place` on where a key is held; `places` when there is none.
  @_noLocks
  func next(_ place: Int) -> Int {
    var (part, place) = (part(place), place % Limits.heldKeys)
    while part < Limits.parts {
      if place < parts[part].stack.count { return part &* Limits.heldKeys &+ place }
      (part, place) = (part &+ 1, 0)
    }
    return Self.places
  }

  /// The key that is held at a place, in place.
  @_noLocks
  func note(_ place: Int) -> UnsafeMutablePointer<Note> { notes + place }

  /// The part that plays it.
  @_noLocks
  func part(_ place: Int) -> Int { place / Limits.heldKeys }

  /// Part 0…7, in place.
  @_noLocks
  subscript(part: Int) -> UnsafeMutablePointer<PlayedPart> { parts + part }
}
