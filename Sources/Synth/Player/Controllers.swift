import Scenes

/// The controllers of all sources: a set for each MIDI channel, and one for each part from the tablets, which acts on
/// everything that the part plays. Bend, wheel and pressure act on the notes of their own keyboard; pedals also act on
/// notes of other devices, since a pedal may be a separate device.
struct Controllers: ~Copyable {
  let channels: UnsafeMutablePointer<ControllerState>
  let parts: UnsafeMutablePointer<ControllerState>
  /// The source that moved a part's controllers last. They are reset when it disconnects.
  private let owners: UnsafeMutablePointer<UInt8>
  let pedals: UnsafeMutablePointer<PartPedals>
  /// The gain of each source's expression pedals and volumes for each part, 0…1.
  let expression: UnsafeMutablePointer<Float>
  /// The balance of each source for each part.
  let balances: UnsafeMutablePointer<Float>
  /// Settings of each source for all of its channels.
  let masters: UnsafeMutablePointer<SourceState>
  private let tunings = SourceTunings()
  /// MIDI 2.0 controllers of single keys.
  let keys = MovedKeys()
  let zones: MPEZoneTable
  let drums: DrumKit
  /// The parts that a channel of a source is routed to, one bit each; below 0 the parts that answer to the channel.
  let routes: UnsafeMutablePointer<Int16>
  /// The channels of each source that each part receives, one bit each.
  let receivedChannels: UnsafeMutablePointer<UInt32>

  /// All controllers neutral, with these zones and drums.
  init(zones: MPEZoneTable, drums: DrumKit) {
    (self.zones, self.drums) = (zones, drums)
    channels = .allocate(capacity: Limits.sources * Limits.channels)
    parts = .allocate(capacity: Limits.parts)
    owners = .allocate(capacity: Limits.parts)
    pedals = .allocate(capacity: Limits.parts)
    expression = .allocate(capacity: Limits.parts * Limits.sources)
    balances = .allocate(capacity: Limits.parts * Limits.sources)
    masters = .allocate(capacity: Limits.sources)
    routes = .allocate(capacity: Limits.sources * Limits.channels)
    receivedChannels = .allocate(capacity: Limits.parts * Limits.sources)
    reset()
  }

  /// Resets all controllers.
  func reset() {
    channels.initialize(repeating: ControllerState(), count: Limits.sources * Limits.channels)
    parts.initialize(repeating: ControllerState(), count: Limits.parts)
    owners.initialize(repeating: 0, count: Limits.parts)
    pedals.initialize(repeating: PartPedals(), count: Limits.parts)
    expression.initialize(repeating: 1, count: Limits.parts * Limits.sources)
    balances.initialize(repeating: 0, count: Limits.parts * Limits.sources)
    masters.initialize(repeating: SourceState(), count: Limits.sources)
    tunings.reset()
    keys.reset()
    routes.initialize(repeating: -1, count: Limits.sources * Limits.channels)
    receivedChannels.initialize(repeating: 0, count: Limits.parts * Limits.sources)
  }

  deinit {
    routes.deallocate()
    receivedChannels.deallocate()
    channels.deallocate()
    parts.deallocate()
    owners.deallocate()
    pedals.deallocate()
    expression.deallocate()
    balances.deallocate()
    masters.deallocate()
  }

  /// The controllers that an event moves. Those of a part belong to its source from now on. Its source and target are in
  /// range.
  @_noLocks
  func claim(_ event: Event) -> UnsafeMutablePointer<ControllerState> {
    if Int(event.target) < Limits.channels {
      return channels + Int(event.source) * Limits.channels + Int(event.target)
    }
    let part = Int(event.target) - Limits.channels
    owners[part] = event.source
    return parts + part
  }

  /// Duration in seconds of a note's glide, 0 for no glide. A time that the player has set applies if the player has
  /// also switched glides on or sent a key to glide from (`isAsked`), which needs no switch; otherwise the sound's time
  /// applies, `seconds`.
  @_noLocks
  func glideSeconds(_ note: Note, sound seconds: Float, isAsked: Bool) -> Float {
    let channel = channelState(note)
    let isOff = channel.glides == false || parts[Int(note.part)].glides == false
    if isOff && !isAsked { return 0 }
    return (isAsked || channel.glides == true) && channel.glideTime >= 0 ? channel.glideTime : seconds
  }

  /// The key from which a note glides even while glides are off; `ControllerState.noKey` for none.
  @_noLocks
  func glideFrom(_ note: Note) -> UInt8 { min(channelState(note).glideFrom, parts[Int(note.part)].glideFrom) }

  /// Clears the key to glide from, after the note that used it.
  @_noLocks
  func forgetGlide(_ event: Event) {
    let target = Int(zoneManager(event))
    let state =
      target < Limits.channels
      ? channels + (Int(event.source) * Limits.channels + target) : parts + (target - Limits.channels)
    state.pointee.glideFrom = ControllerState.noKey
  }

