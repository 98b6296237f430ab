import Scenes

// Conversion of channel messages to events.

extension MIDIDecoder {
  /// The event of a message at `frame`; nil if it has none. `Event.Kind.isForControl` tells whether it is for the
  /// engine or for the control thread. Not called for messages of bound controls.
  @_noLocks
  public func event(_ received: SourceMessage, frame: Int64) -> Event? {
    var event = Event(frame: frame, kind: .panic, source: received.source, target: received.channel)
    switch received.message {
    case .noteOn(let note, let velocity):
      // To the engine a velocity of 0 is a note off.
      let strength = channel(received.source, received.channel).pointee.velocity(velocity).unit
      (event.kind, event.note, event.value) = (.noteOn, note, max(strength, Self.softest))
    case .noteOff(let note, let velocity):
      let strength = channel(received.source, received.channel).pointee.velocity(velocity).unit
      (event.kind, event.note, event.value) = (.noteOff, note, strength)
    case .notePressure(let note, let value):
      (event.kind, event.note, event.value) = (.keyPressure, note, value.unit)
    case .pressure(let value): (event.kind, event.value) = (.pressure, value.unit)
    case .bend(let value): (event.kind, event.value) = (.bend, value.bipolar)
    case .reset:
      forget(received.source)
      event.kind = .sourceGone
    default: return zoned(received, event)
    }
    return event
  }

  /// The event of a message that has no effect, or another one, on a member channel of MPE.
  @_noLocks
  private func zoned(_ received: SourceMessage, _ begun: Event) -> Event? {
    let (source, kept) = (received.source, channel(received.source, received.channel))
    let isMember = zones(of: source).pointee.isMember(received.channel)
    var event = begun
    switch received.message {
    case .program(let number, let bank):
      if isMember { return nil }
      let chosen = UInt16(kept.pointee.bankHigh) << 7 | UInt16(kept.pointee.bankLow)
      (event.kind, event.note, event.value) = (.program, number, Float(bank ?? chosen))
    case .parameter(let number, false, let value):
      if isMember || !turn(maker: number, value.sevenBits, kept, &event) { return nil }
    case .parameter(let number, _, let value):
      guard let change = kept.pointee.parameters.set(number, value) else { return nil }
      if !set(&event, to: change, isMember) { return nil }
    case .parameterStep(let number, let isRegistered, let step):
      guard isRegistered, let change = kept.pointee.parameters.move(number, by: step),
        set(&event, to: change, isMember)
      else { return nil }
    case .noteOnPitch(let note, let semitones):
      if isMember { return nil }
      (event.kind, event.note, event.value) = (.strokePitch, note, semitones - Float(note))
    case .noteBend(let note, let value):
      if isMember { return nil }
      (event.kind, event.note, event.value) = (.keyBend, note, value.bipolar)
    case .noteController(let note, let number, let isRegistered, let value):
      if isMember || !isRegistered || !Self.turn(key: note, number, value, &event) { return nil }
    case .noteManagement(let note, let detaches, let resets):
      if isMember || !detaches && !resets { return nil }
      (event.kind, event.note) = (.keyManagement, note)
      event.value = Float((resets ? 1 : 0) + (detaches ? 2 : 0))
    case .pair(let number, let value):
      if number == 0 {
        if isMember { return nil }
        kept.pointee.bankLow = UInt8(value.fourteenBits & 127)
        return choose(bankHigh: value.sevenBits, kept, &event) ? event : nil
      }
      if !turn(number, value, received.context, isMember, kept, &event) { return nil }
    case .controller(let number, let value):
      if !turn(number, value, received.context, isMember, kept, &event) { return nil }
    default: return nil
    }
    return event
  }

  /// Sets the event to the change of a registered parameter; false if the channel may not change it.
  @_noLocks
  func set(_ event: inout Event, to change: ParameterNumbers.Change, _ isMember: Bool) -> Bool {
    switch change {
    case .bendRange(let semitones):
      (event.kind, event.value) = (.bendRange, semitones)
      if isMember { shareBendRange(event.source, of: event.target) }
    case .keyBendRange(let semitones):
      if isMember { return false }
      (event.kind, event.value) = (.keyBendRange, semitones)
    case .tuning(let semitones):
      if isMember { return false }
      (event.kind, event.value) = (.tuning, semitones)
    case .modulationDepth(let semitones):
      if isMember { return false }
      (event.kind, event.value) = (.modulationDepth, semitones)
    case .zone(let members):
      if !configure(event.source, manager: event.target, members: members) { return false }
      (event.kind, event.note, event.value) = (.mpeZone, members, 0)
    }
    return true
  }

  /// The smallest MIDI 2.0 velocity above 0.
  private static var softest: Float { @_noLocks get { 1 / 65_536 } }
}

// Conversion of controllers to events.

extension MIDIDecoder {
  /// Sets the upper half of the bank of the next program. True if the channel starts or stops playing drums; `event`
  /// then says which. Channel 10 never stops.
  @_noLocks
  func choose(
    bankHigh: UInt8, _ kept: UnsafeMutablePointer<ChannelMemory>, _ event: inout Event
  ) -> Bool {
    let before = kept.pointee.choosesDrums
    kept.pointee.bankHigh = bankHigh
    let now = kept.pointee.choosesDrums
    if now == before || !now && Int(event.target) == Limits.drumChannel { return false }
    (event.kind, event.value) = (.rhythm, now ? 1 : 0)
    return true
  }

