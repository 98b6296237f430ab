/// The state of playing a part, from note to note.
struct PlayedPart {
  /// The held keys of a mono part.
  var stack: KeyStack
  /// True while one voice plays all keys.
  var isMono = false
  /// The ID of the note that this voice plays; `Note.noID` for none.
  var sounding = Note.noID
  /// The pitch of the note played last in octaves from concert pitch, and whether there was one.
  var pitch: Float = 0
  var hasPlayed = false
  /// The version of the tuning that its notes have.
  var tuning: UInt64 = 0
  /// The last value of the mode knob, and the mode that a MIDI message of `modeSource` has set since.
  var knob: Float = 0
  var mode: PlayMode?
  var modeSource: UInt8 = 0

  @_noLocks init(_ stack: KeyStack) { self.stack = stack }
}

/// The state of playing all parts.
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

  /// Resets all parts: nothing held, nothing played.
  func reset() {
    for part in 0..<Limits.parts {
      (parts + part).initialize(to: PlayedPart(KeyStack(notes + part * Limits.heldKeys)))
    }
  }

  /// Number of positions for held keys in all parts.
  static var places: Int { @_noLocks @inline(__always) get { Limits.parts &* Limits.heldKeys } }

  /// The first position from `place` on with a held key; `places` when there is none.
  @_noLocks
  func next(_ place: Int) -> Int {
    var (part, place) = (part(place), place % Limits.heldKeys)
    while part < Limits.parts {
      if place < parts[part].stack.count { return part &* Limits.heldKeys &+ place }
      (part, place) = (part &+ 1, 0)
    }
    return Self.places
  }

  /// The held key at a position, in place.
  @_noLocks
  func note(_ place: Int) -> UnsafeMutablePointer<Note> { notes + place }

  /// The part of a position.
  @_noLocks
  func part(_ place: Int) -> Int { place / Limits.heldKeys }

  /// The state of part 0…7, in place.
  @_noLocks
  subscript(part: Int) -> UnsafeMutablePointer<PlayedPart> { parts + part }
}
