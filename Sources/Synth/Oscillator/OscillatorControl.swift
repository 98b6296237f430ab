import CRealtime

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
    var voice = 0
    while voice < Unison.mostVoices {
      factors[voice] = rt_exp2(unison.offsets[voice] * knobs.detune / 1200)
      voice &+= 1
    }
    middle = factors[0]
    factors /= middle
    sides = unison.sides(blend: knobs.blend, spread: knobs.spread)
  }

  /// True when left and right differ, or a route moves the sides of a unison.
  @_noLocks
  func isStereo(isMoved: Bool) -> Bool { sides[1] != sides[2] || isMoved && voices > 1 }
}
