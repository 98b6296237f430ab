import EngineHarness
import Glibc
import Parameters
import Testing
@testable import Scenes
@testable import Synth

/// The knobs of oscillators, mixer, sub oscillator, noise, filter and glide as targets of the matrix, and the place of a
/// voice between left and right.
@Suite("Modulation targets") struct MatrixTargetTests {
  typealias Knobs = [(String, Float)]

  /// A target, the knob that it moves, from where to where that is, and the amount that does it.
  struct Move: CustomStringConvertible, Sendable {
    let target: ModulationTarget
    let address: String
    let from: Float
    let to: Float
    let amount: Float
    var description: String { "\(target.rawValue) \(from)…\(to)" }

    init(_ target: ModulationTarget, _ address: String, _ from: Float, _ to: Float, _ amount: Float) {
      (self.target, self.address, self.from, self.to, self.amount) = (target, address, from, to, amount)
    }
  }

  static let moves: [Move] = [
    Move(.level1, "/osc/1/level", 0.2, 0.7, 0.5), Move(.level1, "/osc/1/level", 0.5, 0, -0.7),
    Move(.level2, "/osc/2/level", 0.2, 0.7, 0.5), Move(.level2, "/osc/2/level", 0, 0.5, 0.5),
    Move(.feedback1, "/osc/1/feedback", 0.1, 0.6, 0.5), Move(.feedback1, "/osc/1/feedback", 0, 0.5, 0.5),
    Move(.feedback2, "/osc/2/feedback", 0.1, 0.6, 0.5), Move(.feedback2, "/osc/2/feedback", 0, 1, 1),
    Move(.detune1, "/osc/1/detune", 10, 40, 2 / 7.6438562),
    Move(.detune2, "/osc/2/detune", 80, 5, -4 / 7.6438562),
    Move(.drift1, "/osc/1/drift", 5, 20, 0.5), Move(.drift2, "/osc/2/drift", 0, 15, 0.5),
    Move(.pm, "/osc/1/pm", 1, 3, 0.1), Move(.pm, "/osc/1/pm", 0, 2, 0.1),
    Move(.ring, "/ring/level", 0.2, 0.7, 0.5), Move(.ring, "/ring/level", 0, 0.5, 0.5),
    Move(.subLevel, "/sub/level", 0.2, 0.7, 0.5), Move(.subLevel, "/sub/level", 0, 0.5, 0.5),
    Move(.noiseLevel, "/noise/level", 0.2, 0.7, 0.5), Move(.noiseLevel, "/noise/level", 0, 0.5, 0.5),
    Move(.noiseColor, "/noise/color", -0.8, -0.3, 0.5), Move(.noiseColor, "/noise/color", 0, 0.5, 0.5),
    Move(.noiseColor, "/noise/color", 0.5, -1, -1.5 / 1.5),
    Move(.filterAmount, "/filter/amount", 1, 5, 0.5), Move(.filterAmount, "/filter/amount", 0, -4, -0.5),
    Move(.spread1, "/osc/1/spread", 0.2, 0.7, 0.5), Move(.spread1, "/osc/1/spread", 0, 1, 1),
    Move(.spread2, "/osc/2/spread", 0, 0.5, 0.5), Move(.spread2, "/osc/2/spread", 0.8, 0.1, -0.7),
    Move(.blend1, "/osc/1/blend", 0.75, 0.25, -0.5), Move(.blend1, "/osc/1/blend", 0, 0.5, 0.5),
    Move(.blend2, "/osc/2/blend", 1, 0, -1), Move(.blend2, "/osc/2/blend", 0.2, 0.7, 0.5),
    Move(.ampSustain, "/amp/sustain", 0.3, 0.8, 0.5), Move(.ampSustain, "/amp/sustain", 1, 0, -1),
    Move(.filterSustain, "/filter/sustain", 0, 0.6, 0.6), Move(.sustain3, "/env/3/sustain", 0.9, 0.2, -0.7),
    Move(.level3, "/osc/3/level", 0.2, 0.7, 0.5), Move(.level3, "/osc/3/level", 0, 0.5, 0.5),
    Move(.feedback3, "/osc/3/feedback", 0.1, 0.6, 0.5),
    Move(.detune3, "/osc/3/detune", 80, 5, -4 / 7.6438562), Move(.drift3, "/osc/3/drift", 0, 15, 0.5),
    Move(.spread3, "/osc/3/spread", 0, 0.5, 0.5), Move(.blend3, "/osc/3/blend", 1, 0, -1),
    Move(.pm2, "/osc/2/pm", 1, 3, 0.1), Move(.pm2, "/osc/2/pm", 0, 2, 0.1),
    Move(.filterFM, "/filter/fm", 1, 3, 0.5), Move(.filterFM, "/filter/fm", 0, 2, 0.5),
    Move(.filterTrack, "/filter/track", 0.2, 0.7, 0.5), Move(.glideSpeed, "/play/glide", 0.4, 0.1, 0.4),
  ]

