/// Gains of an oscillator's waveforms and unison voices in a group, for oscillators that are rendered separately.
struct OscillatorGains {
  /// Shares of the waveforms, by the waveform's index.
  var shares = NumberRamp()
  /// Weight of each voice on its side; the last element is the weight of the first voice in the middle.
  var weights = NumberRamp()
  /// See `OscillatorControl.sides`.
  var sides = NumberRamp()
  /// The synchronized voices whose phases `ImpulseTail.synced` holds, by the index of their weights, one bit each.
  var synced: UInt8 = 0
  /// Lanes that have started since `synced` was set.
  var started: UInt8 = 0
  /// In the first oscillator's gains: the key of the sum of both oscillators in the last update, if the next may
  /// continue it.
  var summed = ImpulseKey()

  /// The voices to render, by the index of their weights, one bit each: only the middle one if no voice is on a side.
  var voices: UInt8 {
    @_noLocks @inline(__always) get {
      weights.audible & Unison.sides == 0 ? 1 &<< UInt8(Self.middle) : weights.audible
    }
  }

  /// Index of the weight in the middle.
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
