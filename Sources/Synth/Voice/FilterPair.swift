// The filters of both sides in one pass: their coefficients are the same and move but once. Half of the lanes at a time: then
// all stays in registers, and as many chains of samples run at once as with all lanes of one side.

extension FilterLanes {
  /// True where both sides are filtered in one pass: as two low-passes in a row, saturated or not.
  @_noLocks
  static func pairs(_ needs: FilterNeeds) -> Bool { needs.isLong && !needs.isShaped }

  /// Filters some samples of both sides in place with coefficients that move; `right` keeps what sounds on that side.
  @_noLocks
  mutating func process(
    _ x: UnsafeMutablePointer<Lanes>, _ right: UnsafeMutablePointer<FilterLanes>,
    _ y: UnsafeMutablePointer<Lanes>, frames: Int, needs: FilterNeeds
  ) {
    low.process(x, &right.pointee.low, y, frames: frames)
    if needs.isSaturated {
      high.process(x, &right.pointee.high, y, &extras.saturation, frames: frames)
    } else {
      high.process(x, &right.pointee.high, y, frames: frames)
    }
  }

  /// Adds both sides to their mixes through the fixed pole behind. Returns where the gains have come to.
  @_noLocks
  mutating func add(
    _ x: UnsafeMutablePointer<Lanes>, _ right: UnsafeMutablePointer<FilterLanes>,
    _ y: UnsafeMutablePointer<Lanes>, _ gains: (Ramp, Ramp), to mix: UnsafeMutablePointer<Lanes>,
    _ other: UnsafeMutablePointer<Lanes>, frames: Int
  ) -> (Lanes, Lanes) {
    var (one, two) = (gains.0.low, gains.1.low)
    Self.add(
      x.half(0), &last.lowHalf, y.half(0), &right.pointee.last.lowHalf, &one, &two, to: mix.half(0),
      other.half(0), frames)
    let ends = (one.value, two.value)
    (one, two) = (gains.0.high, gains.1.high)
    Self.add(
      x.half(1), &last.highHalf, y.half(1), &right.pointee.last.highHalf, &one, &two, to: mix.half(1),
      other.half(1), frames)
    return (
      Lanes(lowHalf: ends.0, highHalf: one.value), Lanes(lowHalf: ends.1, highHalf: two.value)
    )
  }

  @_noLocks @inline(__always)
  private static func add(
    _ x: UnsafeMutablePointer<Quad>, _ last: inout Quad, _ y: UnsafeMutablePointer<Quad>,
    _ lastRight: inout Quad, _ gain: inout QuadRamp, _ gainRight: inout QuadRamp,
    to mix: UnsafeMutablePointer<Quad>, _ other: UnsafeMutablePointer<Quad>, _ frames: Int
  ) {
    let behind = Quad(repeating: FilterPoles.behind24)
    var (l, r, one, two) = (last, lastRight, gain, gainRight)
    var i = 0
    while i < 2 &* frames {
      l = multiplySubtract(behind, l, from: x[i])
      r = multiplySubtract(behind, r, from: y[i])
      mix[i] = multiplyAdd(l, one.value, mix[i])
      other[i] = multiplyAdd(r, two.value, other[i])
      one.move()
      two.move()
      i &+= 2
    }
    (last, lastRight, gain, gainRight) = (l, r, one, two)
  }
}

