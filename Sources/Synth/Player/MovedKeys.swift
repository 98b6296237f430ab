/// MIDI 2.0 expression of single keys: bend, pitch and controllers, which also apply to later notes until they are
/// moved back. Only keys that are not neutral are stored, so there are few.
struct MovedKeys: ~Copyable {
  private struct Key {
    var id = Note.noID
    var finger = NoteExpression()
  }
  private struct State {
    var count = 0
    /// Sources that have moved single keys, one bit each.
    var sources: UInt32 = 0
    /// The key whose next stroke has its own pitch, and this pitch in semitones from the key.
    var struck = Note.noID
    var pitch: Float = 0

    @_noLocks init() {}
  }

  // Moved keys, the oldest first.
  private let keys: UnsafeMutablePointer<Key>
  private let state: UnsafeMutablePointer<State>

  /// All keys neutral.
  init() {
    keys = .allocate(capacity: Limits.movedKeys)
    keys.initialize(repeating: Key(), count: Limits.movedKeys)
    state = .allocate(capacity: 1)
    state.initialize(to: State())
  }

  deinit {
    keys.deallocate()
    state.deallocate()
  }

  /// Makes all keys neutral.
  func reset() { state.pointee = State() }

  /// Whether a source moves single keys.
  @_noLocks
  func areMoved(by source: UInt8) -> Bool { state.pointee.sources >> UInt32(source) & 1 != 0 }

  /// The expression of the key with an ID.
  @_noLocks
  func finger(_ id: UInt32) -> NoteExpression {
    let place = place(of: id)
    return place < state.pointee.count ? keys[place].finger : NoteExpression()
  }

  /// Moves a controller of a key, clamped to its range.
  @_noLocks
  func move(_ event: Event) {
    state.pointee.sources |= 1 << UInt32(event.source)
    switch event.kind {
    case .strokePitch:
      (state.pointee.struck, state.pointee.pitch) = (event.noteID, max(-127, min(event.value, 128)))
      return
    default: break
    }
    var place = place(of: event.noteID)
    if place == state.pointee.count {
      if place == Limits.movedKeys { remove(0) }
      place = state.pointee.count
      (keys[place].id, keys[place].finger) = (event.noteID, NoteExpression())
      state.pointee.count &+= 1
    }
    keys[place].finger.move(event.kind, to: event.value)
    if keys[place].finger.isResting { remove(place) }
  }

  /// Gives a new note the pitch of its stroke, if there is one.
  @_noLocks
  func strike(_ note: inout Note) {
    if state.pointee.struck != note.id { return }
    (note.hasStrokePitch, note.strokePitch) = (true, state.pointee.pitch)
  }

  /// Clears the pitch of the next stroke after the key was struck.
  @_noLocks
  func forgetStroke(_ event: Event) {
    if state.pointee.struck == event.noteID { state.pointee.struck = Note.noID }
  }

  /// Makes a key neutral.
  @_noLocks
  func forget(_ id: UInt32) {
    let place = place(of: id)
    if place < state.pointee.count { remove(place) }
  }

  /// Makes all keys of a channel, or of all channels of a source, neutral.
  @_noLocks
  func forget(_ source: UInt8, channel: UInt8? = nil, isGone: Bool = false) {
    if isGone { state.pointee.sources &= ~(1 << UInt32(source)) }
    var place = 0
    while place < state.pointee.count {
      let (id, target) = (keys[place].id, channel ?? UInt8(truncatingIfNeeded: keys[place].id >> 8))
      if id >> 8 == UInt32(source) << 8 | UInt32(target) { remove(place) } else { place &+= 1 }
    }
  }

  @_noLocks
  private func place(of id: UInt32) -> Int {
    var place = 0
    while place < state.pointee.count, keys[place].id != id { place &+= 1 }
    return place
  }

  @_noLocks
  private func remove(_ place: Int) {
    state.pointee.count &-= 1
    var place = place
    while place < state.pointee.count {
      keys[place] = keys[place &+ 1]
      place &+= 1
    }
  }
}

extension NoteExpression {
  /// Moves the controller that an event about a key addresses.
  @_noLocks
  mutating func move(_ kind: Event.Kind, to value: Float) {
    switch kind {
    case .keyBend: bend = max(-1, min(value, 1))
    case .keyPitch: shift = max(-127, min(value, 128))
    case .keyWheel: wheel = max(0, min(value, 1))
    case .keyBreath: breath = max(0, min(value, 1))
    case .keyTimbre: timbre = max(0, min(value, 1))
    case .keyVolume: volume = max(0, min(value, 1))
    case .keyExpression: expression = max(0, min(value, 1))
    default: break
    }
  }

  /// True when the expression of a key is neutral.
  var isResting: Bool {
    @_noLocks get {
      bend == 0 && shift == 0 && wheel == 0 && breath == 0 && timbre == 0 && volume == 1 && expression == 1
    }
  }
}
