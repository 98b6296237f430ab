import Scenes

/// Per-note bend, pitch and controllers of MIDI 2.0. They also apply to later notes of the key, until they are moved
/// back. Only keys that are not neutral are stored.
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
    let index = index(of: id)
    return index < state.pointee.count ? keys[index].finger : NoteExpression()
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
    var index = index(of: event.noteID)
    if index == state.pointee.count {
      if index == Limits.movedKeys { remove(0) }
      index = state.pointee.count
      (keys[index].id, keys[index].finger) = (event.noteID, NoteExpression())
      state.pointee.count &+= 1
    }
    keys[index].finger.move(event.kind, to: event.value)
    if keys[index].finger.isResting { remove(index) }
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
    let index = index(of: id)
    if index < state.pointee.count { remove(index) }
  }

  /// Makes all keys of a channel, or of all channels of a source, neutral.
  @_noLocks
  func forget(_ source: UInt8, channel: UInt8? = nil, hasDisconnected: Bool = false) {
    if hasDisconnected { state.pointee.sources &= ~(1 << UInt32(source)) }
    var index = 0
    while index < state.pointee.count {
      let (id, target) = (keys[index].id, channel ?? UInt8(truncatingIfNeeded: keys[index].id >> 8))
      if id >> 8 == UInt32(source) << 8 | UInt32(target) { remove(index) } else { index &+= 1 }
    }
  }

  @_noLocks
  private func index(of id: UInt32) -> Int {
    var index = 0
    while index < state.pointee.count, keys[index].id != id { index &+= 1 }
    return index
  }

  @_noLocks
  private func remove(_ index: Int) {
    state.pointee.count &-= 1
    var index = index
    while index < state.pointee.count {
      keys[index] = keys[index &+ 1]
      index &+= 1
    }
  }
}

extension NoteExpression {
  /// Moves the controller that an event about a key addresses.
  @_noLocks
  mutating func move(_ kind: Event.Kind, to value: Float) {
    switch kind {
    case .keyBend: bend = max(-1, min(value, 1))
    case .keyPitch: pitchOffset = max(-127, min(value, 128))
    case .keyWheel: wheel = max(0, min(value, 1))
    case .keyBreath: breath = max(0, min(value, 1))
    case .keyTimbre: timbre = max(0, min(value, 1))
    case .keyVolume: volume = max(0, min(value, 1))
    case .keyExpression: expression = max(0, min(value, 1))
    case .keyPan: pan = max(-1, min(value, 1))
    default: break
    }
  }

  /// True when the expression of a key is neutral.
  var isResting: Bool {
    @_noLocks get {
      bend == 0 && pitchOffset == 0 && wheel == 0 && breath == 0 && timbre == 0 && volume == 1
        && expression == 1 && pan == 0
    }
  }
}
