/// The pedals of all sources as a part hears them. Which sources, one bit each.
struct PartPedals {
  /// Channels that the part answers to, one bit each.
  var channels: UInt32 = 0
  /// Which controllers it hears, in the bits of `HeardControllers`.
  var heard: UInt8 = 0
  /// Sources whose sustain pedal is down on one of them; the sostenuto, the soft pedal, the legato switch.
  var sustaining: UInt32 = 0
  var catching: UInt32 = 0
  var softening: UInt32 = 0
  var slurring: UInt32 = 0
  /// Sources whose expression pedals and volumes are not at their end.
  var expressing: UInt32 = 0

  /// At rest.
  @_noLocks init() {}

  /// The channel of General MIDI's drums, in the bits of `channels`.
  static var drums: UInt32 { @_noLocks get { 1 << UInt32(Limits.drumChannel) } }
  /// True of a part that is there for them: it answers to their channel alone.
  var isKit: Bool { @_noLocks get { channels == Self.drums } }
}

/// The controllers of all sources: on each MIDI channel their own, and one set on each part for the tablets, which
/// act on whatever the part plays. Bend, wheel and pressure are those of the keyboard that is played; a pedal acts on
/// what other devices play as well, since it may be a device of its own.
struct Controllers: ~Copyable {
  let channels: UnsafeMutablePointer<ControllerState>
  private let parts: UnsafeMutablePointer<ControllerState>
  /// The source that moved a part's controllers last: its leaving puts them to rest.
  private let owners: UnsafeMutablePointer<UInt8>
  private let pedals: UnsafeMutablePointer<PartPedals>
  /// What the expression pedals and volumes of each source leave of the loudness of each part, 0…1.
  private let expression: UnsafeMutablePointer<Float>
  /// Where the balances of each source move each part.
  private let balances: UnsafeMutablePointer<Float>
  /// What each source has set for all that it plays.
  private let masters: UnsafeMutablePointer<SourceState>
  private let tunings = SourceTunings()
  /// What MIDI 2.0 has moved of single keys.
  let keys = MovedKeys()
  let zones: MPEZoneTable
  let drums: DrumKit
  /// The parts that hear each channel of each source, a bit each; below 0 those that answer to the channel.
  private let routes: UnsafeMutablePointer<Int16>
  /// The channels of each source that each part hears, one bit each.
  private let heardChannels: UnsafeMutablePointer<UInt32>

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

  /// Whether a sustain pedal holds the note: its own, its part's, or that of another device that the part hears. Of the
  /// same device only its own channel's counts.
  @_noLocks
  func sustains(_ note: Note) -> Bool {
    let part = Int(note.part)
    return ours(part).sustain || own(note).sustain || pedals[part].sustaining & ~bit(note.source) != 0
  }

  /// Whether a sostenuto pedal that has caught the note may hold it still: one of those that `sustains` means.
  @_noLocks
  func catches(_ note: Note) -> Bool {
    let part = Int(note.part)
    return ours(part).sostenuto || own(note).sostenuto || pedals[part].catching & ~bit(note.source) != 0
  }

  /// Whether the pedal that an event moves acts on a note.
  @_noLocks
  func reaches(_ event: Event, _ note: Note) -> Bool {
    if pedals[Int(note.part)].heard & HeardControllers.pedalBit == 0 { return false }
    if Int(event.target) >= Limits.channels { return Int(event.target) &- Limits.channels == Int(note.part) }
    if event.source == note.source { return event.target == note.home }
    return hears(Int(note.part), event)
  }

  /// How far down the soft pedals are that act on a note, 0…1.
  @_noLocks
  func softness(_ note: Note) -> Float {
    let part = Int(note.part)
    var soft = max(own(note).soft, ours(part).soft)
    var others = pedals[part].softening & ~bit(note.source)
    while others != 0 {
      var left = heardChannels[part * Limits.sources + others.trailingZeroBitCount]
      while left != 0 {
        let state = channels + (others.trailingZeroBitCount * Limits.channels + left.trailingZeroBitCount)
        soft = max(soft, state.pointee.soft)
        left &= left &- 1
      }
      others &= others &- 1
    }
    return soft
  }

  /// Whether a legato switch that the part hears is down.
  @_noLocks
  func slurs(_ part: Int) -> Bool { ours(part).legato || pedals[part].slurring != 0 }

  /// Whether glides are on for a note.
  @_noLocks
  func glides(_ note: Note) -> Bool { parts[Int(note.part)].glides && own(note).glides }

  /// The key that a note glides from though no glide is on; `ControllerState.noKey` for none.
  @_noLocks
  func glideFrom(_ note: Note) -> UInt8 { min(own(note).glideFrom, parts[Int(note.part)].glideFrom) }

  /// The note that was to glide from a key has been played.
  @_noLocks
  func forgetGlide(_ event: Event) {
    let target = Int(home(event))
    let state =
      target < Limits.channels
      ? channels + (Int(event.source) * Limits.channels + target) : parts + (target - Limits.channels)
    state.pointee.glideFrom = ControllerState.noKey
  }

