import CRealtime

// Integrates rows of pulses into the samples of a sum of saws. Four lanes at a time, so that everything stays in
// registers, and four samples of each, because the samples of a lane lie in one row.

extension ImpulseTrain {
  /// Writes the samples of a side to a block, and keeps the pulses after the end of the block in `tail`.
  @_noLocks
  mutating func put(
    _ line: SawLine, _ rows: UnsafeMutablePointer<Float>, _ x: UnsafeMutablePointer<Lanes>,
    _ tail: UnsafeMutablePointer<Lanes>
  ) {
    let isWhole = first == 0 && end == frames && frames & 3 == 0
    let to = isWhole ? x : scratch.samples
    put(
      SawLineHalf(line.start.lowHalf, line.slope.lowHalf), SumRows(rows), to.half(0), tail.half(0))
    put(
      SawLineHalf(line.start.highHalf, line.slope.highHalf), SumRows(rows + 4 &* ImpulseScratch.row),
      to.half(1),
      tail.half(1))
    if !isWhole { copy(scratch.samples + first, to: x) }
  }

  /// Copies the samples of this part.
  @_noLocks @inline(__always)
  func copy(_ x: UnsafeMutablePointer<Lanes>, to y: UnsafeMutablePointer<Lanes>) {
    var i = 0
    while i < end &- first {
      y[i] = x[i]
      i &+= 1
    }
  }

  /// Writes the samples of four lanes, up to the next multiple of four frames.
  @_noLocks @inline(__always)
  private func put(
    _ line: SawLineHalf, _ rows: SumRows, _ x: UnsafeMutablePointer<Quad>, _ tail: UnsafeMutablePointer<Quad>
  ) {
    let slope = line.slope
    var sum = line.start - slope
    var i = 0
    if continues {
      // The line already contains all of the jumps in `tail`; their pulses are subtracted here and added sample by
      // sample.
      while i < 2 &* ImpulseTail.tail {
        sum -= tail[i]
        i &+= 2
      }
      i = 0
      while i < 2 &* ImpulseTail.tail {
        let pulses = rows.square(i &>> 1)
        sum += rt_opaque(slope + pulses.a) + tail[i]
        x[i] = sum
        sum += rt_opaque(slope + pulses.b) + tail[i &+ 2]
        x[i &+ 2] = sum
        sum += rt_opaque(slope + pulses.c) + tail[i &+ 4]
        x[i &+ 4] = sum
        sum += rt_opaque(slope + pulses.d) + tail[i &+ 6]
        x[i &+ 6] = sum
        i &+= 8
      }
    } else {
      sum += rows.past
    }
    while i < 2 &* frames {
      let pulses = rows.square(i &>> 1)
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
    if !isKept { return }
    i = 0
    while i < 2 &* ImpulseTail.tail {
      let pulses = rows.square(frames &+ i &>> 1)
      tail[i] = pulses.a
      tail[i &+ 2] = pulses.b
      tail[i &+ 4] = pulses.c
      tail[i &+ 6] = pulses.d
      i &+= 8
    }
  }
}

/// Four rows of pulses, one for each lane.
private struct SumRows {
  let one: UnsafeMutablePointer<Float>
  let two: UnsafeMutablePointer<Float>
  let three: UnsafeMutablePointer<Float>
  let four: UnsafeMutablePointer<Float>

  @_noLocks @inline(__always)
  init(_ rows: UnsafeMutablePointer<Float>) {
    (one, two) = (rows, rows + ImpulseScratch.row)
    (three, four) = (rows + 2 &* ImpulseScratch.row, rows + 3 &* ImpulseScratch.row)
  }

  /// Four samples of each row, transposed: one vector for each sample.
  @_noLocks @inline(__always)
  func square(_ time: Int) -> SampleSquare {
    SampleSquare((one + time).four, (two + time).four, (three + time).four, (four + time).four)
  }

  /// The sum of each row before its first sample.
  var past: Quad {
    @_noLocks @inline(__always) get {
      let parts = SampleSquare(Self.past(one), Self.past(two), Self.past(three), Self.past(four))
      let (half, otherHalf): (Quad, Quad) = (parts.a + parts.b, parts.c + parts.d)
      return half + otherHalf
    }
  }

  /// The sum of one row before its first sample, in four parts.
  @_noLocks @inline(__always)
  private static func past(_ row: UnsafeMutablePointer<Float>) -> Quad {
    let near: Quad = (row - 8).four + (row - 4).four
    return near + (row - 12).four
  }
}

/// A straight line in four voices.
private struct SawLineHalf {
  let start: Quad
  let slope: Quad

  @_noLocks @inline(__always)
  init(_ start: Quad, _ slope: Quad) { (self.start, self.slope) = (start, slope) }
}

/// Four samples of four rows, transposed: one vector of four lanes for each sample.
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
