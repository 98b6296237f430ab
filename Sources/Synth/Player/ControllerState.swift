import Scenes

/// The controller values of one player on one channel.
struct ControllerState {
  /// -1…1.
  var bend: Float = 0
  /// Range of the pitch wheel in semitones; below 0 the patch determines it.
  var bendRange: Float = -1
  /// Bend range of single keys in semitones.
  var keyBendRange: Float = MPEZones.memberRange
  /// Tuning offset in semitones, -127…127.
  var tuning: Float = 0
  /// 0…1.
  var wheel: Float = 0
  /// 0…1.
  var pressure: Float = 0
  /// 0…1.
  var timbre: Float = 0
  /// 0…1.
  var breath: Float = 0
  /// The assignable controllers, 0…1, in the order of their sources (`ModulationSource.assignable`).
  var assignable = SIMD4<Float>.zero
  /// 0…1.
  var expression: Float = 1
  /// 0…1.
  var volume: Float = 1
  /// -1…1.
  var balance: Float = 0
  /// The sustain pedal, 0…1; down from 0.5 on.
  var pedal: Float = 0
  /// True while a second sustain pedal is down.
  var secondPedal = false
  var sostenuto = false
  var legato = false
  /// Depth of the soft pedal, 0…1.
  var soft: Float = 0
  /// Whether the player has switched glides on or off; nil when the sound determines it.
  var glides: Bool?
  /// Duration of glides in seconds where the player switches them on; below 0 the sound determines it.
  var glideTime: Float = -1
  /// The key that the next note glides from; `ControllerState.noKey` for none.
  var glideFrom = ControllerState.noKey

  static var noKey: UInt8 { @_noLocks get { 255 } }

  /// True while a sustain pedal is down.
  var sustain: Bool { @_noLocks get { pedal >= 0.5 || secondPedal } }

  /// Neutral values.
  @_noLocks init() {}

  /// Resets the controllers as RP-015 specifies. Settings stay: volume, balance, bend range, tuning, and the
  /// controllers 70 to 79.
  @_noLocks
  mutating func reset() {
    let before = self
    self = ControllerState()
    (bendRange, keyBendRange) = (before.bendRange, before.keyBendRange)
    (tuning, timbre) = (before.tuning, before.timbre)
    (volume, balance) = (before.volume, before.balance)
  }

  /// Sets the controller of an event kind to a value, clamped to its range.
  @_noLocks
  mutating func move(_ kind: Event.Kind, to value: Float) {
    switch kind {
    case .bend: bend = max(-1, min(value, 1))
    case .bendRange: bendRange = max(-1, min(value, MPEZones.widestRange))
    case .keyBendRange: keyBendRange = max(0, min(value, 128))
    case .tuning: tuning = max(-127, min(value, 127))
    case .wheel: wheel = max(0, min(value, 1))
    case .pressure: pressure = max(0, min(value, 1))
    case .timbre: timbre = max(0, min(value, 1))
    case .breath: breath = max(0, min(value, 1))
    case .sustain: pedal = max(0, min(value, 1))
    case .expression: expression = max(0, min(value, 1))
    case .volume: volume = max(0, min(value, 1))
    case .balance: balance = max(-1, min(value, 1))
    case .sustain2: secondPedal = value >= 0.5
    case .sostenuto: sostenuto = value >= 0.5
    case .soft: soft = max(0, min(value, 1))
    case .legato: legato = value >= 0.5
    case .glide: glides = value >= 0.5
    case .glideTime: glideTime = max(0, min(value, Limits.glideSeconds))
    default: break
    }
  }
}

extension ControllerState {
  /// Sets an assignable controller, by the index of its source among all sources; others are ignored.
  @_noLocks
  mutating func move(source index: UInt8, to value: Float) {
    let number = Int(index) &- ModulationSource.assignable.first
    if number >= 0, number < ModulationSource.assignable.count { assignable[number] = max(0, min(value, 1)) }
  }

  /// Resets the finger of a member channel, except bend and timbre, which apply to the next key.
  @_noLocks
  mutating func resetFinger() {
    var resting = ControllerState.restingFinger
    resting.bend = bend
    resting.timbre = timbre
    self = resting
  }

  /// The state of a member channel without a finger: controller 74 is at its centre.
  static var restingFinger: ControllerState {
    @_noLocks get {
      var state = ControllerState()
      state.timbre = 0.5
      return state
    }
  }
}

extension NoteExpression {
  /// The expression of a member channel with a bend range in semitones.
  @_noLocks
  init(_ state: ControllerState, range: Float) {
    self.init()
    (bend, pitch) = (state.bend, state.bend * range)
    (pressure, timbre) = (state.pressure, state.timbre)
    (wheel, breath) = (state.wheel, state.breath)
  }
}

/// The effect of controllers and fingers on one voice.
struct PlayerModulation {
  /// The modulation sources that the player moves, from `ModulationSource.firstPlayed` on.
  var played = SIMD16<Float>.zero
  /// Semitones from the key.
  let pitch: Float
  /// Gain 0…1 from expression, volume and the finger.
  let gain: Float
  /// The pan of the key, -1…1.
  let pan: Float

  @_noLocks
  init(pitch: Float, gain: Float, pan: Float) { (self.pitch, self.gain, self.pan) = (pitch, gain, pan) }

  /// Sets one of the sources that the player moves.
  @_noLocks
  mutating func move(_ source: ModulationSource, to value: Float) {
    played[source.index &- ModulationSource.firstPlayed] = value
  }

  /// Sets all of these sources from the controllers of a note's channel, its finger and its part.
  /// Bends are added and expressions multiplied; for most other sources the largest value counts.
  @_noLocks
  mutating func combine(
    channel: ControllerState, finger: NoteExpression, part: ControllerState, keyPressure: Float
  ) {
    let pressure = max(min(channel.pressure + finger.pressure, 1), part.pressure)
    let wheel = max(max(channel.wheel, finger.wheel), part.wheel)
    move(.wheel, to: wheel)
    move(.bend, to: max(-1, min(channel.bend + finger.bend + part.bend, 1)))
    move(.patchBend, to: channel.bendRange >= 0 ? part.bend : max(-1, min(channel.bend + part.bend, 1)))
    move(.pressure, to: pressure)
    move(.keyPressure, to: keyPressure)
    move(.timbre, to: max(max(channel.timbre, finger.timbre), part.timbre))
    move(.expression, to: channel.expression * part.expression)
    move(.breath, to: max(max(channel.breath, finger.breath), part.breath))
    move(.pedal, to: max(channel.pedal, part.pedal))
    let assignable = larger(channel.assignable, part.assignable)
    var number = 0
    while number < ModulationSource.assignable.count {
      played[ModulationSource.assignable.first &- ModulationSource.firstPlayed &+ number] = assignable[number]
      number &+= 1
    }
    move(.touch, to: max(wheel, max(channel.pressure, part.pressure)))
  }
}

extension ControllerState {
  /// Makes the controllers neutral that a part does not receive; `received` holds the bits of `ReceivedControllers`.
  @_noLocks
  mutating func mute(allBut received: UInt8) {
    if received & ReceivedControllers.bendBit == 0 { bend = 0 }
    if received & ReceivedControllers.wheelBit == 0 { wheel = 0 }
    if received & ReceivedControllers.pressureBit == 0 { pressure = 0 }
    if received & ReceivedControllers.pedalBit == 0 {
      (pedal, soft) = (0, 0)
      (secondPedal, sostenuto, legato) = (false, false, false)
    }
  }
}
