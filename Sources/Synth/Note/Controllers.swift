/// The pedals of all sources as a part hears them. Which sources, one bit each.
struct PartPedals {
  /// Channels that the part answers to, one bit each.
  var channels: UInt32 = 0
  /// Sources whose sustain pedal is down on one of them.
  var sustaining: UInt32 = 0
  /// Sources whose expression pedal is not at its end.
  var expressing: UInt32 = 0

  /// At rest.
  @_noLocks init() {}
}

/// The controllers of all sources: on each MIDI channel their own, and one set on each part for the tablets, which
/// act on whatever the part plays. Bend, wheel and pressure are those of the keyboard that is played; a pedal acts on
/// what other devices play as well, since it may be a device of its own.
struct Controllers: ~Copyable {
  private let channels: UnsafeMutablePointer<ControllerState>
  private let parts: UnsafeMutablePointer<ControllerState>
  /// The source that moved a part's controllers last: its leaving puts them to rest.
  private let owners: UnsafeMutablePointer<UInt8>
  private let pedals: UnsafeMutablePointer<PartPedals>
  /// What the expression pedals of each source leave of the loudness of each part, 0…1.
  private let expression: UnsafeMutablePointer<Float>

  init() {
    channels = .allocate(capacity: Limits.sources * Limits.channels)
    parts = .allocate(capacity: Limits.parts)
    owners = .allocate(capacity: Limits.parts)
    pedals = .allocate(capacity: Limits.parts)
    expression = .allocate(capacity: Limits.parts * Limits.sources)
    reset()
  }

  /// All at rest.
  func reset() {
    channels.initialize(repeating: ControllerState(), count: Limits.sources * Limits.channels)
    parts.initialize(repeating: ControllerState(), count: Limits.parts)
    owners.initialize(repeating: 0, count: Limits.parts)
    pedals.initialize(repeating: PartPedals(), count: Limits.parts)
    expression.initialize(repeating: 1, count: Limits.parts * Limits.sources)
  }

  deinit {
    channels.deallocate()
    parts.deallocate()
    owners.deallocate()
    pedals.deallocate()
    expression.deallocate()
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

  /// Whether a sustain pedal holds the note: its own, its part's, or that of another device that the part hears. Of the
  /// same device only its own channel's counts.
  @_noLocks
  func sustains(_ note: Note) -> Bool {
    let part = Int(note.part)
    return parts[part].sustain || own(note).sustain || pedals[part].sustaining & ~bit(note.source) != 0
  }

  /// What its own controllers and its part's do to a note's voice together.
  @_noLocks
  func control(_ note: Note) -> VoiceControl {
    let (mine, ours) = (own(note), parts[Int(note.part)])
    // The square makes an expression pedal's way even to the ear.
    var expression = mine.expression * ours.expression * note.gain
    var others = pedals[Int(note.part)].expressing & ~bit(note.source)
    while others != 0 {
      expression *= self.expression[Int(note.part) * Limits.sources + others.trailingZeroBitCount]
      others &= others &- 1
    }
    var control = VoiceControl(pitch: note.pitch, gain: expression * expression)
    let pressure = max(mine.pressure, ours.pressure)
    let wheel = max(mine.wheel, ours.wheel)
    control.move(.wheel, to: wheel)
    control.move(.bend, to: max(-1, min(mine.bend + ours.bend, 1)))
    control.move(.pressure, to: pressure)
    control.move(.keyPressure, to: note.pressure)
    control.move(.timbre, to: max(mine.timbre, ours.timbre))
    control.move(.expression, to: mine.expression * ours.expression)
    control.move(.breath, to: max(mine.breath, ours.breath))
    control.move(.pedal, to: max(mine.pedal, ours.pedal))
    control.move(.touch, to: max(wheel, pressure))
    return control
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
      gatherPedals(part: part, source: Int(source))
      part &+= 1
    }
  }

  /// A pedal of a source has moved.
  @_noLocks
  func movedPedal(of source: UInt8) {
    var part = 0
    while part < Limits.parts {
      gatherPedals(part: part, source: Int(source))
      part &+= 1
    }
  }

  /// A part answers to these channels, one bit each. True when it answered to others before.
  @_noLocks
  func answer(_ part: Int, to channels: UInt32) -> Bool {
    if pedals[part].channels == channels { return false }
    pedals[part].channels = channels
    var source = 0
    while source < Limits.sources {
      gatherPedals(part: part, source: source)
      source &+= 1
    }
    return true
  }

  /// What a part hears of a source's pedals, on all channels that it answers to.
  @_noLocks
  private func gatherPedals(part: Int, source: Int) {
    var (sustains, product) = (false, Float(1))
    var left = pedals[part].channels
    while left != 0 {
      let state = channels + (source * Limits.channels + left.trailingZeroBitCount)
      sustains = sustains || state.pointee.sustain
      product *= state.pointee.expression
      left &= left &- 1
    }
    let bit = bit(UInt8(source))
    pedals[part].sustaining = sustains ? pedals[part].sustaining | bit : pedals[part].sustaining & ~bit
    pedals[part].expressing = product < 1 ? pedals[part].expressing | bit : pedals[part].expressing & ~bit
    expression[part * Limits.sources + source] = product
  }

  @_noLocks
  private func bit(_ source: UInt8) -> UInt32 { 1 << UInt32(source) }

  @_noLocks
  private func own(_ note: Note) -> ControllerState {
    guard Int(note.target) < Limits.channels else { return ControllerState() }
    return channels[Int(note.source) * Limits.channels + Int(note.target)]
  }
}
