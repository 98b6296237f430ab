import CRealtime
import Scenes

/// Settings of an oscillator that are equal in all lanes of a sound.
struct OscillatorControl {
  /// Shares of its waveforms, by the waveform's index; they add up to 1.
  var shares = SIMD8<Float>.zero
  /// Level, 0…1.
  var level: Float = 0
  /// Number of unison voices, 1…7.
  var voices: Int32 = 1
  /// Frequency ratio of the first voice to the pitch, and of each voice to the first.
  var middle: Float = 1
  var factors = SIMD8<Float>(repeating: 1)
  /// Detuning of the outermost voices, cents.
  var detune: Float = 0
  /// Weight and side of each unison voice.
  var unison = Unison(1)
  /// Loudness of the outer voices, and stereo spread, each 0…1.
  var blend: Float = 0
  var spread: Float = 0
  /// Gains of the voice in the middle, of side voices on their side, and of side voices on the opposite side.
  var sides = SIMD8<Float>(1, 0, 0, 0, 0, 0, 0, 0)
  /// Feedback: depth of the phase modulation by its own samples, in radians.
  var feedback: Float = 0
  /// Depth of the pitch drift, as a share of the frequency.
  var drift: Float = 0

  /// A single voice without drift.
  @_noLocks init() {}

  /// Follows knobs that move; `shares` are those of the waveforms.
  @_noLocks
  mutating func follow(_ knobs: OscillatorKnobs, _ shares: Lanes) {
    self.shares = shares
    level = knobs.level
    feedback = knobs.feedback * OscillatorKnobs.mostFeedback
    drift = knobs.drift * OscillatorKnobs.perCent
    let count = max(1, min(knobs.unison, Float(Unison.mostVoices)))
    voices = Int32(count)
    if Float(voices) < count { voices &+= 1 }
    unison = Unison(count)
    detune = knobs.detune
    (blend, spread) = (knobs.blend, knobs.spread)
    if voices == 1 {
      (middle, factors) = (1, SIMD8(repeating: 1))
      sides = SIMD8(1, 0, 0, 0, 0, 0, 0, 0)
      return
    }
    for voice in 0..<Unison.mostVoices {
      factors[voice] = rt_exp2(unison.offsets[voice] * knobs.detune / 1200)
    }
    middle = factors[0]
    factors /= middle
    sides = unison.sides(blend: knobs.blend, spread: knobs.spread)
  }

  /// True when left and right differ, or a route moves the sides of a unison.
  @_noLocks
  func isStereo(isMoved: Bool) -> Bool { sides[1] != sides[2] || isMoved && voices > 1 }
}

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
