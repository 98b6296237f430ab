import Scenes

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

  /// One past the last index of the held keys of all parts.
  static var end: Int { @_noLocks @inline(__always) get { Limits.parts &* Limits.heldKeys } }

  /// The first index from `index` on with a held key; `end` when there is none.
  @_noLocks
  func next(_ index: Int) -> Int {
    var (part, index) = (part(index), index % Limits.heldKeys)
    while part < Limits.parts {
      if index < parts[part].stack.count { return part &* Limits.heldKeys &+ index }
      (part, index) = (part &+ 1, 0)
    }
    return Self.end
  }

  /// The held key at an index, in place.
  @_noLocks
  func note(_ index: Int) -> UnsafeMutablePointer<Note> { notes + index }

  /// The part of an index.
  @_noLocks
  func part(_ index: Int) -> Int { index / Limits.heldKeys }

  /// The state of part 0…7, in place.
  @_noLocks
  subscript(part: Int) -> UnsafeMutablePointer<PlayedPart> { parts + part }
}
