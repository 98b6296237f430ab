// The jumps of synchronized saws: their own, and one of another height at each reset.

extension SawSum {
  /// Puts the jumps of the synchronized saws that are being added, and begins those anew whose masters' periods end.
  @_noLocks
  mutating func placeSynced() {
    guard let syncedPlaces else { return }
    let last = lastSynced
    let starts = UnsafeMutableRawPointer(room.line).assumingMemoryBound(to: Float.self)
    var left = synced
    while left != 0 {
      let bit = left.trailingZeroBitCount
      let above = placeSynced(bit, last)
      if above != 0 { starts[bit & (Limits.lanesPerGroup &- 1)] += above }
      if begun &>> UInt64(bit) & 1 != 0 { begin(bit, syncedPlaces + bit &>> 3) }
      left &= left &- 1
    }
  }

  /// The jumps of one lane of one place. Returns how far its line begins above where the saw is, for jumps before the first
  /// sample that reach into the block.
  @_noLocks @inline(__always)
  private func placeSynced(_ bit: Int, _ last: Float) -> Float {
    let (lane, least) = (bit & (Limits.lanesPerGroup &- 1), -SyncedPulse.end)
    let (period, masterPeriod) = (room.time(.period, bit), room.time(.masterPeriod, bit))
    // Behind: its own jumps since the reset, half a period after it at the least; the reset; and those before it.
    var reset = 0 - room.time(.since, bit)
    var time = 0 - room.time(.own, bit)
    let ahead = time + period
    let first = larger(reset + 0.5 * period, least)
    var above: Float = 0
    while time > first {
      put(lane, time, 1)
      (above, time) = (above + Self.whole, time - period)
    }
    if reset > least {
      let height = room.time(.end, bit)
      put(lane, reset, height)
      (above, time) = (above + height * Self.whole, reset - height * period)
      while time > least {
        put(lane, time, 1)
        (above, time) = (above + Self.whole, time - period)
      }
    }
    // Ahead.
    (time, reset) = (ahead, reset + masterPeriod)
    while true {
      while time < smaller(reset, last) {
        put(lane, time, 1)
        time += period
      }
      if !(reset < last) { return above }
      put(lane, reset, 1 - (time - reset) / period)
      (time, reset) = (reset + period, reset + masterPeriod)
    }
  }

  /// Begins a saw anew: behind the block it is where its master has it, and it remembers how far it was.
  @_noLocks @inline(__always)
  private func begin(_ bit: Int, _ place: UnsafeMutablePointer<SyncedPlace>) {
    let lane = bit & (Limits.lanesPerGroup &- 1)
    let (masterPeriod, since, end) = (
      room.time(.masterPeriod, bit), room.time(.since, bit), room.time(.masterEnd, bit)
    )
    let ratio = room.ratio.lane(lane)
    place.pointee.phase[lane] = SyncedPlace.phase(SyncedPlace.fraction(end * ratio))
    // Again: for the second time in this block, or later.
    let isAgain = since + Float(frames &- passed) > (end + 1.5) * masterPeriod
    let gone = isAgain ? ratio : (room.time(.own, bit) + masterPeriod - since) / room.time(.period, bit)
    place.pointee.end[lane] = SyncedPlace.fraction(gone)
  }

  /// Puts a jump at a time, `height` times.
  @_noLocks @inline(__always)
  private func put(_ lane: Int, _ time: Float, _ height: Float) {
    let (x, share) = Self.nearest(time + Float(passed), room.rows + lane &* SumRoom.row)
    let (pulse, middle) = (SyncedPulse.at(share), SyncedPulse.middle(share))
    if isLeft { Self.add(pulse, middle, height * room.heights.lane(lane), x - 4) }
    if isRight {
      let other = room.heights.lane(lane &+ Limits.lanesPerGroup)
      Self.add(pulse, middle, height * other, x + (SumRoom.side &- 4))
    }
  }

  /// Adds a pulse to a row.
  @_noLocks @inline(__always)
  private static func add(
    _ pulse: (before: Quad, behind: Quad), _ middle: (before: Float, behind: Float), _ height: Float,
    _ x: UnsafeMutablePointer<Float>
  ) {
    let heights = Quad(repeating: height)
    x.four = multiplyAdd(pulse.before, heights, x.four)
    x[4] += middle.before * height
    x[5] += middle.behind * height
    (x + 6).four = multiplyAdd(pulse.behind, heights, (x + 6).four)
  }

  @_noLocks @inline(__always)
  private func larger(_ a: Float, _ b: Float) -> Float { a > b ? a : b }

  @_noLocks @inline(__always)
  private func smaller(_ a: Float, _ b: Float) -> Float { a < b ? a : b }
}
