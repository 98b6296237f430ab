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

// Pedals also act on the notes of other devices.
extension Controllers {
  /// Whether a sustain pedal holds the note: that of its channel, that of its part, or that of another device that the
  /// part receives. Of the note's own device, only its own channel counts.
  @_noLocks
  func sustains(_ note: Note) -> Bool {
    let part = Int(note.part)
    return partState(part).sustain || channelState(note).sustain
      || pedals[part].sustainSources & ~bit(note.source) != 0
  }

  /// Whether a sostenuto pedal that has caught the note may still hold it, among the pedals that `sustains` considers.
  @_noLocks
  func catches(_ note: Note) -> Bool {
    let part = Int(note.part)
    return partState(part).sostenuto || channelState(note).sostenuto
      || pedals[part].sostenutoSources & ~bit(note.source) != 0
  }

  /// Whether the pedal that an event moves acts on a note.
  @_noLocks
  func reaches(_ event: Event, _ note: Note) -> Bool {
    if pedals[Int(note.part)].received & ReceivedControllers.pedalBit == 0 { return false }
    if Int(event.target) >= Limits.channels { return Int(event.target) &- Limits.channels == Int(note.part) }
    if event.source == note.source { return event.target == note.zoneManager }
    return receives(Int(note.part), event)
  }

  /// Depth of the soft pedals that act on a note, 0…1.
  @_noLocks
  func softness(_ note: Note) -> Float {
    let part = Int(note.part)
    var soft = max(channelState(note).soft, partState(part).soft)
    var others = pedals[part].softSources & ~bit(note.source)
    while others != 0 {
      var left = receivedChannels[part * Limits.sources + others.trailingZeroBitCount]
      while left != 0 {
        let state = channels + (others.trailingZeroBitCount * Limits.channels + left.trailingZeroBitCount)
        soft = max(soft, state.pointee.soft)
        left &= left &- 1
      }
      others &= others &- 1
    }
    return soft
  }

  /// Whether a legato switch that the part receives is down.
  @_noLocks
  func slurs(_ part: Int) -> Bool { partState(part).legato || pedals[part].legatoSources != 0 }

  /// Updates all parts after a pedal of a source has moved.
  @_noLocks
  func movedPedal(of source: UInt8) {
    for part in 0..<Limits.parts {
      gatherPedals(part: part, source: Int(source))
    }
  }

  /// Updates a part's pedals of a source, from all of its channels that the part receives.
  @_noLocks
  func gatherPedals(part: Int, source: Int) {
    let bit = bit(UInt8(source))
    let others = ~bit
    var left = receivedChannels[part * Limits.sources + source]
    var (product, balance) = (masters[source].volume, left == 0 ? 0 : masters[source].balance)
    var gathered = pedals[part]
    gathered.sustainSources &= others
    gathered.sostenutoSources &= others
    gathered.softSources &= others
    gathered.legatoSources &= others
    while left != 0 {
      var state = channels[source * Limits.channels + left.trailingZeroBitCount]
      state.mute(allBut: pedals[part].received)
      if state.sustain { gathered.sustainSources |= bit }
      if state.sostenuto { gathered.sostenutoSources |= bit }
      if state.soft > 0 { gathered.softSources |= bit }
      if state.legato { gathered.legatoSources |= bit }
      product *= state.expression * state.volume
      balance += state.balance
      left &= left &- 1
    }
    gathered.attenuatingSources =
      product < 1 ? gathered.attenuatingSources | bit : gathered.attenuatingSources & others
    pedals[part] = gathered
    expression[part * Limits.sources + source] = product
    balances[part * Limits.sources + source] = balance
  }

  @_noLocks
  func bit(_ source: UInt8) -> UInt32 { 1 << UInt32(source) }
}

// The channels of each source that each part receives, and which of them are drums.
extension Controllers {
  /// Sets the channels, one bit each, and the controllers that a part receives. True when they have changed.
  @_noLocks
  func setReceived(_ part: Int, channels: UInt32, controllers received: UInt8) -> Bool {
    if pedals[part].channels == channels, pedals[part].received == received { return false }
    let before = onlyChannels
    (pedals[part].channels, pedals[part].received) = (channels, received)
    for source in 0..<Limits.sources {
      gatherChannels(part: part, source: source)
      gatherPedals(part: part, source: source)
    }
    if onlyChannels != before { moveDrums() }
    return true
  }

  /// Whether a part plays General MIDI's drums for an event: on a drum channel, if that is the part's only channel or is
  /// routed to it.
  @_noLocks
  func playsDrums(_ part: Int, _ event: Event) -> Bool {
    let channel = Int(zoneManager(event))
    if drums.channels(event.source) >> UInt32(channel) & 1 == 0 { return false }
    return pedals[part].onlyChannel == 1 << UInt32(channel)
      || routes[Int(event.source) * Limits.channels + channel] >= 0
  }

  /// The channels that are the only one of some part, one bit each.
  var onlyChannels: UInt32 {
    @_noLocks get {
      var (all, part) = (UInt32(0), 0)
      while part < Limits.parts {
        all |= pedals[part].onlyChannel
        part &+= 1
      }
      return all
    }
  }

  /// Sets whether a channel of a source plays drums, if its programs are General MIDI's.
  @_noLocks
  func setRhythm(_ event: Event) {
    if Int(event.target) >= Limits.channels { return }
    drums.set(event.source, channel: event.target, event.value >= 0.5)
    gatherChannels(of: Int(event.source))
  }

