/// The controllers of all sources: on each MIDI channel their own, and one set on each part for the tablets, which
/// act on whatever the part plays. Bend, wheel and pressure are those of the keyboard that is played; a pedal acts on
/// what other devices play as well, since it may be a device of its own.
struct Controllers: ~Copyable {
  let channels: UnsafeMutablePointer<ControllerState>
  let parts: UnsafeMutablePointer<ControllerState>
  /// The source that moved a part's controllers last: its leaving puts them to rest.
  private let owners: UnsafeMutablePointer<UInt8>
  let pedals: UnsafeMutablePointer<PartPedals>
  /// What the expression pedals and volumes of each source leave of the loudness of each part, 0…1.
  let expression: UnsafeMutablePointer<Float>
  /// Where the balances of each source move each part.
  let balances: UnsafeMutablePointer<Float>
  /// What each source has set for all that it plays.
  let masters: UnsafeMutablePointer<SourceState>
  private let tunings = SourceTunings()
  /// What MIDI 2.0 has moved of single keys.
  let keys = MovedKeys()
  let zones: MPEZoneTable
  let drums: DrumKit
  /// The parts that hear each channel of each source, a bit each; below 0 those that answer to the channel.
  let routes: UnsafeMutablePointer<Int16>
  /// The channels of each source that each part hears, one bit each.
  let heardChannels: UnsafeMutablePointer<UInt32>

