import Scratch
import Testing
@testable import Scenes
@testable import Synth

/// Both sides of a filter in one pass, beside each by itself.
@Suite("Filters of both stereo sides in one pass") struct FilterPairTests {
  /// The samples that a filter adds to its mixes, tick by tick of `frames`, with a cutoff that moves: both sides at once, and
  /// one after the other.
  private static func samples(_ resonance: Float, frames: Int) -> (pair: [[Lanes]], alone: [[Lanes]]) {
    var random = SeededRandom.ofRun
    var filter = FilterLanes()
    filter.shape = FilterShape(
      resonance: Lanes(repeating: resonance), modes: FilterModes(), short: .zero)
    let needs = filter.jump(to: Lanes.random(in: 100...4_000, using: &random), rate: 48_000)
    var (right, alone) = (filter, [filter, filter])
    var (pairMix, aloneMix) = ([[Lanes]](repeating: [], count: 2), [[Lanes]](repeating: [], count: 2))
    var gains = (Ramp(), Ramp())
    gains.0.rest(at: Lanes(repeating: 0.5))
    gains.1.rest(at: Lanes(repeating: 0.3))
    gains.1.step = Lanes(repeating: 1e-4)
    for _ in 0..<40 {
      let hertz = Lanes.random(in: 100...4_000, using: &random)
      var x = (0..<frames).map { _ in Lanes.random(in: -4...4, using: &random) }
      var y = (0..<frames).map { _ in Lanes.random(in: -4...4, using: &random) }
      let silence = [Lanes](repeating: .zero, count: frames)
      filter.aimShaped(
        at: hertz, hertz: hertz, rate: 48_000, perFrame: 1 / Float(frames), needs: needs, before: needs)
      for side in 0..<2 {
        let state = alone[side].high.first
        alone[side].aimShaped(
          at: hertz, hertz: hertz, rate: 48_000, perFrame: 1 / Float(frames), needs: needs, before: needs)
        // What rings by itself begins to on the left, whose coefficients these are.
        if side == 1 { alone[side].high.first = state }
        var (own, mix) = (side == 0 ? x : y, silence)
        _ = alone[side].processShaped(
          &own, side == 0 ? gains.0 : gains.1, mix: &mix, frames: frames, needs: needs)
        aloneMix[side] += mix
      }
      var (left, other) = (silence, silence)
      _ = filter.process(
        &x, &right, &y, gains, to: &left, &other, frames: frames, needs: needs)
      pairMix[0] += left
      pairMix[1] += other
    }
    return (pairMix, aloneMix)
  }

  /// With a resonance that is saturated, too.
  @Test(
    "Filtering both sides in one pass gives the same bits as filtering each side alone",
    arguments: [Float(0.3), 1], [1, 2, 7, 16])
  func sidesTogether(_ resonance: Float, _ frames: Int) {
    let (pair, alone) = Self.samples(resonance, frames: frames)
    var (most, loudest): (Float, Float) = (0, 0)
    for side in 0..<2 {
      for (one, other) in zip(pair[side], alone[side]) {
        most = max(most, magnitude(one - other).max())
        loudest = max(loudest, magnitude(other).max())
      }
    }
    print("both sides: resonance \(resonance), \(frames) frames: \(most) of \(loudest)")
    #expect(loudest > 0.2)
    #expect(most == 0)
  }
}
