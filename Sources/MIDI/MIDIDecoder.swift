import Synth

/// What messages mean to the instrument. The one place that knows: keyboards and song files both come through here.
/// It keeps what one message leaves for a later one, for each source and channel.
///
/// No clock, no locks, no allocation: the caller knows at which frame a message is to be played.
public struct MIDIDecoder: ~Copyable {
  private let channels: UnsafeMutablePointer<ChannelMemory>
  private let sources: UnsafeMutablePointer<SourceMemory>
  private let zones: UnsafeMutablePointer<MPEZones>
  private let exclusives: UnsafeMutablePointer<ExclusiveBytes>
  private let bytes: UnsafeMutablePointer<UInt8>

  /// A decoder at rest, for `Limits.sources`.
  public init() {
    channels = .allocate(capacity: Limits.sources * Limits.channels)
    channels.initialize(repeating: ChannelMemory(), count: Limits.sources * Limits.channels)
    sources = .allocate(capacity: Limits.sources)
    sources.initialize(repeating: SourceMemory(), count: Limits.sources)
    zones = .allocate(capacity: Limits.sources)
    zones.initialize(repeating: MPEZones(), count: Limits.sources)
    bytes = .allocate(capacity: Limits.sources * ExclusiveBytes.room)
    bytes.initialize(repeating: 0, count: Limits.sources * ExclusiveBytes.room)
    exclusives = .allocate(capacity: Limits.sources)
    for source in 0..<Limits.sources {
      (exclusives + source).initialize(to: ExclusiveBytes(bytes + source * ExclusiveBytes.room))
    }
  }

  deinit {
    channels.deallocate()
    sources.deallocate()
    zones.deallocate()
    exclusives.deallocate()
    bytes.deallocate()
  }

  /// Forgets a source that has gone, but for what the player wants of it.
  @_noLocks
  public func forget(_ source: UInt8) {
    exclusives[number(source)].reset()
    reset(source)
  }

  /// Forgets what the messages of a source have left.
  @_noLocks
  private func reset(_ source: UInt8) {
    sources[number(source)] = SourceMemory()
    zones(of: source).pointee.forget()
    settle(source, UInt32.max)
  }

  /// Takes the next byte of a system exclusive message from `source`, the one before the first and the one behind the last
  /// included; other bytes of a stream do no harm. The message that it ends, if that means something: its events are to
  /// be read before the next byte is taken.
  @_noLocks
  public func take(exclusive byte: UInt8, source: UInt8) -> SystemMessage? {
    let number = number(source)
    guard let whole = exclusives[number].take(byte),
      let message = SystemMessage(whole.bytes, count: whole.count, &sources[number])
    else { return nil }
    if message.isReset { reset(source) }
    return message
  }

  /// The same with six bytes at most of a packet of MIDI 2.0, of type 3; it is ignored when it is of another.
  @_noLocks
  public func take(exclusive first: UInt32, _ second: UInt32, source: UInt8) -> SystemMessage? {
    if first >> 28 != 3 { return nil }
    let (status, count) = (first >> 20 & 15, min(Int(first >> 16 & 15), 6))
    if status > 3 { return nil }
    if status < 2 { _ = take(exclusive: 0xF0, source: source) }
    let all = UInt64(first & 0xFFFF) << 32 | UInt64(second)
    var index = 0
    while index < count {
      let byte = UInt8(truncatingIfNeeded: all >> UInt64(40 &- 8 &* index)) & 0x7F
      _ = take(exclusive: byte, source: source)
      index &+= 1
    }
    return status == 0 || status == 3 ? take(exclusive: 0xF7, source: source) : nil
  }

