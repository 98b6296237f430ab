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
