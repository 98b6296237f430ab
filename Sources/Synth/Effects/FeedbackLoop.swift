import CRealtime
import Scenes

/// The feedback of a phaser or a flanger: its gain and the gain into the loop, as ramps from tick to tick, and the curve
/// that bounds the level in the loop.
struct FeedbackLoop {
  private var feedback = Quad.zero
  private var gain = Quad(repeating: 1)
  private var feedbackStep = Quad.zero
  private var gainStep = Quad.zero
  private var feedbackGoal: Float = 0
  private var gainGoal: Float = 1

  /// The level at which the curve reaches its maximum, two thirds of this level. The cubic's third harmonic of a sine at
  /// -10 dBFS is at -95 dB.
  private static var edge: Float { @_noLocks get { 16 } }

  @_noLocks init() {}

  /// The largest feedback.
  private static var most: Float { @_noLocks get { PhaserKnobs.mostFeedback } }

  /// Jumps to a feedback.
  @_noLocks
  mutating func snap(_ knob: Float) {
    find(knob)
    (feedback, feedbackStep) = (Quad(repeating: feedbackGoal), .zero)
    (gain, gainStep) = (Quad(repeating: gainGoal), .zero)
  }

  /// Aims at a feedback over the next `frames`.
  @_noLocks
  mutating func aim(_ knob: Float, frames: Int) {
    (feedback, gain) = (Quad(repeating: feedbackGoal), Quad(repeating: gainGoal))
    let (oldFeedback, oldGain) = (feedbackGoal, gainGoal)
    if knob != feedbackGoal { find(knob) }
    let perFrame = 1 / Float(frames)
    feedbackStep = Quad(repeating: (feedbackGoal - oldFeedback) * perFrame)
    gainStep = Quad(repeating: (gainGoal - oldGain) * perFrame)
  }

  @_noLocks
  private mutating func find(_ knob: Float) {
    feedbackGoal = max(-Self.most, min(knob, Self.most))
    // The loop raises the power of a noise by 1 / (1 - feedback²).
    gainGoal = rt_sqrt(1 - feedbackGoal * feedbackGoal)
  }

  /// The input of the loop in the next frame: the sound, and the output of the last frame.
  @_noLocks @inline(__always)
  mutating func next(_ sound: Quad, _ output: Quad) -> Quad {
    let y = Self.input(sound * gain, output, feedback)
    feedback += feedbackStep
    gain += gainStep
    return y
  }

  /// The inputs of the loop in four frames of one signal, the first of them `frame` frames after `aim`, for callers
  /// that do not use `next`.
  @_noLocks @inline(__always)
  func inputs(_ sound: Quad, _ outputs: Quad, at frame: Int) -> Quad {
    let frames = Quad(0, 1, 2, 3) + Float(frame)
    return rt_opaque(
      Self.input(
        sound * multiplyAdd(frames, gainStep, gain), outputs, multiplyAdd(frames, feedbackStep, feedback)))
  }

  @_noLocks @inline(__always)
  private static func input(_ sound: Quad, _ output: Quad, _ feedback: Quad) -> Quad {
    let edge = Quad(repeating: Self.edge)
    let x = larger(smaller(output, edge), -edge)
    let factor = multiplySubtract(x * (1 / (3 * Self.edge * Self.edge)), x, from: Quad(repeating: 1))
    return multiplyAdd(x * feedback, factor, sound)
  }
}
