// The filters of both sides in one pass: their coefficients are equal and move only once. Half of the lanes at a time:
// then everything stays in registers, and as many dependency chains run at once as with all lanes of one side.

extension FilterLanes {
  /// True when both sides are filtered in one pass: as two low-passes in series, saturated or not.
  @_noLocks
  static func pairs(_ needs: FilterNeeds) -> Bool { needs.isLong && !needs.isShaped }

  /// Filters some samples of both sides with coefficients that move, and adds them to their mixes; `right` holds the
  /// state of the right side. Returns both gains after the last sample.
  @_noLocks
  mutating func process(
    _ x: UnsafeMutablePointer<Lanes>, _ right: UnsafeMutablePointer<FilterLanes>,
    _ y: UnsafeMutablePointer<Lanes>, _ gains: (Ramp, Ramp), to mix: UnsafeMutablePointer<Lanes>,
    _ other: UnsafeMutablePointer<Lanes>, frames: Int, needs: FilterNeeds
  ) -> (Lanes, Lanes) {
    var first = FilterHalf(self, right.pointee, gains, 0)
    var second = FilterHalf(self, right.pointee, gains, 1)
    first.process(x.half(0), y.half(0), to: mix.half(0), other.half(0), frames, needs)
    second.process(x.half(1), y.half(1), to: mix.half(1), other.half(1), frames, needs)
    take(first, second)
    right.pointee.takeRight(first, second)
    return (
      Lanes(lowHalf: first.gain.value, highHalf: second.gain.value),
      Lanes(lowHalf: first.otherGain.value, highHalf: second.otherGain.value)
    )
  }

  /// Copies back the state and the coefficients of its two halves.
  @_noLocks @inline(__always)
  private mutating func take(_ one: FilterHalf, _ two: FilterHalf) {
    low.take(one.low.left, two.low.left)
    high.take(one.high.left, two.high.left)
    low.take(one.low, two.low)
    high.take(one.high, two.high)
    last = Lanes(lowHalf: one.last, highHalf: two.last)
    extras.saturation.amount.value = Lanes(
      lowHalf: one.saturation.amount.value, highHalf: two.saturation.amount.value)
  }

  @_noLocks @inline(__always)
  private mutating func takeRight(_ one: FilterHalf, _ two: FilterHalf) {
    low.take(one.low.right, two.low.right)
    high.take(one.high.right, two.high.right)
    last = Lanes(lowHalf: one.otherLast, highHalf: two.otherLast)
  }
}

/// The filter of four voices, left and right.
struct FilterHalf {
  var low: FilterPair
  var high: FilterPair
  var saturation: FilterSaturation
  var last: Quad
  var otherLast: Quad
  var gain: QuadRamp
  var otherGain: QuadRamp

  @_noLocks @inline(__always)
  init(_ left: FilterLanes, _ right: FilterLanes, _ gains: (Ramp, Ramp), _ half: Int) {
    low = FilterPair(left.low, right.low, half)
    high = FilterPair(left.high, right.high, half)
    saturation = FilterSaturation(left.extras.saturation, half)
    (last, otherLast) = (left.last.half(half), right.last.half(half))
    (gain, otherGain) = (gains.0.half(half), gains.1.half(half))
  }

  /// One section after the other: the states and coefficients of both do not fit into the registers.
  @_noLocks @inline(__always)
  mutating func process(
    _ x: UnsafeMutablePointer<Quad>, _ y: UnsafeMutablePointer<Quad>, to mix: UnsafeMutablePointer<Quad>,
    _ other: UnsafeMutablePointer<Quad>, _ frames: Int, _ needs: FilterNeeds
  ) {
    low.process(x, y, frames)
    if needs.isSaturated {
      high.process(x, y, &saturation, frames)
    } else {
      high.process(x, y, frames)
    }
    add(x, y, to: mix, other, frames)
  }

  /// Adds the samples to the mixes, through the fixed pole.
  @_noLocks @inline(never)
  private mutating func add(
    _ x: UnsafeMutablePointer<Quad>, _ y: UnsafeMutablePointer<Quad>, to mix: UnsafeMutablePointer<Quad>,
    _ other: UnsafeMutablePointer<Quad>, _ frames: Int
  ) {
    let outputPole = Quad(repeating: FilterPoles.outputPole24)
    var (l, r, one, two) = (last, otherLast, gain, otherGain)
    var i = 0
    while i < 2 &* frames {
      l = multiplySubtract(outputPole, l, from: x[i])
      r = multiplySubtract(outputPole, r, from: y[i])
      mix[i] = multiplyAdd(l, one.value, mix[i])
      other[i] = multiplyAdd(r, two.value, other[i])
      one.move()
      two.move()
      i &+= 2
    }
    (last, otherLast, gain, otherGain) = (l, r, one, two)
  }
}

/// One section of a filter in four voices, left and right, with common coefficients (`FilterHalf`).
struct FilterPair {
  var left: FilterState
  var right: FilterState
  var b1: QuadRamp
  var b2: QuadRamp
  var b3: QuadRamp

  @_noLocks @inline(__always)
  init(_ left: FilterSection, _ right: FilterSection, _ half: Int) {
    self.left = FilterState(left.first.half(half), left.second.half(half))
    self.right = FilterState(right.first.half(half), right.second.half(half))
    (b1, b2, b3) = (left.b1.half(half), left.b2.half(half), left.b3.half(half))
  }