  /// Updates the channels of General MIDI sources after `onlyChannels` has changed.
  @_noLocks
  func moveDrums() {
    for source in 0..<Limits.sources {
      if drums.has(UInt8(source)) { gatherChannels(of: source) }
    }
  }

  /// Whether a part receives the channel of an event, or the manager channel of its zone.
  @_noLocks
  func receives(_ part: Int, _ event: Event) -> Bool {
    receivedChannels[part * Limits.sources + Int(event.source)] >> UInt32(zoneManager(event)) & 1 != 0
  }

  /// Routes a channel of a source to other parts. The event is in range, and its target is a channel.
  @_noLocks
  func route(_ event: Event) {
    let route = event.value < 0 ? Int16(-1) : Int16(min(event.value, 255))
    routes[Int(event.source) * Limits.channels + Int(event.target)] = route
    gatherChannels(of: Int(event.source))
  }

  /// Updates which channels of a source the parts receive.
  @_noLocks
  func gatherChannels(of source: Int) {
    for part in 0..<Limits.parts {
      gatherChannels(part: part, source: source)
      gatherPedals(part: part, source: source)
    }
  }

  /// Updates which channels of a source a part receives: those that it answers to, except drums that have a part of
  /// their own.
  @_noLocks
  func gatherChannels(part: Int, source: Int) {
    var all = pedals[part].channels
    let drums = drums.channels(UInt8(source))
    if drums != 0 { all &= ~(drums & onlyChannels) | pedals[part].onlyChannel }
    for channel in 0..<Limits.channels {
      let route = routes[source * Limits.channels + channel]
      if route >= 0 {
        let bit = UInt32(1) << UInt32(channel)
        all = route >> Int16(part) & 1 != 0 ? all | bit : all & ~bit
      }
    }
    receivedChannels[part * Limits.sources + source] = all
  }
}

// The channels of MPE zones: their managers and their fingers.
extension Controllers {
  /// The target whose pedals and parts apply to an event: the manager of its MPE zone, or its own target.
  @_noLocks
  func zoneManager(_ event: Event) -> UInt8 {
    Int(event.target) < Limits.channels
      ? zones[event.source].pointee.zoneManager(of: event.target) : event.target
  }

  /// Sets the zone manager and the initial finger expression of a new note.
  @_noLocks
  func assign(_ note: inout Note) {
    if Int(note.target) >= Limits.channels { return }
    note.zoneManager = zones[note.source].pointee.zoneManager(of: note.target)
    if note.isMember {
      note.isFingered = true
      note.finger = finger(note.source, note.target)
    } else if keys.areMoved(by: note.source) {
      note.isFingered = true
      keys.strike(&note)
      note.finger = keyFinger(note)
    }
  }

  /// Updates the finger expression of a note whose key is down.
  @_noLocks
  func assignFinger(_ note: inout Note) {
    if Int(note.target) >= Limits.channels { return }
    if note.isMember {
      note.finger = finger(note.source, note.target)
    } else if keys.areMoved(by: note.source) {
      note.isFingered = true
      note.finger = keyFinger(note)
    }
  }

  /// The finger expression of a member channel.
  @_noLocks
  func finger(_ source: UInt8, _ index: UInt8) -> NoteExpression {
    let zones = zones[source]
    return NoteExpression(
      channel(source, index).pointee,
      range: zones.pointee.range(manager: zones.pointee.zoneManager(of: index)))
  }

  @_noLocks
  func channel(_ source: UInt8, _ index: UInt8) -> UnsafeMutablePointer<ControllerState> {
    channels + (Int(source) * Limits.channels + Int(index))
  }

  /// Resets the members of all zones, and the bend ranges of their managers.
  @_noLocks
  func settleZones() {
    for source in 0..<Limits.sources {
      settleZones(of: UInt8(source))
    }
  }

  /// Resets the members of the zones of a source, and the bend ranges of their managers.
  @_noLocks
  func settleZones(of source: UInt8) {
    let zones = zones[source]
    var left = zones.pointee.channels
    while left != 0 {
      let index = UInt8(left.trailingZeroBitCount)
      if zones.pointee.isMember(index) {
        channel(source, index).pointee = .restingFinger
      } else {
        channel(source, index).pointee.bendRange = MPEZones.managerRange
      }
      left &= left &- 1
    }
  }

  /// Initializes the given channels, one bit each, for the zones that have just been made. The channel that made them
  /// gets the bend range of a manager, or that of the patch if it manages none.
  @_noLocks
  func settle(_ source: UInt8, _ changed: UInt32, before: MPEZones, maker: UInt8) {
    let zones = zones[source]
    var left = changed
    while left != 0 {
      let index = UInt8(left.trailingZeroBitCount)
      let state = channel(source, index)
      keys.forget(source, channel: index)
      if zones.pointee.isMember(index) {
        state.pointee = .restingFinger
      } else if before.isMember(index) {
        state.pointee = ControllerState()
      }
      left &= left &- 1
    }
    if zones.pointee.isMember(maker) { return }
    let isManager = zones.pointee.channels(manager: maker) != 0
    let state = channel(source, maker)
    (state.pointee.bend, state.pointee.pressure) = (0, 0)
    state.pointee.bendRange = isManager ? MPEZones.managerRange : -1
  }
}
