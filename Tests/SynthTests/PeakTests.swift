import EngineHarness
import Glibc
import Parameters
import Testing
@testable import Scenes
@testable import Synth

/// The peaks that a monitor shows: of the parts behind their strips, and of the outputs.
@Suite("Peak meters") struct PeakTests {
  /// Parts 1 and 3 play a steady sine each; part 3 is 12 dB lower and on the right.
  private func player() -> Player {
    var scene = Scene.initial
    let sine: [(String, Float)] = [
      ("/osc/1/wave", 0), ("/filter/cutoff", 20_000), ("/amp/velocity", 0), ("/amp/sustain", 1),
    ]
    for part in [0, 2] { scene.turn(sine, part: part) }
    scene.turn([("/on", 1), ("/level", -12), ("/pan", 1)], part: 2)
    let player = Player(scene)
    for part in [0, 2] { player.send(.noteOn, target: Event.part(part), note: 57, value: 1) }
    return player
  }

  @Test("Peaks of parts and outputs are not measured while the peak meters are off") func metersOff() {
    let player = player()
    player.play(9_600, block: 480)
    let peaks = player.link.peaks
    #expect(peaks.take(.left) == 0 && peaks.take(.right) == 0 && peaks.take(.part(0)) == 0)
    #expect(player.link.meters.takeShownPeak() > 0.01)
  }

  @Test("Each part and each output side has its own peak while the peak meters are on") func separatePeaks() {
    let player = player()
    let peaks = player.link.peaks
    player.play(19_200, block: 480)
    peaks.isOn = true
    // A measurement begins with a whole block.
    player.play(480, block: 480)
    for part in 0..<Limits.parts { _ = peaks.take(.part(part)) }
    _ = (peaks.take(.left), peaks.take(.right))
    (player.left, player.right) = ([], [])
    player.play(9_600, block: 480)
    let (left, right) = (peaks.take(.left), peaks.take(.right))
    #expect(left == player.left.peak && right == player.right.peak && right > left)
    let parts = (0..<Limits.parts).map { peaks.take(.part($0)) }
    // A part in the middle reaches both sides at its own level; one on the right gains 3 dB there.
    #expect(abs(decibels(parts[0] / left)) < 0.01, "\(parts)")
    #expect(abs(decibels(parts[2] / parts[0]) + 12 - 3.01) < 0.1, "\(parts)")
    #expect(parts.enumerated().allSatisfy { $0.element == 0 || $0.offset == 0 || $0.offset == 2 })
    // Each was taken, and nothing is measured any more.
    peaks.isOn = false
    player.play(480, block: 480)
    #expect(peaks.take(.left) == 0 && peaks.take(.part(0)) == 0)
  }

  @Test("Measuring peaks changes no bit of the output") func unchangedOutput() {
    let (one, other) = (player(), player())
    other.link.peaks.isOn = true
    one.play(9_600, block: 480)
    other.play(9_600, block: 480)
    #expect(one.left == other.left && one.right == other.right)
  }

  private func decibels(_ factor: Float) -> Float { 20 * log10f(factor) }
}
