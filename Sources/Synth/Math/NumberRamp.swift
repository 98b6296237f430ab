/// Up to eight numbers, each shared by all lanes and ramped in a straight line from tick to tick.
struct NumberRamp {
  var value = SIMD8<Float>.zero
  var step = SIMD8<Float>.zero

  @_noLocks
  mutating func aim(at goal: SIMD8<Float>, perFrame: Float) { step = (goal - value) * perFrame }

  @_noLocks
  mutating func rest(at goal: SIMD8<Float>) { (value, step) = (goal, .zero) }

  @_noLocks
  mutating func pass(frames: Int) { value += step * Float(frames) }

  /// The numbers that are other than 0 at any time of the ramp, one bit each.
  var audible: UInt8 {
    @_noLocks get { lanes(where: (bits(value) | bits(step)) &<< 1 .!= LaneWords.zero) }
  }

  /// The numbers that are 1 throughout the ramp, one bit each.
  var whole: UInt8 {
    @_noLocks get {
      lanes(where: (value .== SIMD8<Float>(repeating: 1)) .& (step .== SIMD8<Float>.zero))
    }
  }
}