  /// What is to be done at `frame` when a message comes from `source`; nil for nothing. It is the engine's to do, or
  /// the control thread's, as `Event.Kind.isForControl` says.
  @_noLocks
  public func event(_ received: ChannelMessage, source: UInt8, frame: Int64) -> Event? {
    let kept = channel(source, received.channel)
    let isMember = zones(of: source).pointee.isMember(received.channel & 15)
    var event = Event(frame: frame, kind: .panic, source: source, target: received.channel)
    switch received.message {
    case .noteOn(let note, let velocity):
      // To the engine a velocity of 0 is a note off.
      let strength = kept.pointee.velocity(velocity).unit
      (event.kind, event.note, event.value) = (.noteOn, note, max(strength, MIDIDecoder.softest))
    case .noteOff(let note, let velocity):
      (event.kind, event.note, event.value) = (.noteOff, note, kept.pointee.velocity(velocity).unit)
    case .notePressure(let note, let value):
      (event.kind, event.note, event.value) = (.keyPressure, note, value.unit)
    case .pressure(let value): (event.kind, event.value) = (.pressure, value.unit)
    case .bend(let value): (event.kind, event.value) = (.bend, value.bipolar)
    case .program(let number, let bank):
      if isMember { return nil }
      let chosen = UInt16(kept.pointee.bankHigh) << 7 | UInt16(kept.pointee.bankLow)
      (event.kind, event.note, event.value) = (.program, number, Float(bank ?? chosen))
    case .reset:
      forget(source)
      event.kind = .sourceGone
    case .parameter(let number, let isRegistered, let value):
      guard isRegistered, let change = kept.pointee.parameters.set(number, value) else { return nil }
      if !set(&event, to: change, isMember) { return nil }
    case .parameterStep(let number, let isRegistered, let step):
      guard isRegistered, let change = kept.pointee.parameters.move(number, by: step),
        set(&event, to: change, isMember)
      else { return nil }
    case .strokePitch(let note, let semitones):
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
      if number == 0, !isMember {
        (kept.pointee.bankHigh, kept.pointee.bankLow) = (value.sevenBits, UInt8(value.fourteenBits & 127))
        return nil
      }
      return self.event(
        ChannelMessage(received.channel, .controller(number, value)), source: source, frame: frame)
    case .controller(let number, let value):
      if isMember, !Self.isOfMembers(number) || !turn(member: number, value, kept, &event) { return nil }
      if !isMember, !turn(number, value, kept, &event) { return nil }
    }
    return event
  }

  /// A controller; false where it does nothing by itself.
  @_noLocks
  private func turn(
    _ number: UInt8, _ value: MIDIValue, _ kept: UnsafeMutablePointer<ChannelMemory>, _ event: inout Event
  ) -> Bool {
    event.value = value.unit
    switch number {
    case 0:
      kept.pointee.bankHigh = value.sevenBits
      return false
    case 32:
      kept.pointee.bankLow = value.sevenBits
      return false
    case 6, 38, 96, 97:
      guard let change = enter(number, value.sevenBits, kept) else { return false }
      return set(&event, to: change, false)
    case 1...31:
      kept.pointee.keep(number, value)
      move(number, value, &event)
    case 33...63:
      guard let whole = kept.pointee.whole(number - 32, value.sevenBits) else { return false }
      move(number - 32, whole, &event)
    case 64: event.kind = .sustain
    case 65: event.kind = .glide
    case 66: event.kind = .sostenuto
    case 67: event.kind = .soft
    case 68: event.kind = .legato
    case 69: event.kind = .sustain2
    // The value is a key, whatever resolution it comes in.
    case 84: (event.kind, event.note) = (.glideFrom, value.sevenBits)
    case 88:
      kept.pointee.refineNext(value.sevenBits)
      return false
    case 98...101:
      kept.pointee.parameters.choose(number, value.sevenBits)
      return false
    case 120: event.kind = .allSoundOff
    case 121:
      kept.pointee.reset()
      event.kind = .resetControllers
    // Local control concerns the keyboard alone.
    case 122: return false
    // Omni on and off end notes too, and are not switched to: a part has its channel as a knob.
    case 123...125: event.kind = .allNotesOff
    case 126: event.kind = .mono
    case 127: event.kind = .poly
    default: (event.kind, event.note) = (.controller, number)
    }
    return true
  }

