/// Where the wheels and pedals of one player on one channel stand.
struct ControllerState {
  /// -1…1.
  var bend: Float = 0
  /// 0…1.
  var wheel: Float = 0
  /// 0…1.
  var pressure: Float = 0
  /// 0…1.
  var expression: Float = 1
  /// True while the pedal is down.
  var sustain = false

  /// At rest.
  @_noLocks init() {}

  /// Moves the wheel or pedal that an event of this kind means to a value, brought inside its range.
  @_noLocks
  mutating func move(_ kind: Event.Kind, to value: Float) {
    switch kind {
    case .bend: bend = max(-1, min(value, 1))
    case .wheel: wheel = max(0, min(value, 1))
    case .pressure: pressure = max(0, min(value, 1))
    case .expression: expression = max(0, min(value, 1))
    default: break
    }
  }
}

/// What controllers and fingers do to one voice.
struct VoiceControl {
  /// -1…1.
  let bend: Float
  /// 0…1, of the wheel and of pressure, whichever is more.
  let wheel: Float
  /// Semitones from the key.
  let pitch: Float
  /// A factor, 0…1.
  let gain: Float

  @_noLocks init(bend: Float, wheel: Float, pitch: Float, gain: Float) {
    (self.bend, self.wheel, self.pitch, self.gain) = (bend, wheel, pitch, gain)
  }
}

/// The controllers of all sources: on each MIDI channel their own, and one set on each part for the tablets, which
/// act on whatever the part plays.
struct Controllers: ~Copyable {
  private let channels: UnsafeMutablePointer<ControllerState>
  private let parts: UnsafeMutablePointer<ControllerState>
  /// The source that moved a part's controllers last: its leaving puts them to rest.
  private let owners: UnsafeMutablePointer<UInt8>

  init() {
    channels = .allocate(capacity: Limits.sources * Limits.channels)
    parts = .allocate(capacity: Limits.parts)
    owners = .allocate(capacity: Limits.parts)
    reset()
  }

  /// All at rest.
  func reset() {
    channels.initialize(repeating: ControllerState(), count: Limits.sources * Limits.channels)
    parts.initialize(repeating: ControllerState(), count: Limits.parts)
    owners.initialize(repeating: 0, count: Limits.parts)
  }

  deinit {
    channels.deallocate()
    parts.deallocate()
    owners.deallocate()
  }

  /// The controllers that an event means, in place. Its source and target are in range.
  @_noLocks
  func state(_ event: Event) -> UnsafeMutablePointer<ControllerState> {
    if Int(event.target) < Limits.channels {
      return channels + Int(event.source) * Limits.channels + Int(event.target)
    }
    let part = Int(event.target) - Limits.channels
    owners[part] = event.source
    return parts + part
  }

  /// Whether a sustain pedal holds the note: its own, or its part's.
  @_noLocks
  func sustains(_ note: Note) -> Bool { parts[Int(note.part)].sustain || own(note).sustain }

  /// What its own controllers and its part's do to a note's voice together.
  @_noLocks
  func control(_ note: Note) -> VoiceControl {
    let (mine, ours) = (own(note), parts[Int(note.part)])
    // The square makes an expression pedal's way even to the ear.
    let expression = mine.expression * ours.expression * note.gain
    return VoiceControl(
      bend: max(-1, min(mine.bend + ours.bend, 1)),
      wheel: max(max(mine.wheel, mine.pressure), max(ours.wheel, ours.pressure)), pitch: note.pitch,
      gain: expression * expression)
  }

  /// Puts everything that a source moved to rest.
  @_noLocks
  func rest(source: UInt8) {
    var channel = 0
    while channel < Limits.channels {
      channels[Int(source) * Limits.channels + channel] = ControllerState()
      channel &+= 1
    }
    var part = 0
    while part < Limits.parts {
      if owners[part] == source { parts[part] = ControllerState() }
      part &+= 1
    }
  }

  @_noLocks
  private func own(_ note: Note) -> ControllerState {
    guard Int(note.target) < Limits.channels else { return ControllerState() }
    return channels[Int(note.source) * Limits.channels + Int(note.target)]
  }
}
