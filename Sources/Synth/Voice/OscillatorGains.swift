/// How loud the waveforms and the unison voices of an oscillator are in a group, while they are made by themselves.
struct OscillatorGains {
  /// By the waveform's index.
  var shares = NumberRamp()
  /// What there is of each voice on its side, and last what of the first is in the middle.
  var weights = NumberRamp()
  /// See `OscillatorControl.sides`.
  var sides = NumberRamp()

  /// The place of what is in the middle among the weights.
  static var middle: Int { @_noLocks get { 7 } }

  @_noLocks
  mutating func rest(at control: OscillatorControl) {
    shares.rest(at: control.shares)
    weights.rest(at: Self.weights(control))
    sides.rest(at: control.sides)
  }

  @_noLocks
  mutating func aim(at control: OscillatorControl, perFrame: Float) {
    shares.aim(at: control.shares, perFrame: perFrame)
    weights.aim(at: Self.weights(control), perFrame: perFrame)
    sides.aim(at: control.sides, perFrame: perFrame)
  }

  @_noLocks
  private static func weights(_ control: OscillatorControl) -> SIMD8<Float> {
    var weights = control.unison.weights
    weights[middle] = control.unison.middle
    return weights
  }

  @_noLocks
  mutating func pass(frames: Int) {
    shares.pass(frames: frames)
    weights.pass(frames: frames)
    sides.pass(frames: frames)
  }
}
