import EngineHarness
import Testing

/// Plays a sound through an effect as the rack does: aimed at every control tick, each cut into pieces of these lengths.
/// As in the rack, there is memory for a whole tick behind each piece, because effects round frames up to vectors.
func playInTicks(
  _ left: [Float], _ right: [Float], cuts: [Int] = [16], aim: (Int) -> Void,
  process: (UnsafeMutablePointer<Float>, UnsafeMutablePointer<Float>, Int) -> Void
) -> (left: [Float], right: [Float]) {
  let room = [Float](repeating: 0, count: 16)
  var (l, r) = (left + room, right + room)
  l.withUnsafeMutableBufferPointer { l in
    r.withUnsafeMutableBufferPointer { r in
      guard let left = l.baseAddress, let right = r.baseAddress else { return }
      for tick in stride(from: 0, to: l.count - room.count, by: 16) {
        aim(tick / 16)
        let end = min(16, l.count - room.count - tick)
        var (at, cut) = (0, 0)
        while at < end {
          let frames = min(cuts[cut % cuts.count], end - at)
          process(left + (tick + at), right + (tick + at), frames)
          (at, cut) = (at + frames, cut + 1)
        }
      }
    }
  }
  return (l.dropLast(room.count) + [], r.dropLast(room.count) + [])
}

/// Expects the same bits of a rendering whatever the pieces are into which its ticks are cut.
func expectSameInAnySplit(_ bits: ([Int]) -> [UInt32]) {
  let whole = bits([16])
  for cuts in [[1], [5, 11], [8], [3, 9, 4], [15, 1]] {
    let same = isSame(bits(cuts), whole)
    #expect(same, "\(cuts)")
  }
}