  /// What its own controllers and its part's do to a note's voice together.
  @_noLocks
  func control(_ note: Note) -> VoiceControl {
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
    var control = VoiceControl(pitch: pitch, gain: expression * expression * note.loudness)
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

  /// Whether a part plays General MIDI's drums for an event: on their channel, where that is the part's own or was given
  /// to it.
  @_noLocks
  func playsDrums(_ part: Int, _ event: Event) -> Bool {
    if Int(home(event)) != Limits.drumChannel || !drums.has(event.source) { return false }
    return pedals[part].isKit
      || routes[Int(event.source) * Limits.channels + Limits.drumChannel] >= 0
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

  /// A pedal of a source has moved.
  @_noLocks
  func movedPedal(of source: UInt8) {
    var part = 0
    while part < Limits.parts {
      gatherPedals(part: part, source: Int(source))
      part &+= 1
    }
  }

  /// A part answers to these channels, one bit each, and hears these controllers. True when it was others before.
  @_noLocks
  func answer(_ part: Int, to channels: UInt32, hearing heard: UInt8) -> Bool {
    if pedals[part].channels == channels, pedals[part].heard == heard { return false }
    let hadKit = hasKit
    (pedals[part].channels, pedals[part].heard) = (channels, heard)
    var source = 0
    while source < Limits.sources {
      gatherChannels(part: part, source: source)
      gatherPedals(part: part, source: source)
      source &+= 1
    }
    if hasKit != hadKit { moveDrums() }
    return true
  }

  /// Whether a part is there for drums alone.
  private var hasKit: Bool {
    @_noLocks get {
      var part = 0
      while part < Limits.parts {
        if pedals[part].isKit { return true }
        part &+= 1
      }
      return false
    }
  }

  /// Drums have a part of their own, or no more.
  @_noLocks
  private func moveDrums() {
    var source = 0
    while source < Limits.sources {
      if drums.has(UInt8(source)) { gatherChannels(of: source) }
      source &+= 1
    }
  }

  /// Whether a part hears the channel of an event, or the manager's of its zone.
  @_noLocks
  func hears(_ part: Int, _ event: Event) -> Bool {
    heardChannels[part * Limits.sources + Int(event.source)] >> UInt32(home(event)) & 1 != 0
  }

  /// Other parts hear a channel of a source. The event is in range, its target a channel.
  @_noLocks
  func route(_ event: Event) {
    let route = event.value < 0 ? Int16(-1) : Int16(min(event.value, 255))
    routes[Int(event.source) * Limits.channels + Int(event.target)] = route
    gatherChannels(of: Int(event.source))
  }

  /// Which channels of a source the parts hear.
  @_noLocks
  private func gatherChannels(of source: Int) {
    var part = 0
    while part < Limits.parts {
      gatherChannels(part: part, source: source)
      gatherPedals(part: part, source: source)
      part &+= 1
    }
  }

  /// Which channels of a source a part hears: those that it answers to, but not drums that have a part of their own.
  @_noLocks
  private func gatherChannels(part: Int, source: Int) {
    var all = pedals[part].channels
    if drums.has(UInt8(source)), !pedals[part].isKit, hasKit { all &= ~PartPedals.drums }
    var channel = 0
    while channel < Limits.channels {
      let route = routes[source * Limits.channels + channel]
      if route >= 0 {
        let bit = UInt32(1) << UInt32(channel)
        all = route >> Int16(part) & 1 != 0 ? all | bit : all & ~bit
      }
      channel &+= 1
    }
    heardChannels[part * Limits.sources + source] = all
  }

  /// What a part hears of a source's pedals, on all channels that it hears of it.
  @_noLocks
  private func gatherPedals(part: Int, source: Int) {
    let bit = bit(UInt8(source))
    let others = ~bit
    var (product, balance) = (masters[source].volume, Float(0))
    var gathered = pedals[part]
    gathered.sustaining &= others
    gathered.catching &= others
    gathered.softening &= others
    gathered.slurring &= others
    var left = heardChannels[part * Limits.sources + source]
    while left != 0 {
      var state = channels[source * Limits.channels + left.trailingZeroBitCount]
      state.mute(allBut: pedals[part].heard)
      if state.sustain { gathered.sustaining |= bit }
      if state.sostenuto { gathered.catching |= bit }
      if state.soft > 0 { gathered.softening |= bit }
      if state.legato { gathered.slurring |= bit }
      product *= state.expression * state.volume
      balance += state.balance
      left &= left &- 1
    }
    gathered.expressing = product < 1 ? gathered.expressing | bit : gathered.expressing & others
    pedals[part] = gathered
    expression[part * Limits.sources + source] = product
    balances[part * Limits.sources + source] = balance
  }

  @_noLocks
  private func bit(_ source: UInt8) -> UInt32 { 1 << UInt32(source) }

  /// The controllers of a note's channel, as its part hears them.
  @_noLocks
  private func own(_ note: Note) -> ControllerState {
    guard Int(note.home) < Limits.channels else { return ControllerState() }
    var state = channels[Int(note.source) * Limits.channels + Int(note.home)]
    state.mute(allBut: pedals[Int(note.part)].heard)
    return state
  }

  /// Those of a part, as it hears them.
  @_noLocks
  private func ours(_ part: Int) -> ControllerState {
    var state = parts[part]
    state.mute(allBut: pedals[part].heard)
    return state
  }
}
