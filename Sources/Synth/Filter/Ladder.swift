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

// The ladder with a cutoff that is modulated at audio rate.

extension LadderLanes {
  /// Filters samples of one side in place, with a cutoff that `octaves` moves at each sample. The coefficients are those of
  /// the unmodulated `cutoff` afterwards.
  @_noLocks @inline(never)
  mutating func processModulated(
    _ x: UnsafeMutablePointer<Lanes>, _ stages: UnsafeMutablePointer<LadderStages>,
    _ octaves: UnsafePointer<Lanes>, _ cutoff: Ramp, frames: Int, isMixed: Bool, rate: Float
  ) {
    var (now, cutoff) = (stages.pointee, cutoff)
    let bound = LadderStages.bound + hiddenZero(cutoff.value)
    var i = 0
    while i < frames {
      loop.set(hertz: exp2(cutoff.value + octaves[i]), rate: rate)
      let output = now.process(x[i], loop, bound: bound)
      x[i] = isMixed ? mix.output(output) : output.four
      loop.input.move()
      loop.feedback.move()
      if isMixed { mix.move() }
      cutoff.move()
      i &+= 1
    }
    loop.set(hertz: exp2(cutoff.value), rate: rate)
    stages.pointee = now
  }
}

extension LadderLoop {
  /// Sets the coefficients to a cutoff in Hz at once; input and feedback stay.
  @_noLocks @inline(__always)
  fileprivate mutating func set(hertz: Lanes, rate: Float) {
    let tangent = CutoffTangent(hertz: hertz, rate: rate)
    let inverseSum = inverse(tangent.n + tangent.d)
    let (goal, rest) = (tangent.n * inverseSum, tangent.d * inverseSum)
    let fourth = (goal * goal) * (goal * goal)
    let closed = inverse(multiplyAdd(feedback.value, fourth, Lanes(repeating: 1)))
    part.rest(at: goal)
    ofStages.rest(at: rest * closed)
    ofInput.rest(at: fourth * closed * input.value)
  }
}

/// The four stages of a ladder in each of eight voices: one-poles, trapezoidal integration (Zavalishin, "The Art of VA
/// Filter Design", 2018).
struct LadderStages {
  /// The integrators.
  var one = Lanes.zero
  var two = Lanes.zero
  var three = Lanes.zero
  var four = Lanes.zero

  /// At rest.
  @_noLocks init() {}

  /// The input of the first stage, and the outputs of all.
  typealias Outputs = (input: Lanes, one: Lanes, two: Lanes, three: Lanes, four: Lanes)

  /// Processes one sample. The feedback passes a cubic, e - 4e³/27, which is flat from ±1.5 on. Its argument is what the
  /// last stage would output without the cubic, so no iteration is needed, and a self-oscillation is in tune at any
  /// level: a cubic without memory changes the loop's gain, but not its phase.
  @_noLocks @inline(__always)
  mutating func process(_ x: Lanes, _ loop: LadderLoop, bound: Lanes) -> Outputs {
    let (part, rest) = (loop.part.value, 1 - loop.part.value)
    let held = multiplyAdd(multiplyAdd(multiplyAdd(one, part, two), part, three), part, four)
    let e = multiplyAdd(loop.ofStages.value, held, loop.ofInput.value * x)
    let c = smaller(larger(e, -bound), bound)
    let saturated = multiplySubtract(c * Self.cubicFactor, c * c, from: c)
    let u = multiplySubtract(loop.feedback.value, saturated, from: loop.input.value * x)
    let a = multiplyAdd(part, u, rest * one)
    let b = multiplyAdd(part, a, rest * two)
    let d = multiplyAdd(part, b, rest * three)
    let y = multiplyAdd(part, d, rest * four)
    one = 2 * a - one
    two = 2 * b - two
    three = 2 * d - three
    four = 2 * y - four
    return (u, a, b, d, y)
  }

  /// Where the cubic is flat, and its factor.
  static var bound: Float { @_noLocks get { 1.5 } }
  private static var cubicFactor: Float { @_noLocks get { 4 / 27 } }

  @_noLocks
  mutating func reset(_ lane: Int) { (one[lane], two[lane], three[lane], four[lane]) = (0, 0, 0, 0) }
}

/// The coefficients of a ladder, which move in a straight line between control ticks.
struct LadderLoop {
  /// The part of its input that a stage passes at once, g / (1 + g) with g the tangent of half the cutoff's angle.
  var part = Ramp()
  /// Weights in the estimate of the last stage's output: of the integrators, and of the input.
  var ofStages = Ramp()
  var ofInput = Ramp()
  var input = Ramp()
  var feedback = Ramp()

  /// Aims at a cutoff in Hz.
  @_noLocks @inline(__always)
  mutating func aim(hertz: Lanes, _ shape: LadderShape, rate: Float, perFrame: Float) {
    let tangent = CutoffTangent(hertz: hertz, rate: rate)
    let inverseSum = inverse(tangent.n + tangent.d)
    let (goal, rest) = (tangent.n * inverseSum, tangent.d * inverseSum)
    let fourth = (goal * goal) * (goal * goal)
    let closed = inverse(multiplyAdd(shape.feedback, fourth, Lanes(repeating: 1)))
    part.aim(at: goal, perFrame: perFrame)
    ofStages.aim(at: rest * closed, perFrame: perFrame)
    ofInput.aim(at: fourth * closed * shape.input, perFrame: perFrame)
    input.aim(at: shape.input, perFrame: perFrame)
    feedback.aim(at: shape.feedback, perFrame: perFrame)
  }

  @_noLocks @inline(__always)
  mutating func move() {
    part.move()
    ofStages.move()
    ofInput.move()
    input.move()
    feedback.move()
  }

  @_noLocks
  mutating func rest() {
    (part.step, ofStages.step, ofInput.step, input.step, feedback.step) = (.zero, .zero, .zero, .zero, .zero)
  }

  @_noLocks
  mutating func reset(_ lane: Int) {
    part.jump(lane, to: 0)
    ofStages.jump(lane, to: 0)
    ofInput.jump(lane, to: 0)
    input.jump(lane, to: 0)
    feedback.jump(lane, to: 0)
  }

  @_noLocks
  mutating func snap(_ lanes: SIMDMask<SIMD8<Int32>>, frames: Float) {
    part.snap(lanes, frames: frames)
    ofStages.snap(lanes, frames: frames)
    ofInput.snap(lanes, frames: frames)
    input.snap(lanes, frames: frames)
    feedback.snap(lanes, frames: frames)
  }
}