  /// All at rest, with these zones and drums.
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
    heardChannels = .allocate(capacity: Limits.parts * Limits.sources)
    reset()
  }

  /// All at rest.
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
    heardChannels.initialize(repeating: 0, count: Limits.parts * Limits.sources)
  }

  deinit {
    routes.deallocate()
    heardChannels.deallocate()
    channels.deallocate()
    parts.deallocate()
    owners.deallocate()
    pedals.deallocate()
    expression.deallocate()
    balances.deallocate()
    masters.deallocate()
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

  /// Seconds that a note glides, 0 for no glide. Its player's time counts where its player has switched glides on, and else
  /// the one of the sound, `seconds`. A key to glide from, by `glideFrom`, needs no switch.
  @_noLocks
  func glideSeconds(_ note: Note, sound seconds: Float, isAsked: Bool) -> Float {
    let mine = own(note)
    let isOff = mine.glides == false || parts[Int(note.part)].glides == false
    if isOff && !isAsked { return 0 }
    return (isAsked || mine.glides == true) && mine.glideTime >= 0 ? mine.glideTime : seconds
  }

  /// The key that a note glides from though no glide is on; `ControllerState.noKey` for none.
  @_noLocks
  func glideFrom(_ note: Note) -> UInt8 { min(own(note).glideFrom, parts[Int(note.part)].glideFrom) }

  /// The note that was to glide from a key has been played.
  @_noLocks
  func forgetGlide(_ event: Event) {
    let target = Int(zoneManager(event))
    let state =
      target < Limits.channels
      ? channels + (Int(event.source) * Limits.channels + target) : parts + (target - Limits.channels)
    state.pointee.glideFrom = ControllerState.noKey
  }

  /// What its own controllers and its part's do to a note's voice together.
  @_noLocks
  func control(_ note: Note) -> PlayerModulation {
    let (mine, ours) = (own(note), ours(Int(note.part)))
    let heard = pedals[Int(note.part)].heard
    let hearsPressure = heard & HeardControllers.pressureBit != 0
    // The square makes an expression pedal's way even to the ear.
    let master = masters[Int(note.source)]
    var expression = mine.expression * mine.volume * master.volume * ours.expression * note.gain
    expression *= note.finger.volume * note.finger.expression
    var others = pedals[Int(note.part)].expressing & ~bit(note.source)
    while others != 0 {
      expression *= self.expression[Int(note.part) * Limits.sources + others.trailingZeroBitCount]
      others &= others &- 1
    }
    // A wheel whose range was set bends by that; the others, and those of tablets, as far as the patch has it.
    let isSet = mine.bendRange >= 0
    let tuning = mine.tuning + master.tuning + tunings.shift(note)
    var finger = note.finger
    finger.mute(allBut: heard)
    let pitch = note.pitch + tuning + (isSet ? mine.bend * mine.bendRange : 0) + finger.pitch + finger.shift
    var control = PlayerModulation(pitch: pitch, gain: expression * expression * note.loudness)
    let pressure = max(min(mine.pressure + finger.pressure, 1), ours.pressure)
    let wheel = max(max(mine.wheel, finger.wheel), ours.wheel)
    control.move(.wheel, to: wheel)
    control.move(.bend, to: max(-1, min(mine.bend + finger.bend + ours.bend, 1)))
    control.move(.patchBend, to: isSet ? ours.bend : max(-1, min(mine.bend + ours.bend, 1)))
    control.move(.pressure, to: pressure)
    control.move(.keyPressure, to: hearsPressure ? max(note.pressure, finger.pressure) : 0)
    control.move(.timbre, to: max(max(mine.timbre, finger.timbre), ours.timbre))
    control.move(.expression, to: mine.expression * ours.expression)
    control.move(.breath, to: max(max(mine.breath, finger.breath), ours.breath))
    control.move(.pedal, to: max(mine.pedal, ours.pedal))
    control.move(.touch, to: max(wheel, max(mine.pressure, ours.pressure)))
    return control
  }

  /// Where all balances together move a part, -1…1.
  @_noLocks
  func balance(_ part: Int) -> Float {
    var (balance, source) = (Float(0), 0)
    while source < Limits.sources {
      balance += balances[part * Limits.sources + source]
      source &+= 1
    }
    return max(-1, min(balance, 1))
  }

  /// Puts everything that a source moved to rest; what it has set only where it `isGone`, and what its channels are, MPE
  /// zones and drums, only where it is to forget that.
  @_noLocks
  func rest(source: UInt8, isGone: Bool, forgetsChannels: Bool = true) {
    var channel = 0
    while channel < Limits.channels {
      let state = channels + (Int(source) * Limits.channels + channel)
      if isGone { state.pointee = ControllerState() } else { state.pointee.reset() }
      channel &+= 1
    }
    keys.forget(source, isGone: isGone)
    if isGone {
      if forgetsChannels {
        zones[source].pointee.forget()
        drums.set(source, false)
      }
      settleZones(of: source)
      masters[Int(source)] = SourceState()
      tunings.reset(Int(source))
    }
    var part = 0
    while part < Limits.parts {
      if owners[part] == source { parts[part] = ControllerState() }
      if isGone { gatherChannels(part: part, source: Int(source)) }
      gatherPedals(part: part, source: Int(source))
      part &+= 1
    }
  }

  /// Gives all channels of a source a volume, and says whether its programs are General MIDI's.
  @_noLocks
  func setUp(_ event: Event) {
    let volume = max(0, min(event.value, 1))
    var channel = 0
    while channel < Limits.channels {
      channels[Int(event.source) * Limits.channels + channel].volume = volume
      channel &+= 1
    }
    drums.set(event.source, event.note == 1)
    gatherChannels(of: Int(event.source))
  }

  /// Sets what a source has for all that it plays.
  @_noLocks
  func setMaster(_ event: Event) {
    let master = masters + Int(event.source)
    switch event.kind {
    case .masterVolume: master.pointee.volume = max(0, min(event.value, 1))
    default: master.pointee.tuning = max(-127, min(event.value, 127))
    }
    movedPedal(of: event.source)
  }

  /// Tunes a key, or a tone in all octaves.
  @_noLocks
  func tune(_ event: Event) { tunings.tune(event) }

  /// The controllers of a note's channel, as its part hears them.
  @_noLocks
  func own(_ note: Note) -> ControllerState {
    guard Int(note.zoneManager) < Limits.channels else { return ControllerState() }
    var state = channels[Int(note.source) * Limits.channels + Int(note.zoneManager)]
    state.mute(allBut: pedals[Int(note.part)].heard)
    return state
  }

  /// Those of a part, as it hears them.
  @_noLocks
  func ours(_ part: Int) -> ControllerState {
    var state = parts[part]
    state.mute(allBut: pedals[part].heard)
    return state
  }
}