  /// Applies a controller; false if it has no effect by itself.
  @_noLocks
  func turn(
    _ number: UInt8, _ value: MIDIValue, _ context: SourceMessage.Context, _ isMember: Bool,
    _ kept: UnsafeMutablePointer<ChannelMemory>, _ event: inout Event
  ) -> Bool {
    if isMember, !Self.isOfMembers(number) { return false }
    event.value = value.unit
    switch number {
    case 0:
      return choose(bankHigh: value.sevenBits, kept, &event)
    case 32:
      kept.pointee.bankLow = value.sevenBits
      return false
    case 6, 38, 96, 97:
      guard case .entry(let entry) = context else { return false }
      if !entry.isRegistered {
        guard case .upper(let value, _) = entry.change, !isMember else { return false }
        return turn(maker: entry.number, value, kept, &event)
      }
      guard let change = kept.pointee.parameters.enter(entry) else { return false }
      return set(&event, to: change, isMember)
    case 1...31: move(number, value, &event)
    case 33...63:
      guard case .lower(let whole, _) = context else { return false }
      move(number - 32, whole, &event)
    case 64: event.kind = .sustain
    case 65: event.kind = .glide
    case 66: event.kind = .sostenuto
    case 67: event.kind = .soft
    case 68: event.kind = .legato
    case 69: event.kind = .sustain2
    case 74 where isMember: event.kind = .timbre
    // The value is a key number, regardless of its resolution.
    case 84: (event.kind, event.note) = (.glideFrom, value.sevenBits)
    case 88:
      kept.pointee.setVelocityPrefix(value.sevenBits)
      return false
    case 98...101: return false
    // The low seven bits of controller 74, as for the controllers below 32.
    case 106 where isMember:
      guard case .lower(let whole, _) = context else { return false }
      (event.kind, event.value) = (.timbre, whole.unit)
    case 120: event.kind = .allSoundOff
    case 121:
      kept.pointee.reset()
      event.kind = .resetControllers
    // Local control concerns the keyboard alone.
    case 122: return false
    // Omni on and off only end notes: the channel of a part is a knob.
    case 123...125: event.kind = .allNotesOff
    case 126: event.kind = .mono
    case 127: event.kind = .poly
    default: (event.kind, event.note) = (.controller, number)
    }
    return true
  }

  /// Sets the event of a controller 1…31, whose value may have been received in two halves.
  @_noLocks
  private func move(_ number: UInt8, _ value: MIDIValue, _ event: inout Event) {
    event.value = value.unit
    switch number {
    case 1: event.kind = .wheel
    case 2: event.kind = .breath
    // Cubic, as the glide knob of the sound, for fine resolution of short times.
    case 5:
      (event.kind, event.value) = (.glideTime, Limits.glideSeconds * value.unit * value.unit * value.unit)
    case 7: (event.kind, event.value) = (.volume, value.fraction)
    case 8: (event.kind, event.value) = (.balance, value.bipolar)
    case 11: (event.kind, event.value) = (.expression, value.fraction)
    default: (event.kind, event.note) = (.controller, number)
    }
  }

  /// Sets the event of a maker's parameter (NRPN) of GS and XG: those of a sound are controllers; on a channel of drums
  /// there are the pitch, the level and the pan of each drum. False if it has no effect.
  @_noLocks
  func turn(
    maker number: UInt16, _ data: UInt8, _ kept: UnsafeMutablePointer<ChannelMemory>, _ event: inout Event
  ) -> Bool {
    let value = MIDIValue(UInt32(data), bits: 7)
    (event.kind, event.value) = (.controller, value.unit)
    let low = UInt8(truncatingIfNeeded: number & 127)
    switch (number >> 7, low) {
    case (1, 0x08...0x0A): event.note = 76 + (low - 0x08)
    case (1, 0x20): event.note = 74
    case (1, 0x21): event.note = 71
    case (1, 0x63): event.note = 73
    case (1, 0x64): event.note = 75
    case (1, 0x66): event.note = 72
    case (0x18, _), (0x1A, _), (0x1C, _):
      event.note = low
      (event.kind, event.value) =
        switch number >> 7 {
        case 0x18: (.keyPitch, Float(data) - 64)
        case 0x1A: (.keyVolume, value.fraction)
        // Of a random pan, 0, the middle.
        default: (.keyPan, data == 0 ? 0 : value.bipolar)
        }
      return kept.pointee.choosesDrums || Int(event.target) == Limits.drumChannel
    default: return false
    }
    return true
  }

  /// Sets the event of a registered per-note controller; false if it has no effect.
  @_noLocks
  static func turn(key: UInt8, _ number: UInt8, _ value: MIDIValue, _ event: inout Event) -> Bool {
    (event.note, event.value) = (key, value.unit)
    switch number {
    case 1: event.kind = .keyWheel
    case 2: event.kind = .keyBreath
    // The pitch in semitones: a whole number of seven bits, and a fraction of 25 bits.
    case 3:
      let semitones = Double(value.raw) / 33_554_432
      (event.kind, event.value) = (.keyPitch, Float(semitones - Double(key)))
    case 7: (event.kind, event.value) = (.keyVolume, value.fraction)
    case 10: (event.kind, event.value) = (.keyPan, value.bipolar)
    case 11: (event.kind, event.value) = (.keyExpression, value.fraction)
    case 74: event.kind = .keyTimbre
    default: return false
    }
    return true
  }
}
