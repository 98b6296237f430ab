import Glibc
import Parameters
import Synth

/// How far a sound gets beyond what it has at rest while a knob of an effect moves.
public struct KnobExcess: Sendable {
  /// The loudest sample, and the largest step from one to the next, times those of the sound at rest.
  public var peak: Float = 0
  public var step: Float = 0
  /// The loudest sample where nothing comes in, neither before nor since.
  public var silence: Float = 0

  /// The sample rate, and frames: until the sound is at rest, of a moment that is measured, from one jump to the next.
  public struct Times: Sendable {
    public let rate: Double
    public let settling: Int
    public let moment: Int
    public let hold: Int
    /// Places where the sound is measured at rest.
    public let places: Int

    public init(rate: Double, settling: Int, moment: Int, hold: Int, places: Int) {
      (self.rate, self.settling, self.moment, self.hold, self.places) = (rate, settling, moment, hold, places)
    }

    /// Frames in which a chorus has swung through all that it has.
    var swing: Int { Int(rate) }
  }

  /// The tone that it is measured under.
  static let hertz: Float = 220

  private let knob: EffectKnob
  private let times: Times

  /// Moves a knob under a held sine of `hertz`: jumps there and back, and is swept, or takes all of its values in a row.
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

  /// Where the sound is measured at rest.
  private var places: [Float] {
    if knob.isSwitched { return knob.values }
    let even = (0..<times.places).map { way(Float($0) / Float(times.places - 1)) }
    return even + knob.loudest
  }

  private func way(_ way: Float) -> Float { Table.rows[knob.row].kind.value(fader: way) ?? 0 }

  private func start(at value: Float, level: Float = 0) -> Player {
    let player = Player(scene(at: value, level: level), rate: times.rate, running: true)
    // Effects for this sample rate.
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
    // Two frames more, so that a step at the beginning counts.
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

  /// A note whose level is none, so that the effects are rendered and nothing comes in.
  private func inSilence() -> Float {
    let player = start(at: knob.values[0], level: Limits.silence)
    return measured(player) { jump(player, level: Limits.silence) }.0
  }
}
