// Sums of saws added up where they are mixed, at levels that stand still: pulses are placed, not samples, so that there is
// one sum for each side. Half of the lanes at a time, so that all stays in registers.

extension SawSum {
  /// Puts the samples into `x` and `y` at a level, or adds them there. Both may be the same.
  @_noLocks
  func place(
    _ level: Lanes, _ x: UnsafeMutablePointer<Lanes>, _ y: UnsafeMutablePointer<Lanes>, isFirst: Bool
  ) {
    if isFirst {
      place(level.lowHalf, 0, x, y, isFirst: true)
      place(level.highHalf, 1, x, y, isFirst: true)
    } else {
      place(level.lowHalf, 0, x, y, isFirst: false)
      place(level.highHalf, 1, x, y, isFirst: false)
    }
  }

  @_noLocks @inline(__always)
  private func place(
    _ level: Quad, _ half: Int, _ x: UnsafeMutablePointer<Lanes>, _ y: UnsafeMutablePointer<Lanes>,
    isFirst: Bool
  ) {
    let (left, right, rows) = (
      Self.half(x - passed, half), Self.half(y - passed, half), Self.half(rows, half)
    )
    let slope = self.slope(half) * level
    var sum = begin(half) * level - slope
    var i = 0
    while i < 2 &* passed {
      sum += multiplyAdd(rows[i], level, slope)
      i &+= 2
    }
    while i < 2 &* frames {
      sum += multiplyAdd(rows[i], level, slope)
      rows[i] = sum
      left[i] = isFirst ? sum : left[i] + sum
      i &+= 2
    }
    if x == y { return }
    i = 2 &* passed
    while i < 2 &* frames {
      right[i] = isFirst ? left[i] : right[i] + rows[i]
      i &+= 2
    }
  }

  /// The same with sums that lie left and right: at the levels of the middle, of one's own side and of the other one.
  @_noLocks
  func place(
    _ near: SawSum, _ far: SawSum, _ levels: (Lanes, Lanes, Lanes), _ x: UnsafeMutablePointer<Lanes>,
    _ y: UnsafeMutablePointer<Lanes>, isFirst: Bool
  ) {
    let (low, high) = (
      (levels.0.lowHalf, levels.1.lowHalf, levels.2.lowHalf),
      (levels.0.highHalf, levels.1.highHalf, levels.2.highHalf)
    )
    if isFirst {
      place(near, far, low, 0, x, y, isFirst: true)
      place(near, far, high, 1, x, y, isFirst: true)
    } else {
      place(near, far, low, 0, x, y, isFirst: false)
      place(near, far, high, 1, x, y, isFirst: false)
    }
  }

  @_noLocks @inline(__always)
  private func place(
    _ near: SawSum, _ far: SawSum, _ levels: (Quad, Quad, Quad), _ half: Int,
    _ x: UnsafeMutablePointer<Lanes>, _ y: UnsafeMutablePointer<Lanes>, isFirst: Bool
  ) {
    let (left, right) = (Self.half(x - passed, half), Self.half(y - passed, half))
    let (a, b, c) = (Self.half(rows, half), Self.half(near.rows, half), Self.half(far.rows, half))
    let slopes = Self.sides(slope(half), near.slope(half), far.slope(half), levels)
    var (one, two) = Self.sides(begin(half), near.begin(half), far.begin(half), levels)
    (one, two) = (one - slopes.left, two - slopes.right)
    var i = 0
    while i < 2 &* passed {
      let pulses = Self.sides(a[i], b[i], c[i], levels)
      one += slopes.left + pulses.left
      two += slopes.right + pulses.right
      i &+= 2
    }
    while i < 2 &* frames {
      let pulses = Self.sides(a[i], b[i], c[i], levels)
      one += slopes.left + pulses.left
      two += slopes.right + pulses.right
      left[i] = isFirst ? one : left[i] + one
      right[i] = isFirst ? two : right[i] + two
      i &+= 2
    }
  }

  /// What each side hears of the middle and of both sides.
  @_noLocks @inline(__always)
  private static func sides(
    _ middle: Quad, _ near: Quad, _ far: Quad, _ levels: (Quad, Quad, Quad)
  ) -> (left: Quad, right: Quad) {
    let both = middle * levels.0
    return (
      multiplyAdd(far, levels.2, multiplyAdd(near, levels.1, both)),
      multiplyAdd(near, levels.2, multiplyAdd(far, levels.1, both))
    )
  }

  // MARK: - Half of the lanes

  @_noLocks @inline(__always)
  private static func half(_ x: UnsafeMutablePointer<Lanes>, _ half: Int) -> UnsafeMutablePointer<Quad> {
    UnsafeMutableRawPointer(x).assumingMemoryBound(to: Quad.self) + half
  }

  @_noLocks @inline(__always)
  private func slope(_ half: Int) -> Quad { half == 0 ? slope.lowHalf : slope.highHalf }

  /// The sum at the first sample, but for its own row.
  @_noLocks @inline(__always)
  private func begin(_ half: Int) -> Quad {
    let rows = Self.half(rows, half)
    var sum = half == 0 ? start.lowHalf : start.highHalf
    var i = -4 &* reach
    while i < 0 {
      sum += rows[i]
      i &+= 2
    }
    return sum
  }
}