  /// Knobs that make the target's one heard.
  private static func base(_ target: ModulationTarget) -> Knobs {
    let level: Knobs = [("/amp/velocity", 0), ("/amp/attack", 0.001), ("/filter/cutoff", 3_000)]
    switch target {
    case .level1, .level2: return level + [("/osc/2/semitone", 7)]
    case .feedback1, .pm: return level + [("/osc/1/wave", 0), ("/osc/2/wave", 0)]
    case .feedback2: return level + [("/osc/2/wave", 0), ("/osc/2/level", 0.5)]
    case .detune1, .detune2:
      return level + [
        ("/osc/1/unison", 4), ("/osc/2/unison", 3), ("/osc/2/level", 0.5), ("/sub/level", 0.5),
        ("/osc/1/spread", 0), ("/osc/2/spread", 0),
      ]
    case .spread1, .spread2, .blend1, .blend2:
      return level + [("/osc/1/unison", 3), ("/osc/2/unison", 7), ("/osc/2/level", 0.5)]
    case .level3: return level + [("/osc/3/semitone", 7)]
    case .feedback3, .drift3: return level + [("/osc/3/wave", 0), ("/osc/3/level", 0.5)]
    case .detune3, .spread3, .blend3: return level + [("/osc/3/unison", 7), ("/osc/3/level", 0.5)]
    case .pm2:
      return level + [("/osc/1/level", 0), ("/osc/2/level", 0.5), ("/osc/2/wave", 0), ("/osc/3/wave", 0)]
    case .filterFM: return level + [("/osc/2/wave", 0), ("/osc/2/octave", 1), ("/filter/cutoff", 1_000)]
    case .ampSustain: return level + [("/amp/decay", 0.1)]
    case .filterSustain:
      return level + [("/filter/cutoff", 400), ("/filter/amount", 3), ("/filter/decay", 0.1)]
    case .sustain3: return level + [("/env/3/pitch", 12), ("/env/3/decay", 0.1)]
    case .drift1: return level + [("/osc/1/wave", 0)]
    case .drift2: return level + [("/osc/2/wave", 0), ("/osc/2/level", 0.5)]
    case .ring: return level + [("/osc/1/wave", 0), ("/osc/2/wave", 0), ("/osc/2/semitone", 7)]
    case .subLevel: return level + [("/sub/wave", 0)]
    case .noiseColor: return level + [("/noise/level", 0.5)]
    case .filterAmount: return level + [("/filter/cutoff", 400), ("/filter/decay", 0.5)]
    case .filterTrack: return level + [("/filter/cutoff", 400)]
    case .glideSpeed: return level + [("/play/mode", 1)]
    default: return level
    }
  }

  private func play(_ knobs: Knobs, note: Int = 72, velocity: Float = 1, frames: Int = 4_800) -> Player {
    let player = Player(.with(knobs))
    player.press(note, velocity: velocity)
    player.play(frames)
    return player
  }

  private func power(_ samples: some Sequence<Float>) -> Double {
    samples.reduce(0.0) { $0 + Double($1) * Double($1) }
  }

  private func decibels(_ one: Player, over other: Player) -> Double {
    10 * log10(power(one.left.dropFirst(1_000)) / power(other.left.dropFirst(1_000)))
  }

  private func difference(_ one: Player, _ other: Player) -> Float {
    let left = zip(one.left, other.left).map { abs($0 - $1) }.max() ?? 1
    return max(left, zip(one.right, other.right).map { abs($0 - $1) }.max() ?? 1)
  }

