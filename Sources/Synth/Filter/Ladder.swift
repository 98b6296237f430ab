/// The ladder filter of eight voices, one of the filter's characters: four one-poles in a loop with saturated
/// feedback.
///
/// Resonance lowers the level of the pass-band. The feedback saturates loud sounds. At the greatest resonance the
/// ladder self-oscillates, in tune. The saturating cubic comes after four low-passes, so a saw aliases little.
struct LadderLanes {
  /// Coefficients and output, which both sides share.
  var loop = LadderLoop()
  var mix = LadderMix()
  var shape = LadderShape()
  /// The cutoff of the last `aim`, octaves above 1 Hz, and the feedback of its shape.
  private(set) var aimed = Lanes.zero
  private var aimedFeedback = Lanes.zero

  /// Aims at a cutoff, in octaves above 1 Hz and in Hz, and at the outputs of the shape. If `mayRest`, coefficients
  /// whose goals have not changed stay constant.
  @_noLocks
  mutating func aim(
    at cutoff: Lanes, hertz: Lanes, rate: Float, perFrame: Float, isMixed: Bool, mayRest: Bool
  ) {
    if isMixed { mix.aim(at: shape.levels, perFrame: perFrame) }
    let isNear = !isAny(larger(magnitude(cutoff - aimed) - FilterLanes.tolerance, Lanes.zero))
    if mayRest, isNear, !isAny(bits(shape.feedback) ^ bits(aimedFeedback)) { return loop.rest() }
    (aimed, aimedFeedback) = (cutoff, shape.feedback)
    loop.aim(hertz: hertz, shape, rate: rate, perFrame: perFrame)
  }

  /// Sets all coefficients at once for a cutoff, before the ladder is audible.
  @_noLocks
  mutating func begin(at cutoff: Lanes, hertz: Lanes, rate: Float) {
    aim(at: cutoff, hertz: hertz, rate: rate, perFrame: 1, isMixed: false, mayRest: false)
    loop.snap(mask(0xff), frames: 1)
    mix.rest(at: shape.levels)
  }

  /// Adds a tiny signal, which starts the oscillation of a ladder that has been silent.
  @_noLocks
  func tickle(_ stages: UnsafeMutablePointer<LadderStages>) { stages.pointee.one += shape.ringing * 1e-5 }

  /// Starts self-oscillating lanes at their steady amplitude with their first sample: the integrators are those of a
  /// steady oscillation whose last one is at 0.
  @_noLocks
  func strike(_ stages: UnsafeMutablePointer<LadderStages>, _ lanes: SIMDMask<SIMD8<Int32>>) {
    let g = loop.part.value * inverse(1 - loop.part.value)
    let level = shape.ringing * root(multiplyAdd(g, g, Lanes(repeating: 1)))
    let struck = select(level, Lanes.zero, where: lanes)
    stages.pointee.one += 2 * struck
    stages.pointee.two += 2 * struck
    stages.pointee.three += struck
  }

  /// Filters some samples of one side in place.
  @_noLocks
  mutating func process(
    _ x: UnsafeMutablePointer<Lanes>, _ stages: UnsafeMutablePointer<LadderStages>, frames: Int, isMixed: Bool
  ) {
    if isMixed {
      processMixed(x, stages, frames: frames)
    } else {
      processLow(x, stages, frames: frames)
    }
  }

  @_noLocks @inline(never)
  private mutating func processLow(
    _ x: UnsafeMutablePointer<Lanes>, _ stages: UnsafeMutablePointer<LadderStages>, frames: Int
  ) {
    var (now, ramps) = (stages.pointee, loop)
    // Hidden from the compiler, so that `larger` and `smaller` are one instruction.
    let bound = LadderStages.bound + hiddenZero(ramps.part.value)
    var i = 0
    while i < frames {
      x[i] = now.process(x[i], ramps, bound: bound).four
      ramps.move()
      i &+= 1
    }
    (stages.pointee, loop) = (now, ramps)
  }

  @_noLocks @inline(never)
  private mutating func processMixed(
    _ x: UnsafeMutablePointer<Lanes>, _ stages: UnsafeMutablePointer<LadderStages>, frames: Int
  ) {
    var (now, ramps, sum) = (stages.pointee, loop, mix)
    let bound = LadderStages.bound + hiddenZero(ramps.part.value)
    var i = 0
    while i < frames {
      x[i] = sum.output(now.process(x[i], ramps, bound: bound))
      ramps.move()
      sum.move()
      i &+= 1
    }
    (stages.pointee, loop, mix) = (now, ramps, sum)
  }

  /// Resets the coefficients of one lane.
  @_noLocks
  mutating func reset(_ lane: Int) { loop.reset(lane) }

  /// Sets some lanes to the values that they would reach after `frames` samples.
  @_noLocks
  mutating func snap(_ lanes: SIMDMask<SIMD8<Int32>>, frames: Float) {
    loop.snap(lanes, frames: frames)
    mix.snap(lanes, frames: frames)
  }
}

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
