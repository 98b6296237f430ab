import CRealtime

// From rows of pulses to samples: what a sum of saws is, added up sample by sample. Half of the lanes at a time, so that all
// stays in registers, and four samples of them, which lie in four rows.

extension SawSum {
  /// Puts the samples of a side into a block.
  @_noLocks
  func put(_ line: SawLine, _ rows: UnsafeMutablePointer<Float>, _ x: UnsafeMutablePointer<Lanes>) {
    let isWhole = passed == 0 && frames & 3 == 0
    let to = isWhole ? x : room.samples
    Self.put(SawLineHalf(line.start.lowHalf, line.slope.lowHalf), rows, to.half(0), frames)
    Self.put(
      SawLineHalf(line.start.highHalf, line.slope.highHalf), rows + 4 &* SumRoom.row, to.half(1), frames
    )
    if !isWhole { copy(room.samples + passed, to: x) }
  }

  /// Copies the samples.
  @_noLocks @inline(__always)
  func copy(_ x: UnsafeMutablePointer<Lanes>, to y: UnsafeMutablePointer<Lanes>) {
    var i = 0
    while i < frames &- passed {
      y[i] = x[i]
      i &+= 1
    }
  }

  /// The same for four lanes, and for the next multiple of four frames.
  @_noLocks @inline(__always)
  private static func put(
    _ line: SawLineHalf, _ rows: UnsafeMutablePointer<Float>, _ x: UnsafeMutablePointer<Quad>, _ frames: Int
  ) {
    let slope = line.slope
    let (two, three, four) = (rows + SumRoom.row, rows + 2 &* SumRoom.row, rows + 3 &* SumRoom.row)
    let before = SampleSquare(past(rows), past(two), past(three), past(four))
    let (half, otherHalf): (Quad, Quad) = (before.a + before.b, before.c + before.d)
    var sum: Quad = line.start - slope
    sum += half + otherHalf
    var i = 0
    while i < 2 &* frames {
      let time = i &>> 1
      let pulses = SampleSquare(
        (rows + time).four, (two + time).four, (three + time).four, (four + time).four)
      sum += rt_opaque(slope + pulses.a)
      x[i] = sum
      sum += rt_opaque(slope + pulses.b)
      x[i &+ 2] = sum
      sum += rt_opaque(slope + pulses.c)
      x[i &+ 4] = sum
      sum += rt_opaque(slope + pulses.d)
      x[i &+ 6] = sum
      i &+= 8
    }
  }

  /// What lies before the first sample of a row, in four parts.
  @_noLocks @inline(__always)
  private static func past(_ row: UnsafeMutablePointer<Float>) -> Quad { (row - 8).four + (row - 4).four }
}

/// A straight line in four voices.
private struct SawLineHalf {
  let start: Quad
  let slope: Quad

  @_noLocks @inline(__always)
  init(_ start: Quad, _ slope: Quad) { (self.start, self.slope) = (start, slope) }
}

/// Four samples of four lanes: of four rows that are a lane each, a vector for each sample.
private struct SampleSquare {
  let a: Quad
  let b: Quad
  let c: Quad
  let d: Quad

  @_noLocks @inline(__always)
  init(_ one: Quad, _ two: Quad, _ three: Quad, _ four: Quad) {
    let (low, high) = (rt_low_pairs(one, two), rt_high_pairs(one, two))
    let (low2, high2) = (rt_low_pairs(three, four), rt_high_pairs(three, four))
    (a, b) = (rt_opaque(rt_low_halves(low, low2)), rt_opaque(rt_high_halves(low, low2)))
    (c, d) = (rt_opaque(rt_low_halves(high, high2)), rt_opaque(rt_high_halves(high, high2)))
  }
}
