// The jumps of synchronized saws: one at the end of each of their periods, and one of another height at each reset.

extension ImpulseTrain {
  /// Places the jumps of synchronized saws, and records which of them lie after the end of the block.
  @_noLocks
  mutating func placeSynced(_ jumps: UInt64, _ heights: ImpulseHeights) {
    let last = lastSynced
    var left = jumps
    while left != 0 {
      placeSynced(left.trailingZeroBitCount, last, heights)
      left &= left &- 1
    }
  }

  /// Places the jumps of one lane of one slot.
  @_noLocks @inline(__always)
  private func placeSynced(_ bit: Int, _ last: Float, _ heights: ImpulseHeights) {
    let (lane, count, kept) = (bit & (Limits.lanesPerGroup &- 1), Float(frames), kept.synced)
    let (increment, masterIncrement) = (
      scratch.motion(.increment, bit), scratch.motion(.masterIncrement, bit)
    )
    let (perNumber, masterPerNumber) = (1 / increment, 1 / masterIncrement)
    let (period, masterPeriod) = (Self.whole * perNumber, Self.whole * masterPerNumber)
    var own = (Self.half - scratch.motion(.first, bit)) * perNumber
    var reset = (Self.half - scratch.motion(.master, bit)) * masterPerNumber
    var (end, lastReset) = (kept.ends.lane(bit), count - 1)
    // The next jump or reset, whichever comes first, without a branch: the processor could not predict it.
    while true {
      let (time, isReset) = (smaller(own, reset), reset < own)
      if !(time < last) { break }
      let part = 1 - (own - time) * increment * (1 / Self.whole)
      if period > Self.shortPeriod {
        putShort(lane, time, part, heights)
      } else {
        put(lane, time, part, heights)
      }
      end = isReset ? part : end
      lastReset = isReset ? reset : lastReset
      own = time + period
      reset += isReset ? masterPeriod : 0
    }
    kept.ends.setLane(bit, end)
    kept.resets.setLane(bit, lastReset > count - Self.margin ? Self.whole : 0)
    kept.setLane(bit, Self.half - increment * (own - count))
  }

  /// A period in samples. Saws with a longer one have jumps as short as those of unsynchronized saws, because saws that
  /// low do not alias.
  static var shortPeriod: Float { @_noLocks get { 32 } }

  @_noLocks @inline(__always)
  private func putShort(_ lane: Int, _ time: Float, _ part: Float, _ heights: ImpulseHeights) {
    let (x, share) = Self.nearest(time, scratch.rows + lane &* ImpulseScratch.row)
    let pulse = SawPulse.at(share)
    if heights.isLeft { Self.add(pulse, part * heights.left.lane(lane), x - 3) }
    if heights.isRight {
      Self.add(pulse, part * heights.right.lane(lane), x + (ImpulseScratch.side &- 3))
    }
  }

  /// Places a jump at a time; `part` is its height relative to a whole jump.
  @_noLocks @inline(__always)
  private func put(_ lane: Int, _ time: Float, _ part: Float, _ heights: ImpulseHeights) {
    let (x, share) = Self.nearest(time, scratch.rows + lane &* ImpulseScratch.row)
    let (pulse, middle) = (SyncedPulse.at(share), SyncedPulse.middle(share))
    if heights.isLeft { Self.add(pulse, middle, part * heights.left.lane(lane), x - 4) }
    if heights.isRight {
      Self.add(pulse, middle, part * heights.right.lane(lane), x + (ImpulseScratch.side &- 4))
    }
  }

  /// Adds a pulse times `height` to a row.
  @_noLocks @inline(__always)
  private static func add(
    _ pulse: (before: Quad, after: Quad), _ middle: (before: Float, after: Float), _ height: Float,
    _ x: UnsafeMutablePointer<Float>
  ) {
    let heights = Quad(repeating: height)
    x.four = multiplyAdd(pulse.before, heights, x.four)
    x[4] += middle.before * height
    x[5] += middle.after * height
    (x + 6).four = multiplyAdd(pulse.after, heights, (x + 6).four)
  }

  @_noLocks @inline(__always)
  private func smaller(_ a: Float, _ b: Float) -> Float { a < b ? a : b }
}
