import Synth

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
