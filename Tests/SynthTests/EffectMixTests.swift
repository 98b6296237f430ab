import EngineHarness
import Parameters
import Testing
@testable import Scenes
@testable import Synth

/// The mixes of a sound's effects as targets of the matrix.
@Suite("Effect mixes as modulation targets") struct EffectMixTests {
  typealias Knobs = [(String, Float)]

  static let effects = RackEffect.all
  private static let plain: Knobs = [
    ("/amp/velocity", 0), ("/amp/attack", 0.001), ("/amp/release", 0.02), ("/filter/release", 0.02),
    // The wheel's vibrato.
    ("/lfo/1/wheel", 0),
  ]

  private func play(_ knobs: Knobs, frames: Int = 2_400, block: Int = 64) -> Player {
    let player = Player(.with(Self.plain + knobs))
    player.press(57, velocity: 0.8)
    player.play(frames, block: block)
    return player
  }

  private func difference(_ one: [Float], _ other: [Float]) -> Float {
    zip(one, other).map { abs($0 - $1) }.max() ?? 1
  }

  /// From nothing too. Measured 3e-7.
  @Test("A modulation slot that moves the mix sounds like the knob set to the same mix", arguments: effects)
  func aSlotIsTheKnob(_ effect: RackEffect) {
    for (from, to) in [(0.9, 0.3), (0, 0.5)] as [(Float, Float)] {
      let slot = ModulationTests.slot(1, .constant, effect.target, to - from)
      let (knob, moved) = (play(effect.mixed(to)), play(effect.mixed(from) + slot))
      let still = play(effect.mixed(from))
      let error = max(difference(knob.left, moved.left), difference(knob.right, moved.right))
      #expect(error < 1e-5 && difference(still.left, moved.left) > 0.005, "\(from) \(to) \(error)")
    }
  }

  /// The wheel goes where the knob goes, as smoothly, and when it has arrived it sounds the same: a tenth of a second
  /// later only the reverb still has something of how they went there.
  @Test(
    "The modulation wheel moves the mix as smoothly as the knob does, to the same sound",
    arguments: effects)
  func wheelMovesMix(_ effect: RackEffect) {
    let slot = ModulationTests.slot(1, .wheel, effect.target, 0.5)
    let (by, from) = (play(effect.mixed(0.2) + slot), play(effect.mixed(0.2)))
    #expect(isSame(by.left.bits, from.left.bits))
    by.send(.wheel, value: 1)
    from.link.scene.publish(.with(Self.plain + effect.mixed(0.7)))
    by.play(7_200)
    from.play(7_200)
    let error = difference(Array(by.left.suffix(2_400)), Array(from.left.suffix(2_400)))
    #expect(error < 0.01 * from.left.peak, "\(error) of \(from.left.peak)")
    let steps = (Array(by.left.suffix(7_200)).largestStep, Array(from.left.suffix(7_200)).largestStep)
    #expect(steps.0 < 1.2 * steps.1, "\(steps)")
  }

  @Test("The modulation wheel changes the reverb mix of a tail after the last voice has ended")
  func wheelMovesTail() {
    let knobs: Knobs =
      [("/reverb/on", 1), ("/reverb/mix", 0.05), ("/reverb/decay", 10)]
      + ModulationTests.slot(1, .wheel, .reverbMix, 0.45)
    func tail(wheel: Float) -> Float {
      let player = play(knobs)
      player.lift(57)
      player.play(7_200)
      #expect(player.voices == 0)
      player.send(.wheel, value: wheel)
      player.play(2_400)
      player.left = []
      player.play(2_400)
      return player.left.peak
    }
    let (down, up) = (tail(wheel: 0), tail(wheel: 1))
    #expect(down > 0 && abs(up / down - 10) < 0.2, "\(up / down)")
  }

  @Test("The mix follows the velocity of the last note struck, and after its end of the note before")
  func newestNote() {
    let slot = ModulationTests.slot(1, .velocity, .driveMix, 1)
    let effect = Self.effects[0]
    #expect(effect.target == .driveMix)
    func play(_ knobs: Knobs) -> Player {
      let player = Player(.with(Self.plain + knobs))
      player.press(45, velocity: 0.75)
      player.play(2_400)
      player.press(57, velocity: 0.25)
      player.play(4_800)
      player.lift(57)
      player.play(7_200)
      return player
    }
    let (moved, low, high) = (
      play(effect.mixed(0) + slot), play(effect.mixed(0.25)), play(effect.mixed(0.75))
    )
    for (frames, knob) in [(1_200..<2_400, high), (4_800..<7_200, low), (12_000..<14_400, high)] {
      let error = difference(Array(moved.left[frames]), Array(knob.left[frames]))
      #expect(error < 1e-4, "\(frames): \(error)")
    }
    #expect(difference(Array(low.left.suffix(2_400)), Array(high.left.suffix(2_400))) > 0.01)
  }

  @Test(
    "An effect that is off stays off despite a slot for its mix; a slot of amount 0 changes no bit",
    arguments: effects)
  func offStaysOff(_ effect: RackEffect) {
    let slot = ModulationTests.slot(1, .constant, effect.target, 1)
    let off: Knobs = effect.mixed(0.5) + [(effect.on, 0)]
    #expect(isSame(play(off + slot).left.bits, play([]).left.bits))
    let none = ModulationTests.slot(1, .lfo, effect.target, 0)
    #expect(isSame(play(effect.mixed(0.5) + none).left.bits, play(effect.mixed(0.5)).left.bits))
  }

  @Test("Modulated effect mixes are bit-identical for blocks of 7, 48, 64 and 480 frames")
  func anySplitGivesTheSameBits() {
    var knobs: Knobs = Self.effects.flatMap { $0.mixed(0.4) }
    knobs += [("/lfo/1/rate", 20), ("/lfo/2/rate", 13), ("/lfo/2/mode", 2)]
    let sources: [ModulationSource] = [.lfo, .lfo2, .velocity, .wheel, .ampEnvelope]
    for (number, effect) in Self.effects.enumerated() {
      knobs += ModulationTests.slot(number + 1, sources[number % sources.count], effect.target, 0.4)
    }
    let all = Self.plain + knobs
    func render(_ block: Int) -> [UInt32] {
      let player = Player(.with(all))
      player.press(57, at: 100, velocity: 0.9)
      player.press(64, at: 777, velocity: 0.3)
      player.send(.wheel, at: 1_000, value: 0.7)
      player.lift(64, at: 1_234)
      player.lift(57, at: 1_300)
      player.play(3_600, block: block)
      return player.left.bits + player.right.bits
    }
    let whole = render(64)
    for block in [7, 48, 480] {
      let isTheSame = isSame(render(block), whole)
      #expect(isTheSame, "blocks of \(block)")
    }
  }

  @Test("A square LFO that moves the mix adds no click to a low sine", arguments: effects)
  func nothingClicksWhenItJumps(_ effect: RackEffect) {
    let knobs: Knobs = effect.knobs + [("/osc/1/wave", 0), ("/lfo/1/wave", 3), ("/lfo/1/rate", 20)]
    func step(_ more: Knobs) -> Float {
      Array(play(knobs + more, frames: 7_200).left.dropFirst(2_400)).largestStep
    }
    let still = [0.1, 0.5, 0.9].map { step([(effect.mix, $0)]) }.max() ?? 0
    let jumping = step([(effect.mix, 0.5)] + ModulationTests.slot(1, .lfo, effect.target, 0.4))
    #expect(jumping < 1.2 * still, "\(jumping / still)")
  }
}
