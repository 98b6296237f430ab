import CRealtime
import Scenes

/// Feedback and ping-pong amount of a delay, as ramps from tick to tick.
struct DelayLevels {
  private var feedback: Float = 0
  private var feedbackStep: Float = 0
  private var feedbackGoal: Float = 0
  private var across: Float = 0
  private var acrossStep: Float = 0
  private var acrossGoal: Float = 0

  @_noLocks init() {}

  /// Duration in seconds of the fade between ping-pong and straight echoes.
  private static var seconds: Float { @_noLocks get { 0.02 } }

  /// Jumps to the knobs.
  @_noLocks
  mutating func snap(_ knobs: UnsafePointer<DelayKnobs>) {
    (feedbackGoal, acrossGoal) = (goal(knobs), knobs.pointee.pingPong >= 0.5 ? 1 : 0)
    (feedback, feedbackStep, across, acrossStep) = (feedbackGoal, 0, acrossGoal, 0)
  }

  /// Aims at the knobs over the next `frames`; `chosen` holds the knobs' targets.
  @_noLocks
  mutating func aim(
    _ knobs: UnsafePointer<DelayKnobs>, _ chosen: UnsafePointer<DelayKnobs>, rate: Float, frames: Int
  ) {
    (feedback, across) = (feedbackGoal, acrossGoal)
    let most = Float(frames) / (Self.seconds * rate)
    feedbackGoal = goal(knobs)
    acrossGoal = chosen.pointee.pingPong >= 0.5 ? min(1, across + most) : max(0, across - most)
    let perFrame = 1 / Float(frames)
    feedbackStep = (feedbackGoal - feedback) * perFrame
    acrossStep = (acrossGoal - across) * perFrame
  }

  @_noLocks
  private func goal(_ knobs: UnsafePointer<DelayKnobs>) -> Float {
    max(0, min(knobs.pointee.feedback, DelayKnobs.mostFeedback))
  }

  /// Whether both have reached their targets.
  var isSettled: Bool { @_noLocks get { feedbackStep == 0 && acrossStep == 0 } }

  /// Both values at the frame numbers `n` of the tick.
  @_noLocks @inline(__always)
  func at(_ n: Lanes) -> (feedback: Lanes, across: Lanes) {
    (
      multiplyAdd(n, Lanes(repeating: feedbackStep), Lanes(repeating: feedback)),
      multiplyAdd(n, Lanes(repeating: acrossStep), Lanes(repeating: across))
    )
  }
}

/// The saturation of a delay's echoes: a cubic with slope 1 at low levels and a maximum, so that growing echoes stay
/// below this maximum.
struct DelaySaturation {
  // The input at which the cubic reaches its maximum, and the coefficient of the cube, with their increments and
  // targets.
  private var edge: Float = 3
  private var edgeStep: Float = 0
  private var edgeGoal: Float = 3
  private var cube: Float = 0
  private var cubeStep: Float = 0
  private var cubeGoal: Float = 0
  private var saturation: Float = -1

  @_noLocks init() {}

  /// The maximum of the curve without saturation.
  private static var highest: Float { @_noLocks get { 2 } }
  /// Octaves by which full saturation lowers the maximum.
  private static var fall: Float { @_noLocks get { 4 } }

  /// Jumps to the knobs.
  @_noLocks
  mutating func snap(_ knobs: UnsafePointer<DelayKnobs>) {
    find(knobs.pointee.saturation)
    (edge, edgeStep, cube, cubeStep) = (edgeGoal, 0, cubeGoal, 0)
  }

  /// Aims at the knobs over the next `frames`.
  @_noLocks
  mutating func aim(_ knobs: UnsafePointer<DelayKnobs>, frames: Int) {
    (edge, cube) = (edgeGoal, cubeGoal)
    if knobs.pointee.saturation != saturation { find(knobs.pointee.saturation) }
    let perFrame = 1 / Float(frames)
    (edgeStep, cubeStep) = ((edgeGoal - edge) * perFrame, (cubeGoal - cube) * perFrame)
  }

  /// Whether the curve has reached its target.
  var isSettled: Bool { @_noLocks get { edgeStep == 0 && cubeStep == 0 } }

  @_noLocks
  private mutating func find(_ saturation: Float) {
    self.saturation = saturation
    edgeGoal = 1.5 * Self.highest * rt_exp2(-Self.fall * saturation)
    cubeGoal = 1 / (3 * edgeGoal * edgeGoal)
  }

  /// Applies the curve to eight samples at the frame numbers `n` of the tick.
  @_noLocks @inline(__always)
  func at(_ n: Lanes, _ x: Lanes) -> Lanes {
    let edge = multiplyAdd(n, Lanes(repeating: edgeStep), Lanes(repeating: edge))
    let cube = multiplyAdd(n, Lanes(repeating: cubeStep), Lanes(repeating: cube))
    let y = larger(smaller(x, edge), -edge)
    return multiplySubtract(cube * y, y * y, from: y)
  }
}
