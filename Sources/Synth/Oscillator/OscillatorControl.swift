import CRealtime

/// What the knobs of an oscillator mean to all lanes of a sound, beyond its level and pitch.
struct OscillatorControl {
  /// The shares of its waveforms, by the waveform's index; together 1.
  var shares = SIMD8<Float>.zero
  /// Its level.
  var level: Float = 0
  /// Voices that it sounds in, 1…7.
  var voices: Int32 = 1
  /// What the first voice multiplies the pitch by, and each voice that of the first.
  var middle: Float = 1
  var factors = SIMD8<Float>(repeating: 1)
  /// Cents of the outermost voices.
  var detune: Float = 0
  /// How much there is of each voice, and where.
  var unison = Unison(1)
  /// How loud the outer voices are, and how far they lie apart.
  var blend: Float = 0
  var spread: Float = 0
  /// The gains of the voice in the middle, of those on one's own side, and of those on the other side.
  var sides = SIMD8<Float>(1, 0, 0, 0, 0, 0, 0, 0)
  /// How far its own samples move its phase, radians.
  var feedback: Float = 0
  /// How far its pitch wanders, as a share of it.
  var drift: Float = 0

  /// One voice that stays in tune.
  @_noLocks init() {}

  /// What knobs that are on their way mean.
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

  /// True when it is left and right, or in unison and moved there by a route.
  @_noLocks
  func isStereo(isMoved: Bool) -> Bool { sides[1] != sides[2] || isMoved && voices > 1 }
}