  /// Measured 4e-6 at most.
  @Test("A slot that moves a knob to a value sounds the same as the knob set to that value", arguments: moves)
  func slotMatchesKnob(_ move: Move) {
    // A colour goes no further than its knob.
    let amount = move.target == .noiseColor && move.to == -1 ? -2 : move.amount
    let slots =
      amount < -1
      ? ModulationTests.slot(1, .constant, move.target, -1)
        + ModulationTests.slot(2, .constant, move.target, -1)
      : ModulationTests.slot(1, .constant, move.target, amount)
    let base = Self.base(move.target)
    let players = [base + [(move.address, move.to)], base + [(move.address, move.from)] + slots].map {
      knobs in
      let player = Player(.with(knobs))
      player.press(60, velocity: 1)
      player.play(2_400)
      player.press(79, velocity: 1)
      player.play(4_800)
      return player
    }
    let still = Player(.with(base + [(move.address, move.from)]))
    still.press(60, velocity: 1)
    still.play(2_400)
    still.press(79, velocity: 1)
    still.play(4_800)
    let moved = difference(players[0], players[1])
    #expect(moved < 1e-4 && difference(players[0], still) > 100 * moved, "\(moved)")
  }

  @Test("An amount of 0.3 on a mixer level of 0.1 raises its source by 12.04 dB") func levelDecibels() {
    let silent: Knobs = [("/osc/1/level", 0), ("/filter/cutoff", 20_000), ("/amp/velocity", 0)]
    for (target, address) in [
      (ModulationTarget.level1, "/osc/1/level"), (.level2, "/osc/2/level"), (.subLevel, "/sub/level"),
      (.noiseLevel, "/noise/level"), (.ring, "/ring/level"),
    ] {
      let loud = play(silent + [(address, 0.1)] + ModulationTests.slot(1, .constant, target, 0.3))
      let quiet = play(silent + [(address, 0.1)])
      #expect(abs(decibels(loud, over: quiet) - 12.041) < 0.01, "\(address)")
    }
  }

  /// A sine by a sine of the same pitch an octave and more below: the Bessel function of the index says how strong.
  @Test("An amount of 0.075 on phase modulation gives the sidebands of index 1.5 within 0.1 dB")
  func anAmountOnThePhaseModulationIsItsIndex() {
    let knobs: Knobs = [
      ("/osc/1/wave", 0), ("/osc/1/octave", 3), ("/osc/2/wave", 0), ("/filter/cutoff", 20_000),
      ("/filter/track", 0),
    ]
    let player = play(knobs + ModulationTests.slot(1, .constant, .pm, 0.075), note: 57, frames: 24_000)
    let spectrum = Spectrum(player.left.dropFirst(4_800), size: 16_384)
    let carrier = spectrum.power(from: 1_750, to: 1_770)
    for side in [1_540.0, 1_980] {
      let measured = 10 * log10(spectrum.power(from: side - 10, to: side + 10) / carrier)
      #expect(abs(measured - 20 * log10(abs(jn(1, 1.5) / j0(1.5)))) < 0.1)
    }
  }

  @Test(
    "Two voices modulated by their velocities sound together as the sum of each voice alone",
    arguments: [
      ModulationTarget.level1, .level2, .feedback1, .pm, .ring, .subLevel, .filterAmount,
      .filterTrack, .pan, .ampSustain, .filterSustain,
    ])
  func independentVoices(_ target: ModulationTarget) {
    let knobs =
      Self.base(target) + ModulationTests.slot(1, .velocity, target, 0.3)
      + [("/osc/1/unison", 1), ("/amp/velocity", 0.5), ("/amp/level", -12)]
    let chord = Player(.with(knobs))
    chord.press(60, velocity: 0.9)
    chord.press(67, velocity: 0.2)
    chord.play(4_800)
    let (one, other) = (play(knobs, note: 60, velocity: 0.9), play(knobs, note: 67, velocity: 0.2))
    for (both, parts) in [(chord.left, (one.left, other.left)), (chord.right, (one.right, other.right))] {
      let most = both.indices.map { abs(both[$0] - parts.0[$0] - parts.1[$0]) }.max() ?? 1
      #expect(most < 1e-5 && both.peak > 0.01, "\(most)")
    }
  }

