import EngineHarness
import Glibc
import Parameters
import Testing
@testable import Scenes
@testable import Synth

/// The levels of strips and master, the pan law, and how each moves: frame by frame, in its time.
@Suite("Level and pan ramps") struct MixRampTests {
  private static let tone: [(String, Float)] = [
    ("/osc/1/wave", 0), ("/filter/cutoff", 20_000), ("/amp/attack", 0.001), ("/amp/velocity", 0),
    ("/amp/level", -6), ("/osc/1/level", 1),
  ]

  /// What moves the level of a part: a knob of the scene, or a balance of MIDI.
  enum Move: CaseIterable, Sendable {
    case level, mute, pan, master, balance

    /// The gains that it leads to, left and right.
    var gains: (Float, Float) {
      switch self {
      case .level, .master: (powf(10, -0.6), powf(10, -0.6))
      case .mute: (0, 0)
      // √2·cos and √2·sin of three eighths of half a turn.
      case .pan: (1.41421356 * cosf(3 * .pi / 8), 1.41421356 * sinf(3 * .pi / 8))
      case .balance: (0.25, 1)
      }
    }

    /// Seconds in which it goes all but 1/e of its way.
    var seconds: Float { self == .master ? 0.01 : Smoothed.seconds }

    func act(_ player: Player, _ scene: inout Scene) {
      switch self {
      case .level: scene[0].strip.level = -12
      case .mute: scene[0].strip.mute = 1
      case .pan: scene[0].strip.pan = 0.5
      case .master: scene.master.level = -12
      case .balance: player.send(.balance, value: 0.75)
      }
      player.link.scene.publish(scene)
    }
  }

  /// What is left of each frame of a tone: where that is loud enough to be told.
  private static func gains(_ moved: [Float], _ still: [Float]) -> [(frame: Int, gain: Float)] {
    let loud = 0.3 * still.peak
    return still.indices.filter { still[$0].magnitude > loud }.map { ($0, moved[$0] / still[$0]) }
  }

  /// No frame is further from the one before than the way allows, and after each time constant what belongs is left of it.
  @Test(
    "Level, mute, pan and balance move frame by frame along an exponential ramp",
    arguments: Move.allCases)
  func rampPerFrame(_ move: Move) {
    func play(_ act: Bool) -> Player {
      var scene = Scene.with(Self.tone)
      let player = Player(scene, running: true)
      player.press(81)
      player.play(4_800)
      (player.left, player.right) = ([], [])
      if act { move.act(player, &scene) }
      player.play(9_600)
      return player
    }
    let (still, moved) = (play(false), play(true))
    for (side, goal) in [(\Player.left, move.gains.0), (\.right, move.gains.1)] {
      let gains = Self.gains(moved[keyPath: side], still[keyPath: side])
      let step = (1 - goal).magnitude / (move.seconds * 48_000)
      for (one, next) in zip(gains, gains.dropFirst()) {
        let most = 1.05 * step * Float(next.frame - one.frame) + 1e-5
        #expect((next.gain - one.gain).magnitude <= most, "\(move), frame \(next.frame)")
      }
      for (frame, gain) in gains where frame > Limits.lookAhead {
        // A tick is on a straight line.
        let way = exp(-Float(frame - Limits.lookAhead) / (move.seconds * 48_000))
        let expected = goal + (1 - goal) * way
        #expect((gain - expected).magnitude < 0.06 * (1 - goal).magnitude + 1e-4, "\(move), frame \(frame)")
      }
      #expect(gains.last.map { ($0.gain - goal).magnitude < 2e-4 } == true, "\(move)")
    }
  }

  @Test(
    "A level, mute, pan or balance moved during silence has arrived before the next note",
    arguments: Move.allCases)
  func rampInSilence(_ move: Move) {
    func note(late: Bool) -> (left: [Float], right: [Float]) {
      var scene = Scene.with(Self.tone)
      let player = Player(scene, running: true)
      if !late { move.act(player, &scene) }
      player.play(4_800)
      if late { move.act(player, &scene) }
      player.play(9_600)
      player.press(81)
      (player.left, player.right) = ([], [])
      player.play(960)
      return (player.left, player.right)
    }
    let (late, early) = (note(late: true), note(late: false))
    for (a, b) in [(late.left, early.left), (late.right, early.right)] {
      #expect(zip(a, b).allSatisfy { ($0 - $1).magnitude < 1e-5 }, "\(move)")
    }
    #expect(move == .mute || early.right.peak > 0.01)
  }

  @Test("The levels and the pan of the first scene apply at once, without a ramp") func initialLevels() {
    func note(after frames: Int) -> [Float] {
      let player = Player(.with(Self.tone + [("/level", -12), ("/master/level", -6), ("/pan", -0.4)]))
      player.play(frames)
      player.press(81)
      player.left = []
      player.play(960)
      return player.left
    }
    #expect(isSame(note(after: 0).bits, note(after: 64 * 100).bits))
  }

  @Test("A level that was reset jumps to its next target without a ramp") func levelReset() {
    var level = Level()
    func process() -> [Float] {
      var (l, r) = ([Float](repeating: 1, count: 16), [Float](repeating: 1, count: 16))
      level.process(&l, &r, frames: 16)
      return l + r
    }
    level.aim(0.5, frames: 16, rate: 48_000)
    #expect(process().allSatisfy { $0 == 0.5 })
    level.reset()
    level.aim(0.25, frames: 16, rate: 48_000)
    #expect(process().allSatisfy { $0 == 0.25 })
  }

  @Test(
    "The pan of a part follows the equal-power law, with unchanged level in the middle",
    arguments: [-2, -1, -0.7, -0.25, 0, 0.1, 0.5, 1, 3] as [Float])
  func equalPower(_ pan: Float) {
    func peaks(_ pan: Float) -> (left: Float, right: Float) {
      var scene = Scene.with(Self.tone)
      scene[0].strip.pan = pan
      let player = Player(scene)
      player.press(81)
      player.play(4_800)
      return (player.left.peak, player.right.peak)
    }
    let (middle, place) = (peaks(0), peaks(pan))
    // One voice at full level lies 14 dB under full scale.
    #expect((middle.left - 0.2 * powf(10, -0.3)).magnitude < 0.002 && middle.left == middle.right)
    let angle = (max(-1, min(pan, 1)) + 1) * .pi / 4
    #expect((place.left / middle.left - 1.41421356 * cosf(angle)).magnitude < 1e-3)
    #expect((place.right / middle.right - 1.41421356 * sinf(angle)).magnitude < 1e-3)
  }

  @Test("Balance messages of three devices add up, but no further than to one side") func balanceSum() {
    let player = Player(.with(Self.tone))
    player.press(81)
    for source in 0..<3 { player.send(.balance, source: source, value: 0.8) }
    player.play(9_600)
    (player.left, player.right) = ([], [])
    player.play(960)
    #expect(player.left.peak < 1e-5 && player.right.peak > 0.05)
  }
}
