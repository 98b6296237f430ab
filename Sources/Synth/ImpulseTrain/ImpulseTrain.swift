import Scenes

/// A sum of saws in eight voices, such as those of unisons, computed from their jumps alone.
///
/// Between the jumps, all saws together are one straight line. Each jump adds a short pulse at its position, the slope
/// of a smoothed step, for one voice of one saw at a time. One pass then integrates pulses and slope over the samples
/// (the band-limited impulse train of Stilson and Smith, "Alias-free digital synthesis of classic analog waveforms",
/// ICMC 1996, integrated from the values of the saws at the first sample, so that nothing drifts). A further saw costs
/// only its jumps: at 440 Hz one for every 109 samples.
///
/// The sum has one side or two, and each saw has a level on each side. The output is a sum of saws of ±2^31.
struct ImpulseTrain {
  let scratch: ImpulseScratch
  let kept: ImpulseTail
  /// Frames of the whole block; this part renders the frames from `first` up to `end`.
  let frames: Int
  let first: Int
  let end: Int
  /// True when the sum has two sides.
  let isWide: Bool
  /// `continues` is true when the sum continues that of the last block, a whole update with the same saws at the same
  /// levels. `isKept` is true when the next block may continue this one.
  let continues: Bool
  let isKept: Bool
  /// Jumps at this time and later reach no sample; in samples from the first.
  let last: Float
  /// Straight line of each side, without the pulses: its value at the first sample, and its slope per sample.
  private var left = SawLine()
  private var right = SawLine()
  /// Saws, pulse ends and synchronized saws that are being added and jump within the frames, a bit for each lane of
  /// each slot.
  var saws: UInt64 = 0
  var ends: UInt64 = 0
  var synced: UInt64 = 0
  /// Memory of the current oscillator for jumps that are placed after the end of the block: those of saws, then those
  /// of pulse ends.
  private(set) var jumps: UnsafeMutablePointer<Lanes>
  /// Gains of a saw that lies on a side: on that side, and on the opposite side.
  private var own: Float = 0
  private var other: Float = 0

  /// Half a period and a whole period, in phase units.
  static var half: Float { @_noLocks get { BandLimitedStep.scale } }
  static var whole: Float { @_noLocks get { 2 * BandLimitedStep.scale } }

  /// Creates an empty sum. When a block is rendered in parts, each part computes the whole block, so that the samples
  /// have the same bits; only the last part keeps its state.
  @_noLocks @inline(__always)
  init(
    _ scratch: ImpulseScratch, _ kept: ImpulseTail, _ part: BlockPart, isWide: Bool, continues: Bool = false,
    isKept: Bool = false
  ) {
    (self.scratch, frames, first, end) = (scratch, part.planned, part.first, part.end)
    self.kept = part.isLast ? kept : kept.copied(to: scratch.copy)
    (self.isWide, self.continues, self.isKept, jumps) = (isWide, continues, isKept, self.kept.jumps(0))
    last = Float(self.frames &- 1) + SawPulse.end
    scratch.clear(isWide: isWide)
  }

  /// Begins adding saws of an oscillator at `level` times these gains: `middle` for saws in the middle; for saws on a
  /// side, `own` on that side and `other` on the opposite side.
  @_noLocks
  mutating func begin(_ oscillator: Int, _ level: Lanes, middle: Float, own: Float = 0, other: Float = 0) {
    (jumps, self.own, self.other) = (kept.jumps(oscillator), own, other)
    let (height, heights) = (level * -Self.whole, scratch.heights)
    scratch.lines[0] = SawLine()
    heights[0] = height * middle
    heights[1] = heights[0]
    (scratch.members[0], scratch.members[1], scratch.members[2]) = (0, 0, 0)
    if !isSided { return }
    (scratch.lines[1], scratch.lines[2]) = (SawLine(), SawLine())
    let (near, far) = (height * own, height * other)
    (heights[2], heights[3], heights[4], heights[5]) = (near, far, far, near)
  }

  /// True when saws on the sides have a gain.
  private var isSided: Bool { @_noLocks @inline(__always) get { own != 0 || other != 0 } }

  /// Places the jumps of the saws that were added since `begin`.
  @_noLocks
  mutating func place() {
    place(0, isLeft: true, isRight: isWide)
    if isSided {
      place(1, isLeft: own != 0, isRight: isWide && other != 0)
      place(2, isLeft: other != 0, isRight: isWide && own != 0)
    }
    (saws, ends, synced) = (0, 0, 0)
  }

  /// Places the jumps of the saws in the middle (0), on the left (1) or on the right (2).
  @_noLocks @inline(__always)
  private mutating func place(_ pan: Int, isLeft: Bool, isRight: Bool) {
    let (line, unit) = (scratch.lines[pan], -1 / Self.whole)
    let heights = ImpulseHeights(scratch.heights + 2 &* pan, isLeft: isLeft, isRight: isRight)
    if isLeft { left.add(line, heights.left.pointee * unit) }
    if isRight { right.add(line, heights.right.pointee * unit) }
    let members = scratch.members[pan]
    if saws & members != 0 { place(saws & members, .first, .increment, jumps, heights) }
    if ends & members != 0 {
      place(ends & members, .firstEnd, .endIncrement, jumps + ImpulseTail.slots, heights.turned)
    }
    if synced & members != 0 { placeSynced(synced & members, heights) }
  }

  /// Writes the samples to one block, or to one block for left and one for right; a sum with one side goes to both.
  @_noLocks
  mutating func finish(_ x: UnsafeMutablePointer<Lanes>, _ y: UnsafeMutablePointer<Lanes>) {
    put(left, scratch.rows, x, kept.left)
    if isWide {
      put(right, scratch.rows + ImpulseScratch.side, y, kept.right)
    } else if x != y {
      copy(x, to: y)
    }
  }
}

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

/// Heights of jumps in each of eight voices, on each side that receives them.
struct ImpulseHeights {
  let left: UnsafeMutablePointer<Lanes>
  let isLeft: Bool
  let isRight: Bool
  /// 1 for jumps that lower the sum, -1 for jumps that raise it.
  let sign: Float

  @_noLocks @inline(__always)
  init(_ heights: UnsafeMutablePointer<Lanes>, isLeft: Bool, isRight: Bool, sign: Float = 1) {
    (left, self.isLeft, self.isRight, self.sign) = (heights, isLeft, isRight, sign)
  }

  var right: UnsafeMutablePointer<Lanes> { @_noLocks @inline(__always) get { left + 1 } }

  /// The heights with the opposite sign.
  var turned: ImpulseHeights {
    @_noLocks @inline(__always) get { ImpulseHeights(left, isLeft: isLeft, isRight: isRight, sign: -sign) }
  }
}
