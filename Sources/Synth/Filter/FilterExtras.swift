/// State of a filter that only some sounds need.
struct FilterExtras {
  /// Output of each section.
  var low = FilterSection.Mix()
  var high = FilterSection.Mix()
  var saturation = FilterSection.Saturation()
  /// The pole after the filter, and the gain before that pole.
  var outputPole = Ramp()
  var level = Ramp()

  @_noLocks
  mutating func reset(_ lane: Int) {
    low.input.jump(lane, to: 0)
    low.band.jump(lane, to: 0)
    low.low.jump(lane, to: 0)
    high.input.jump(lane, to: 0)
    high.band.jump(lane, to: 0)
    high.low.jump(lane, to: 0)
    saturation.amount.jump(lane, to: 0)
    outputPole.jump(lane, to: 0)
    level.jump(lane, to: 0)
  }

  /// Advances the ramps of the outputs' levels and of the pole after the filter by one sample.
  @_noLocks @inline(__always)
  mutating func moveLevels() {
    low.move()
    high.move()
    outputPole.move()
    level.move()
  }

  @_noLocks
  mutating func snap(_ lanes: SIMDMask<SIMD8<Int32>>, frames: Float) {
    low.snap(lanes, frames: frames)
    high.snap(lanes, frames: frames)
    saturation.amount.snap(lanes, frames: frames)
    outputPole.snap(lanes, frames: frames)
    level.snap(lanes, frames: frames)
  }
}
