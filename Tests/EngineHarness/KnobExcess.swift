import Glibc
import Parameters
import Scenes
import Synth

/// How far a sound exceeds its steady state while a knob of an effect moves.
public struct KnobExcess: Sendable {
  /// The peak while the knob moves, relative to the peak of the steady sound.
  public var peak: Float = 0
  /// The largest step between two samples while the knob moves, relative to that of the steady sound.
  public var step: Float = 0
  /// The peak without any input, before or during the move.
  public var silence: Float = 0

  /// Times of a measurement in frames (`settling` until the sound is steady, `moment` for a measurement, `hold` from
  /// one jump to the next), and the sample rate.
  public struct Times: Sendable {
    public let rate: Double
    public let settling: Int
    public let moment: Int
    public let hold: Int
    /// The number of evenly spaced knob values at which the steady sound is measured.
    public let places: Int

    public init(rate: Double, settling: Int, moment: Int, hold: Int, places: Int) {
      (self.rate, self.settling, self.moment, self.hold, self.places) = (rate, settling, moment, hold, places)
    }

    /// Frames in which a chorus completes its modulation cycle.
    var swing: Int { Int(rate) }
  }

  /// The frequency of the test tone in Hz.
  static let hertz: Float = 220

  private let knob: EffectKnob
  private let times: Times

  /// Moves a knob under a held sine of `hertz`: a continuous knob jumps to the other end and back and is swept, and a
  /// switch passes through all its values.
  public init(_ knob: EffectKnob, _ times: Times) {
    (self.knob, self.times) = (knob, times)
    let rest = places.map { value in
      let player = start(at: value)
      return measured(player) {
        player.play(knob.swings && knob.loudest.contains(value) ? times.swing : times.moment)
      }
    }
    let moves = knob.isSwitched ? [jumped()] : [jumped(), swept()]
    func largest(_ all: [(Float, Float)], _ part: ((Float, Float)) -> Float) -> Float {
      all.map(part).max() ?? 0
    }
    peak = largest(moves) { $0.0 } / largest(rest) { $0.0 }
    step = largest(moves) { $0.1 } / largest(rest) { $0.1 }
    silence = inSilence()
  }

  private static let sine: [(String, Float)] = [
    ("/osc/1/wave", 0), ("/osc/1/level", 0.5), ("/osc/2/wave", 0), ("/sub/wave", 0),
    ("/filter/cutoff", 20_000),
    ("/filter/track", 0), ("/amp/velocity", 0), ("/level", -18),
  ]

  /// The knob values at which the steady sound is measured.
  private var places: [Float] {
    if knob.isSwitched { return knob.values }
    let even = (0..<times.places).map { way(Float($0) / Float(times.places - 1)) }
    return even + knob.loudest
  }

  private func way(_ way: Float) -> Float { Table.rows[knob.row].kind.value(fader: way) ?? 0 }

  private func start(at value: Float, level: Float = 0) -> Player {
    let player = Player(scene(at: value, level: level), rate: times.rate, running: true)
    // Makes the effects for this sample rate.
    player.link.scene.service()
    player.press(57)
    if level > Limits.silence { player.play(knob.rings ? times.settling : times.settling / 3) }
    return player
  }

  private func scene(at value: Float, level: Float) -> Scene {
    .with(Self.sine + knob.others + [(knob.address, value), ("/amp/level", level)])
  }

  private func turn(_ player: Player, to value: Float, level: Float) {
    player.link.scene.publish(scene(at: value, level: level))
    player.link.scene.service()
  }

  private func measured(_ player: Player, _ play: () -> Void) -> (Float, Float) {
    // Keeps two frames, so that a step at the beginning is measured.
    (player.left, player.right) = (player.left.suffix(2), player.right.suffix(2))
    play()
    return (
      max(player.left.peak, player.right.peak), max(player.left.largestStep, player.right.largestStep)
    )
  }

  private func jumped() -> (Float, Float) {
    let player = start(at: knob.values[0])
    return measured(player) { jump(player, level: 0) }
  }

  private func jump(_ player: Player, level: Float) {
    for value in knob.values.dropFirst() + [knob.values[0]] {
      turn(player, to: value, level: level)
      player.play(times.hold)
    }
  }

  private func swept() -> (Float, Float) {
    let player = start(at: knob.values[0])
    return measured(player) {
      let steps = 2 * times.hold / 64
      for step in 1...steps {
        turn(player, to: way(0.5 - 0.5 * cos(2 * Float.pi * Float(step) / Float(steps))), level: 0)
        player.play(64)
      }
    }
  }

  /// Plays a note at the level of silence, so that the effects are rendered without input.
  private func inSilence() -> Float {
    let player = start(at: knob.values[0], level: Limits.silence)
    return measured(player) { jump(player, level: Limits.silence) }.0
  }
}
