// Jumps that are put where they are, one at a time: a pulse in the row of its lane, on either side where it is heard.

extension SawSum {
  /// Puts the jumps of all that is being added.
  @_noLocks @inline(__always)
  mutating func placeJumps() {
    if saws != 0 { place(saws, .first, 1) }
    if ends != 0 { place(ends, .firstEnd, -1) }
    if synced != 0 { placeSynced() }
    (saws, ends, synced, begun) = (0, 0, 0, 0)
  }

  /// Puts the jumps of saws, `height` times.
  @_noLocks @inline(__always)
  private func place(_ jumps: UInt64, _ first: SumRoom.Time, _ height: Float) {
    if isLeft && isRight {
      place(jumps, first, height, 0, isBoth: true)
    } else {
      place(jumps, first, height, isLeft ? 0 : 1, isBoth: false)
    }
  }

  @_noLocks @inline(__always)
  private func place(_ jumps: UInt64, _ first: SumRoom.Time, _ height: Float, _ side: Int, isBoth: Bool) {
    let (rows, heights, last) = (room.rows + side &* SumRoom.side, room.heights + side, last)
    var left = jumps
    while left != 0 {
      let bit = left.trailingZeroBitCount
      let lane = bit & (Limits.lanesPerGroup &- 1)
      let row = rows + lane &* SumRoom.row
      let own = height * heights.lane(lane)
      let other = isBoth ? height * heights.lane(lane &+ Limits.lanesPerGroup) : 0
      let period = room.time(.period, bit)
      var time = room.time(first, bit)
      repeat {
        let (x, share) = Self.nearest(time, row)
        let pulse = SawPulse.at(share)
        Self.add(pulse, own, x - 3)
        if isBoth { Self.add(pulse, other, x + (SumRoom.side &- 3)) }
        time += period
      } while time < last
      left &= left &- 1
    }
  }

  /// Adds a pulse to a row.
  @_noLocks @inline(__always)
  private static func add(
    _ pulse: (before: Quad, behind: Quad), _ height: Float, _ x: UnsafeMutablePointer<Float>
  ) {
    let height = Quad(repeating: height)
    x.four = multiplyAdd(pulse.before, height, x.four)
    (x + 4).four = multiplyAdd(pulse.behind, height, (x + 4).four)
  }

  /// The sample of a row that is nearest to a time, and how far behind it that lies.
  @_noLocks @inline(__always)
  static func nearest(
    _ time: Float, _ row: UnsafeMutablePointer<Float>
  ) -> (UnsafeMutablePointer<Float>, share: Float) {
    // Adding 1.5 · 2^23 leaves the nearest whole number in the low bits.
    let whole = time + 12_582_912
    let sample = Int(truncatingIfNeeded: Int32(bitPattern: whole.bitPattern &- 0x4b40_0000))
    return (row + sample, (whole - 12_582_912) - time)
  }
}

extension UnsafeMutablePointer where Pointee == Lanes {
  /// One lane of vectors in a row.
  @_noLocks @inline(__always)
  func lane(_ lane: Int) -> Float {
    UnsafeRawPointer(self).load(fromByteOffset: lane &* MemoryLayout<Float>.stride, as: Float.self)
  }
}