  @_noLocks @inline(never)
  mutating func process(_ x: UnsafeMutablePointer<Quad>, _ y: UnsafeMutablePointer<Quad>, _ frames: Int) {
    var pair = self
    // Two at a time, as with one side.
    var i = 0
    while i < 2 &* (frames & ~1) {
      (x[i], y[i]) = pair.process(x[i], y[i])
      (x[i &+ 2], y[i &+ 2]) = pair.process(x[i &+ 2], y[i &+ 2])
      i &+= 4
    }
    if frames & 1 != 0 { (x[i], y[i]) = pair.process(x[i], y[i]) }
    self = pair
  }

  @_noLocks @inline(never)
  mutating func process(
    _ x: UnsafeMutablePointer<Quad>, _ y: UnsafeMutablePointer<Quad>, _ saturation: inout FilterSaturation,
    _ frames: Int
  ) {
    var (pair, cubic) = (self, saturation)
    var i = 0
    while i < 2 &* frames {
      (x[i], y[i]) = pair.process(x[i], y[i], &cubic)
      i &+= 2
    }
    (self, saturation) = (pair, cubic)
  }

  /// Processes one sample on each side, as in `FilterSection.process`.
  @_noLocks @inline(__always)
  mutating func process(_ x: Quad, _ y: Quad) -> (Quad, Quad) {
    left.process(x, self)
    right.process(y, self)
    move()
    return (left.second, right.second)
  }

  /// Processes one sample on each side, as in `FilterSection.saturate`.
  @_noLocks @inline(__always)
  mutating func process(_ x: Quad, _ y: Quad, _ saturation: inout FilterSaturation) -> (Quad, Quad) {
    let (toFirst, toSecond) = (
      saturation.toFirst * saturation.amount.value, saturation.toSecond * saturation.amount.value
    )
    left.saturate(x, self, saturation, toFirst, toSecond)
    right.saturate(y, self, saturation, toFirst, toSecond)
    move()
    saturation.amount.move()
    return (left.second, right.second)
  }

  @_noLocks @inline(__always)
  private mutating func move() {
    b1.move()
    b2.move()
    b3.move()
  }
}

/// The integrators of a section in four voices.
struct FilterState {
  var first: Quad
  var second: Quad

  @_noLocks @inline(__always)
  init(_ first: Quad, _ second: Quad) { (self.first, self.second) = (first, second) }

  @_noLocks @inline(__always)
  mutating func process(_ x: Quad, _ b: FilterPair) {
    let v = x - second
    let next = multiplyAdd(b.b1.value, first, b.b2.value * v)
    second = multiplyAdd(b.b3.value, v, multiplyAdd(b.b2.value, first, second))
    first = next
  }

  @_noLocks @inline(__always)
  mutating func saturate(
    _ x: Quad, _ b: FilterPair, _ saturation: FilterSaturation, _ toFirst: Quad, _ toSecond: Quad
  ) {
    let q = multiplyAdd(saturation.fromFirst, first, saturation.fromInput * (x - second))
    let c = smaller(larger(q, -saturation.bound), saturation.bound)
    let less = multiplySubtract(c * FilterSection.cubicFactor, c * c, from: c - q)
    process(x, b)
    first = multiplyAdd(toFirst, less, first)
    second = multiplyAdd(toSecond, less, second)
  }
}

/// `FilterSection.Saturation` in four voices.
struct FilterSaturation {
  let fromFirst: Quad
  let fromInput: Quad
  let bound: Quad
  let toFirst: Quad
  let toSecond: Quad
  var amount: QuadRamp

  @_noLocks @inline(__always)
  init(_ saturation: FilterSection.Saturation, _ half: Int) {
    fromFirst = saturation.fromFirst.half(half)
    fromInput = saturation.fromInput.half(half)
    bound = saturation.bound.half(half)
    (toFirst, toSecond) = (saturation.toFirst.half(half), saturation.toSecond.half(half))
    amount = saturation.amount.half(half)
  }
}

extension FilterSection {
  @_noLocks @inline(__always)
  mutating func take(_ one: FilterState, _ two: FilterState) {
    first = Lanes(lowHalf: one.first, highHalf: two.first)
    second = Lanes(lowHalf: one.second, highHalf: two.second)
  }

  @_noLocks @inline(__always)
  mutating func take(_ one: FilterPair, _ two: FilterPair) {
    b1.value = Lanes(lowHalf: one.b1.value, highHalf: two.b1.value)
    b2.value = Lanes(lowHalf: one.b2.value, highHalf: two.b2.value)
    b3.value = Lanes(lowHalf: one.b3.value, highHalf: two.b3.value)
  }
}

extension Lanes {
  @_noLocks @inline(__always)
  func half(_ half: Int) -> Quad { half == 0 ? lowHalf : highHalf }
}

extension Ramp {
  @_noLocks @inline(__always)
  func half(_ half: Int) -> QuadRamp { half == 0 ? low : high }
}

extension UnsafeMutablePointer where Pointee == Lanes {
  /// Every second vector of four: the lower halves of the lanes if `half` is 0, the upper halves if it is 1.
  @_noLocks @inline(__always)
  func half(_ half: Int) -> UnsafeMutablePointer<Quad> {
    UnsafeMutableRawPointer(self).assumingMemoryBound(to: Quad.self) + half
  }
}
