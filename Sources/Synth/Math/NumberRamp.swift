/// What moves in a straight line from tick to tick and is the same in all lanes: up to eight numbers.
struct NumberRamp {
  var value = SIMD8<Float>.zero
  var step = SIMD8<Float>.zero

  @_noLocks
  mutating func aim(at goal: SIMD8<Float>, perFrame: Float) { step = (goal - value) * perFrame }

  @_noLocks
  mutating func rest(at goal: SIMD8<Float>) { (value, step) = (goal, .zero) }

  @_noLocks
  mutating func pass(frames: Int) { value += step * Float(frames) }

  /// Those that are not nothing all the way, one bit each.
  var heard: UInt8 {
    @_noLocks get { lanes(where: (bits(value) | bits(step)) &<< 1 .!= LaneWords.zero) }
  }

  /// Those that are 1 and stay so, one bit each.
  var whole: UInt8 {
    @_noLocks get {
      lanes(where: (value .== SIMD8<Float>(repeating: 1)) .& (step .== SIMD8<Float>.zero))
    }
  }
}
