/// How loud the waveforms and the unison voices of an oscillator are in a group, while they are made by themselves.
struct OscillatorGains {
  /// By the waveform's index.
  var shares = NumberRamp()
  /// What there is of each voice on its side, and last what of the first is in the middle.
  var weights = NumberRamp()
  /// See `OscillatorControl.sides`.
  var sides = NumberRamp()
  /// The voices of which `ImpulseTail.synced` says where they are, by their weights, one bit each.
  var synced: UInt8 = 0
  /// Lanes that have started since then.
  var started: UInt8 = 0
  /// Of the first oscillator's: what the sum of both was made of in the last update, where the next one may go on from there.
  var summed = ImpulseKey()

  /// The voices that are made, by their weights, one bit each: the first one in the middle where there are no others.
  var voices: UInt8 {
    @_noLocks @inline(__always) get {
      weights.heard & Unison.sides == 0 ? 1 &<< UInt8(Self.middle) : weights.heard
    }
  }

  /// The place of what is in the middle among the weights.
  static var middle: Int { @_noLocks get { 7 } }

  @_noLocks
  mutating func rest(at control: UnsafePointer<OscillatorControl>) {
    shares.rest(at: control.pointee.shares)
    weights.rest(at: Self.weights(control))
    sides.rest(at: control.pointee.sides)
  }

  @_noLocks
  mutating func aim(at control: UnsafePointer<OscillatorControl>, perFrame: Float) {
    shares.aim(at: control.pointee.shares, perFrame: perFrame)
    weights.aim(at: Self.weights(control), perFrame: perFrame)
    sides.aim(at: control.pointee.sides, perFrame: perFrame)
  }

  @_noLocks
  private static func weights(_ control: UnsafePointer<OscillatorControl>) -> SIMD8<Float> {
    var weights = control.pointee.unison.weights
    weights[middle] = control.pointee.unison.middle
    return weights
  }

  @_noLocks
  mutating func pass(frames: Int) {
    shares.pass(frames: frames)
    weights.pass(frames: frames)
    sides.pass(frames: frames)
  }
}