  @Test("A voice panned by the matrix follows the equal-power law from left to right") func equalPowerPan() {
    let plain = play([])
    for place in [-1, -0.5, 0, 0.25, 1] as [Float] {
      let player = play(
        ModulationTests.slot(1, .constant, .pan, place) + ModulationTests.slot(2, .constant, .pan, 0.001))
      let angle = Double(max(-1, min(place + 0.001, 1)) + 1) * Double.pi / 4
      let (left, right) = (power(player.left), power(player.right))
      #expect(abs((left + right) / (2 * power(plain.left)) - 1) < 0.001)
      #expect(abs(left / (left + right) - cos(angle) * cos(angle)) < 0.001)
      #expect(abs(right / (left + right) - sin(angle) * sin(angle)) < 0.001)
    }
  }

  @Test("Slots with an amount of 0 change no bit, whatever their target") func zeroAmounts() {
    let plain = play([("/osc/2/level", 0.5)])
    for first in stride(from: 1, to: ModulationTarget.count, by: Limits.slots) {
      var knobs: Knobs = [("/osc/2/level", 0.5)]
      for number in 1...Limits.slots where first + number - 1 < ModulationTarget.count {
        knobs += ModulationTests.slot(number, .lfo, ModulationTarget.allCases[first + number - 1], 0)
      }
      let player = play(knobs)
      #expect(isSame(plain.left.bits, player.left.bits) && isSame(plain.right.bits, player.right.bits))
    }
  }

  /// A slot that is turned on and off, and a source that jumps as an LFO's square does, under a low note: no step is much
  /// larger than those of the sounds at both ends.
  @Test(
    "A target that jumps by a switched slot or a square LFO makes no click under a low note",
    arguments: [
      (ModulationTarget.level1, 0.3), (.level2, 0.5), (.feedback1, 1), (.feedback2, 1), (.detune1, 0.3),
      (.drift1, 1),
      (.pm, 0.05), (.ring, 1), (.subLevel, 1), (.noiseLevel, 0.5), (.noiseColor, 0.5), (.filterAmount, 0.3),
      (.filterTrack, 0.5), (.pan, 1), (.spread1, 0.5), (.blend1, 0.7), (.ampSustain, -0.5),
    ] as [(ModulationTarget, Float)])
  func targetJumps(_ target: ModulationTarget, _ amount: Float) {
    let still: Knobs = [
      ("/osc/1/wave", 0), ("/osc/1/level", 0.4), ("/osc/2/wave", 0), ("/osc/2/level", 0.3),
      ("/osc/2/semitone", 7),
      ("/osc/1/unison", target == .detune1 ? 4 : [.spread1, .blend1].contains(target) ? 3 : 1),
      ("/osc/1/spread", target == .spread1 ? 0.5 : 0), ("/sub/wave", 0), ("/amp/decay", 0.2),
      ("/noise/color", target == .noiseColor ? -1 : 0), ("/noise/level", target == .noiseColor ? 0.3 : 0),
      ("/amp/velocity", 0), ("/filter/cutoff", 4_000), ("/filter/sustain", 1), ("/lfo/1/wave", 3),
      ("/lfo/1/rate", 4),
    ]
    func play(_ source: ModulationSource, _ amounts: [Float]) -> Player {
      let player = Player(.with(still), running: true)
      player.press(45, velocity: 1)
      for amount in amounts {
        player.link.scene.publish(.with(still + ModulationTests.slot(1, source, target, amount)))
        player.play(12_000, block: 256)
      }
      return player
    }
    func step(_ player: Player, _ side: KeyPath<Player, [Float]>, from first: Int) -> Float {
      Array(player[keyPath: side][first...]).largestStep
    }
    let resting = [0, amount, -amount].map { play(.constant, [$0, $0]) }
    for side in [\Player.left, \Player.right] {
      let most = resting.map { step($0, side, from: 12_000) }.max() ?? 0
      for source in [ModulationSource.constant, .lfo] {
        let jumping = step(play(source, [0, amount, 0]), side, from: 4_800)
        // Measured 1.05 for the slot, and 2.7 for the LFO's edge at a level, which takes a tick; at once it would be 30.
        #expect(jumping < (source == .lfo ? 3 : 1.2) * most, "\(source) \(jumping / most)")
      }
    }
  }
}