extension FilterSection {
  /// The pass of this name for both sides.
  @_noLocks
  mutating func process(
    _ x: UnsafeMutablePointer<Lanes>, _ right: inout FilterSection, _ y: UnsafeMutablePointer<Lanes>,
    frames: Int
  ) {
    var pair = FilterPair(first.lowHalf, second.lowHalf, right.first.lowHalf, right.second.lowHalf)
    var coefficients = FilterCoefficients(b1.low, b2.low, b3.low)
    pair.process(x.half(0), y.half(0), &coefficients, frames)
    (first.lowHalf, second.lowHalf) = (pair.left.first, pair.left.second)
    (right.first.lowHalf, right.second.lowHalf) = (pair.right.first, pair.right.second)
    (b1.value.lowHalf, b2.value.lowHalf) = (coefficients.b1.value, coefficients.b2.value)
    b3.value.lowHalf = coefficients.b3.value

    pair = FilterPair(first.highHalf, second.highHalf, right.first.highHalf, right.second.highHalf)
    coefficients = FilterCoefficients(b1.high, b2.high, b3.high)
    pair.process(x.half(1), y.half(1), &coefficients, frames)
    (first.highHalf, second.highHalf) = (pair.left.first, pair.left.second)
    (right.first.highHalf, right.second.highHalf) = (pair.right.first, pair.right.second)
    (b1.value.highHalf, b2.value.highHalf) = (coefficients.b1.value, coefficients.b2.value)
    b3.value.highHalf = coefficients.b3.value
  }

  @_noLocks
  mutating func process(
    _ x: UnsafeMutablePointer<Lanes>, _ right: inout FilterSection, _ y: UnsafeMutablePointer<Lanes>,
    _ saturation: inout Saturation, frames: Int
  ) {
    var pair = FilterPair(first.lowHalf, second.lowHalf, right.first.lowHalf, right.second.lowHalf)
    var coefficients = FilterCoefficients(b1.low, b2.low, b3.low)
    var bending = FilterBending(
      fromFirst: saturation.fromFirst.lowHalf, fromInput: saturation.fromInput.lowHalf,
      toFirst: saturation.toFirst.lowHalf, toSecond: saturation.toSecond.lowHalf,
      bound: saturation.bound.lowHalf, amount: saturation.amount.low)
    pair.process(x.half(0), y.half(0), &coefficients, &bending, frames)
    (first.lowHalf, second.lowHalf) = (pair.left.first, pair.left.second)
    (right.first.lowHalf, right.second.lowHalf) = (pair.right.first, pair.right.second)
    (b1.value.lowHalf, b2.value.lowHalf) = (coefficients.b1.value, coefficients.b2.value)
    (b3.value.lowHalf, saturation.amount.value.lowHalf) = (coefficients.b3.value, bending.amount.value)

    pair = FilterPair(first.highHalf, second.highHalf, right.first.highHalf, right.second.highHalf)
    coefficients = FilterCoefficients(b1.high, b2.high, b3.high)
    bending = FilterBending(
      fromFirst: saturation.fromFirst.highHalf, fromInput: saturation.fromInput.highHalf,
      toFirst: saturation.toFirst.highHalf, toSecond: saturation.toSecond.highHalf,
      bound: saturation.bound.highHalf, amount: saturation.amount.high)
    pair.process(x.half(1), y.half(1), &coefficients, &bending, frames)
    (first.highHalf, second.highHalf) = (pair.left.first, pair.left.second)
    (right.first.highHalf, right.second.highHalf) = (pair.right.first, pair.right.second)
    (b1.value.highHalf, b2.value.highHalf) = (coefficients.b1.value, coefficients.b2.value)
    (b3.value.highHalf, saturation.amount.value.highHalf) = (coefficients.b3.value, bending.amount.value)
  }
}

/// One section in four voices, left and right.
private struct FilterPair {
  var left: FilterState
  var right: FilterState

  @_noLocks @inline(__always)
  init(_ first: Quad, _ second: Quad, _ rightFirst: Quad, _ rightSecond: Quad) {
    (left, right) = (FilterState(first, second), FilterState(rightFirst, rightSecond))
  }

  @_noLocks @inline(never)
  mutating func process(
    _ x: UnsafeMutablePointer<Quad>, _ y: UnsafeMutablePointer<Quad>,
    _ coefficients: inout FilterCoefficients, _ frames: Int
  ) {
    var (l, r, b) = (left, right, coefficients)
    // Two at a time, as with one side.
    var i = 0
    while i < 2 &* (frames & ~1) {
      (x[i], y[i]) = Self.process(x[i], y[i], &l, &r, &b)
      (x[i &+ 2], y[i &+ 2]) = Self.process(x[i &+ 2], y[i &+ 2], &l, &r, &b)
      i &+= 4
    }
    if frames & 1 != 0 { (x[i], y[i]) = Self.process(x[i], y[i], &l, &r, &b) }
    (left, right, coefficients) = (l, r, b)
  }

