import EngineHarness
import Testing

/// Plays a sound through an effect as the rack does: aimed at every control tick, each cut into pieces of these lengths.
func playInTicks(
  _ left: [Float], _ right: [Float], cuts: [Int] = [16], aim: (Int) -> Void,
  process: (UnsafeMutablePointer<Float>, UnsafeMutablePointer<Float>, Int) -> Void
) -> (left: [Float], right: [Float]) {
  var (l, r) = (left, right)
  l.withUnsafeMutableBufferPointer { l in
    r.withUnsafeMutableBufferPointer { r in
      guard let left = l.baseAddress, let right = r.baseAddress else { return }
      for tick in stride(from: 0, to: l.count, by: 16) {
        aim(tick / 16)
        let end = min(16, l.count - tick)
        var (at, cut) = (0, 0)
        while at < end {
          let frames = min(cuts[cut % cuts.count], end - at)
          process(left + (tick + at), right + (tick + at), frames)
          (at, cut) = (at + frames, cut + 1)
        }
      }
    }
  }
  return (l, r)
}

/// Expects the same bits of a rendering whatever the pieces are into which its ticks are cut.
func expectSameInAnySplit(_ bits: ([Int]) -> [UInt32]) {
  let whole = bits([16])
  for cuts in [[1], [5, 11], [8], [3, 9, 4], [15, 1]] {
    let same = isSame(bits(cuts), whole)
    #expect(same, "\(cuts)")
  }
}