  /// A controller of a member of an MPE zone; false where it does nothing by itself.
  @_noLocks
  private func turn(
    member number: UInt8, _ value: MIDIValue, _ kept: UnsafeMutablePointer<ChannelMemory>,
    _ event: inout Event
  ) -> Bool {
    switch number {
    case 6, 38, 96, 97:
      guard let change = enter(number, value.sevenBits, kept) else { return false }
      return set(&event, to: change, true)
    case 74:
      kept.pointee.keep(number, value)
      (event.kind, event.value) = (.timbre, value.unit)
    // Devices refine it as the controllers below 32.
    case 106:
      guard let whole = kept.pointee.whole(number - 32, value.sevenBits) else { return false }
      (event.kind, event.value) = (.timbre, whole.unit)
    default: return turn(number, value, kept, &event)
    }
    return true
  }

  /// A controller of 1…31, whose value may have come in two halves.
  @_noLocks
  private func move(_ number: UInt8, _ value: MIDIValue, _ event: inout Event) {
    event.value = value.unit
    switch number {
    case 1: event.kind = .wheel
    case 2: event.kind = .breath
    // As fine at its beginning as the knob of the sound.
    case 5:
      (event.kind, event.value) = (.glideTime, Limits.glideSeconds * value.unit * value.unit * value.unit)
    case 7: (event.kind, event.value) = (.volume, value.fraction)
    case 8: (event.kind, event.value) = (.balance, value.bipolar)
    case 11: (event.kind, event.value) = (.expression, value.fraction)
    default: (event.kind, event.note) = (.controller, number)
    }
  }

  /// A registered controller of the notes of one key; false where it does nothing.
  @_noLocks
  private static func turn(key: UInt8, _ number: UInt8, _ value: MIDIValue, _ event: inout Event) -> Bool {
    (event.note, event.value) = (key, value.unit)
    switch number {
    case 1: event.kind = .keyWheel
    case 2: event.kind = .keyBreath
    // A pitch: seven bits of semitones and 25 of parts of one.
    case 3:
      let semitones = Double(value.raw) / 33_554_432
      (event.kind, event.value) = (.keyPitch, Float(semitones - Double(key)))
    case 7: (event.kind, event.value) = (.keyVolume, value.fraction)
    case 11: (event.kind, event.value) = (.keyExpression, value.fraction)
    case 74: event.kind = .keyTimbre
    default: return false
    }
    return true
  }

  /// Moves the parameter that is chosen.
  @_noLocks
  private func enter(
    _ controller: UInt8, _ value: UInt8, _ kept: UnsafeMutablePointer<ChannelMemory>
  ) -> ParameterNumbers.Change? {
    switch controller {
    case 6: kept.pointee.parameters.enter(high: value)
    case 38: kept.pointee.parameters.enter(low: value)
    default: kept.pointee.parameters.step(controller == 96)
    }
  }

  /// What a parameter does; false where a channel has no say.
  @_noLocks
  private func set(_ event: inout Event, to change: ParameterNumbers.Change, _ isMember: Bool) -> Bool {
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
    case .zone(let members):
      if !configure(event.source, manager: event.target, members: members) { return false }
      (event.kind, event.note, event.value) = (.mpeZone, members, 0)
    }
    return true
  }

  /// The least velocity of MIDI 2.0 that is not 0.
  private static var softest: Float { @_noLocks get { 1 / 65_536 } }

  @_noLocks
  func channel(_ source: UInt8, _ index: UInt8) -> UnsafeMutablePointer<ChannelMemory> {
    channels + (number(source) * Limits.channels + Int(index & 15))
  }

  @_noLocks
  func zones(of source: UInt8) -> UnsafeMutablePointer<MPEZones> { zones + number(source) }

  @_noLocks
  private func number(_ source: UInt8) -> Int { min(Int(source), Limits.sources - 1) }
}