  @_noLocks @inline(__always)
  private static func process(
    _ x: Quad, _ y: Quad, _ left: inout FilterState, _ right: inout FilterState,
    _ coefficients: inout FilterCoefficients
  ) -> (Quad, Quad) {
    left.process(x, coefficients)
    right.process(y, coefficients)
    coefficients.move()
    return (left.second, right.second)
  }

  @_noLocks @inline(never)
  mutating func process(
    _ x: UnsafeMutablePointer<Quad>, _ y: UnsafeMutablePointer<Quad>,
    _ coefficients: inout FilterCoefficients, _ bending: inout FilterBending, _ frames: Int
  ) {
    var (l, r, b, c) = (left, right, coefficients, bending)
    var i = 0
    while i < 2 &* frames {
      l.saturate(x[i], b, c)
      x[i] = l.second
      r.saturate(y[i], b, c)
      y[i] = r.second
      b.move()
      c.amount.move()
      i &+= 2
    }
    (left, right, coefficients, bending) = (l, r, b, c)
  }
}

/// The integrators of a section in four voices.
private struct FilterState {
  var first: Quad
  var second: Quad

  @_noLocks @inline(__always)
  init(_ first: Quad, _ second: Quad) { (self.first, self.second) = (first, second) }

  /// As `FilterSection.process`.
  @_noLocks @inline(__always)
  mutating func process(_ x: Quad, _ b: FilterCoefficients) {
    let v = x - second
    let next = multiplyAdd(b.b1.value, first, b.b2.value * v)
    second = multiplyAdd(b.b3.value, v, multiplyAdd(b.b2.value, first, second))
    first = next
  }

  /// As `FilterSection.saturate`.
  @_noLocks @inline(__always)
  mutating func saturate(_ x: Quad, _ b: FilterCoefficients, _ saturation: FilterBending) {
    let q = multiplyAdd(saturation.fromFirst, first, saturation.fromInput * (x - second))
    let c = smaller(larger(q, -saturation.bound), saturation.bound)
    let bent = multiplySubtract(c * c * FilterSection.bend, c, from: c)
    let less = saturation.amount.value * (bent - q)
    process(x, b)
    first = multiplyAdd(saturation.toFirst, less, first)
    second = multiplyAdd(saturation.toSecond, less, second)
  }
}

/// The coefficients of a section in four voices.
private struct FilterCoefficients {
  var b1: QuadRamp
  var b2: QuadRamp
  var b3: QuadRamp

  @_noLocks @inline(__always)
  init(_ b1: QuadRamp, _ b2: QuadRamp, _ b3: QuadRamp) { (self.b1, self.b2, self.b3) = (b1, b2, b3) }

  @_noLocks @inline(__always)
  mutating func move() {
    b1.move()
    b2.move()
    b3.move()
  }
}

/// `FilterSection.Saturation` in four voices.
private struct FilterBending {
  let fromFirst: Quad
  let fromInput: Quad
  let toFirst: Quad
  let toSecond: Quad
  let bound: Quad
  var amount: QuadRamp

  @_noLocks @inline(__always)
  init(
    fromFirst: Quad, fromInput: Quad, toFirst: Quad, toSecond: Quad, bound: Quad, amount: QuadRamp
  ) {
    (self.fromFirst, self.fromInput, self.toFirst, self.toSecond) = (fromFirst, fromInput, toFirst, toSecond)
    (self.bound, self.amount) = (bound, amount)
  }
}

extension UnsafeMutablePointer where Pointee == Lanes {
  /// Every second of their halves, from the first or from the second one on.
  @_noLocks @inline(__always)
  func half(_ half: Int) -> UnsafeMutablePointer<Quad> {
    UnsafeMutableRawPointer(self).assumingMemoryBound(to: Quad.self) + half
  }
}
