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
