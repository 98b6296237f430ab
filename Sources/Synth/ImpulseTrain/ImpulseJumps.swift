// Jumps are placed one at a time: a pulse in the row of the lane, on each side that receives it.

extension ImpulseTrain {
  /// Places the jumps of saws with the phases `first` and the increments `increment`, and records in `carried` which
  /// of them lie after the end of the block.
  @_noLocks @inline(__always)
  func place(
    _ jumps: UInt64, _ first: ImpulseScratch.Motion, _ increment: ImpulseScratch.Motion,
    _ carried: UnsafeMutablePointer<Lanes>,
    _ heights: ImpulseHeights
  ) {
    if heights.isLeft && heights.isRight {
      place(jumps, first, increment, carried, heights, isBoth: true)
    } else {
      place(jumps, first, increment, carried, heights, isBoth: false)
    }
  }

  @_noLocks @inline(__always)
  private func place(
    _ jumps: UInt64, _ first: ImpulseScratch.Motion, _ increment: ImpulseScratch.Motion,
    _ carried: UnsafeMutablePointer<Lanes>,
    _ heights: ImpulseHeights, isBoth: Bool
  ) {
    let (side, sign) = (heights.isLeft ? 0 : 1, heights.sign)
    let (rows, heights, last) = (scratch.rows + side &* ImpulseScratch.side, heights.left + side, last)
    let behind = Float(frames) - Self.margin
    var left = jumps
    while left != 0 {
      let bit = left.trailingZeroBitCount
      let lane = bit & (Limits.lanesPerGroup &- 1)
      let row = rows + lane &* ImpulseScratch.row
      let own = sign * heights.lane(lane)
      let other = isBoth ? sign * heights.lane(lane &+ Limits.lanesPerGroup) : 0
      let perNumber = 1 / scratch.motion(increment, bit)
      let period = Self.whole * perNumber
      var time = (Self.half - scratch.motion(first, bit)) * perNumber
      while true {
        let (x, share) = Self.nearest(time, row)
        let pulse = SawPulse.at(share)
        Self.add(pulse, own, x - 3)
        if isBoth { Self.add(pulse, other, x + (ImpulseScratch.side &- 3)) }
        if !(time + period < last) { break }
        time += period
      }
      carried.setLane(bit, time > behind ? Self.whole : 0)
      left &= left &- 1
    }
  }

  /// A jump this close to the end of a block, in samples, may be found after it, because the phase is rounded.
  static var margin: Float { @_noLocks get { 0.01 } }

  /// Adds a pulse times `height` to a row.
  @_noLocks @inline(__always)
  static func add(
    _ pulse: (before: Quad, after: Quad), _ height: Float, _ x: UnsafeMutablePointer<Float>
  ) {
    let height = Quad(repeating: height)
    x.four = multiplyAdd(pulse.before, height, x.four)
    (x + 4).four = multiplyAdd(pulse.after, height, (x + 4).four)
  }

  /// The sample nearest to a time, and its position minus the time, in samples.
  @_noLocks @inline(__always)
  static func nearest(
    _ time: Float, _ row: UnsafeMutablePointer<Float>
  ) -> (UnsafeMutablePointer<Float>, share: Float) {
    // Adding 1.5 · 2^23 rounds to the nearest whole number and leaves it in the low bits.
    let whole = time + 12_582_912
    let sample = Int(truncatingIfNeeded: Int32(bitPattern: whole.bitPattern &- 0x4b40_0000))
    return (row + sample, (whole - 12_582_912) - time)
  }
}