  /// The combined effect of a note's own controllers and its part's on its voice.
  @_noLocks
  func modulation(of note: Note) -> PlayerModulation {
    let (channel, part) = (channelState(note), partState(Int(note.part)))
    let received = pedals[Int(note.part)].received
    let receivesPressure = received & ReceivedControllers.pressureBit != 0
    // Squared, so that the travel of an expression pedal sounds even.
    let master = masters[Int(note.source)]
    var expression = channel.expression * channel.volume * master.volume * part.expression * note.gain
    expression *= note.finger.volume * note.finger.expression
    var others = pedals[Int(note.part)].attenuatingSources & ~bit(note.source)
    while others != 0 {
      expression *= self.expression[Int(note.part) * Limits.sources + others.trailingZeroBitCount]
      others &= others &- 1
    }
    // A wheel with a range of its own bends by that range; other wheels, and those of tablets, by the patch's.
    let isSet = channel.bendRange >= 0
    let tuning = channel.tuning + master.tuning + tunings.shift(note)
    var finger = note.finger
    finger.mute(allBut: received)
    let pitch =
      note.pitch + tuning + (isSet ? channel.bend * channel.bendRange : 0) + finger.pitch + finger.pitchOffset
    var modulation = PlayerModulation(
      pitch: pitch, gain: expression * expression * note.loudness, pan: finger.pan)
    let keyPressure = receivesPressure ? max(note.pressure, finger.pressure) : 0
    modulation.combine(channel: channel, finger: finger, part: part, keyPressure: keyPressure)
    return modulation
  }

  /// The pressure on the key of a note, 0…1: that of the channel, the finger or the key, whichever is the greatest.
  @_noLocks
  func pressure(_ note: Note) -> Float {
    let played = modulation(of: note).played
    let first = ModulationSource.firstPlayed
    return max(
      played[ModulationSource.pressure.index &- first], played[ModulationSource.keyPressure.index &- first])
  }

  /// The sum of all balances of a part, -1…1.
  @_noLocks
  func balance(_ part: Int) -> Float {
    var (balance, source) = (Float(0), 0)
    while source < Limits.sources {
      balance += balances[part * Limits.sources + source]
      source &+= 1
    }
    return max(-1, min(balance, 1))
  }

  /// Resets all controllers of a source. Its settings are reset only if it `hasDisconnected`, and the types of its
  /// channels, MPE zones and drums, only if `forgetsChannels`.
  @_noLocks
  func reset(source: UInt8, hasDisconnected: Bool, forgetsChannels: Bool = true) {
    for channel in 0..<Limits.channels {
      let state = channels + (Int(source) * Limits.channels + channel)
      if hasDisconnected { state.pointee = ControllerState() } else { state.pointee.reset() }
    }
    keys.forget(source, hasDisconnected: hasDisconnected)
    if hasDisconnected {
      if forgetsChannels {
        zones[source].pointee.forget()
        drums.set(source, false)
      }
      settleZones(of: source)
      masters[Int(source)] = SourceState()
      tunings.reset(Int(source))
    }
    for part in 0..<Limits.parts {
      if owners[part] == source { parts[part] = ControllerState() }
      if hasDisconnected { gatherChannels(part: part, source: Int(source)) }
      gatherPedals(part: part, source: Int(source))
    }
  }

  /// Sets the volume of all channels of a source, and whether its programs are General MIDI's.
  @_noLocks
  func setUp(_ event: Event) {
    let volume = max(0, min(event.value, 1))
    for channel in 0..<Limits.channels {
      channels[Int(event.source) * Limits.channels + channel].volume = volume
    }
    drums.set(event.source, event.note == 1)
    gatherChannels(of: Int(event.source))
  }

  /// Sets the master volume, master tuning or master balance of a source.
  @_noLocks
  func setMaster(_ event: Event) {
    let master = masters + Int(event.source)
    switch event.kind {
    case .masterVolume: master.pointee.volume = max(0, min(event.value, 1))
    case .masterBalance: master.pointee.balance = max(-1, min(event.value, 1))
    default: master.pointee.tuning = max(-127, min(event.value, 127))
    }
    movedPedal(of: event.source)
  }

  /// Tunes a key, or a pitch class in all octaves.
  @_noLocks
  func tune(_ event: Event) { tunings.tune(event) }

  /// The controllers of a note's channel that its part receives.
  @_noLocks
  func channelState(_ note: Note) -> ControllerState {
    guard Int(note.zoneManager) < Limits.channels else { return ControllerState() }
    var state = channels[Int(note.source) * Limits.channels + Int(note.zoneManager)]
    state.mute(allBut: pedals[Int(note.part)].received)
    return state
  }

  /// The controllers of a part that it receives.
  @_noLocks
  func partState(_ part: Int) -> ControllerState {
    var state = parts[part]
    state.mute(allBut: pedals[part].received)
    return state
  }
}

/// The pedals of all sources that a part receives, as sets of sources, one bit each.
struct PartPedals {
  /// Channels that the part answers to, one bit each.
  var channels: UInt32 = 0
  /// Controllers that the part receives, in the bits of `ReceivedControllers`.
  var received: UInt8 = 0
  /// Sources with a pedal down on one of these channels: sustain, sostenuto, soft, and the legato switch.
  var sustainSources: UInt32 = 0
  var sostenutoSources: UInt32 = 0
  var softSources: UInt32 = 0
  var legatoSources: UInt32 = 0
  /// Sources whose expression pedals and volumes are not at their maximum.
  var attenuatingSources: UInt32 = 0

  /// No pedal down.
  @_noLocks init() {}

  /// The channel, as a bit, if the part answers to exactly one; 0 otherwise. Such parts play the drums of General
  /// MIDI.
  var onlyChannel: UInt32 { @_noLocks get { channels & (channels &- 1) == 0 ? channels : 0 } }
}

// Per-note bend, pitch and controllers of MIDI 2.0.
extension Controllers {
  /// The expression of a note's key, with the bend range of its channel.
  @_noLocks
  func keyFinger(_ note: Note) -> NoteExpression {
    var finger = keys.finger(note.keyEventID)
    if note.hasStrokePitch { finger.pitchOffset = note.strokePitch }
    finger.pitch = finger.bend * channel(note.source, note.target).pointee.keyBendRange
    return finger
  }
}
