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
