/// The output of a ladder as a sum of its stages.
struct LadderMix {
  var input = Ramp()
  var one = Ramp()
  var two = Ramp()
  var three = Ramp()
  var four = Ramp()

  @_noLocks @inline(__always)
  func output(_ y: LadderStages.Outputs) -> Lanes {
    let early = multiplyAdd(one.value, y.one, input.value * y.input)
    let late = multiplyAdd(four.value, y.four, three.value * y.three)
    return multiplyAdd(two.value, y.two, early) + late
  }

  @_noLocks @inline(__always)
  mutating func aim(at levels: LadderShape.Levels, perFrame: Float) {
    input.aim(at: levels.input, perFrame: perFrame)
    one.aim(at: levels.one, perFrame: perFrame)
    two.aim(at: levels.two, perFrame: perFrame)
    three.aim(at: levels.three, perFrame: perFrame)
    four.aim(at: levels.four, perFrame: perFrame)
  }

  @_noLocks @inline(__always)
  mutating func move() {
    input.move()
    one.move()
    two.move()
    three.move()
    four.move()
  }

  /// Rests at some levels.
  @_noLocks
  mutating func rest(at levels: LadderShape.Levels) {
    input.rest(at: levels.input)
    one.rest(at: levels.one)
    two.rest(at: levels.two)
    three.rest(at: levels.three)
    four.rest(at: levels.four)
  }

  @_noLocks
  mutating func snap(_ lanes: SIMDMask<SIMD8<Int32>>, frames: Float) {
    input.snap(lanes, frames: frames)
    one.snap(lanes, frames: frames)
    two.snap(lanes, frames: frames)
    three.snap(lanes, frames: frames)
    four.snap(lanes, frames: frames)
  }
}
