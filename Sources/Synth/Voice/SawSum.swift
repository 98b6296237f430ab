/// A sum of saws in eight voices, such as those of unisons: made of their jumps alone.
///
/// Between their jumps all saws together are one straight line. So each jump puts a short pulse where it is, the slope
/// of a smoothed step, for one voice of one saw at a time; and one pass adds up pulses and slope over the samples (the
/// band-limited impulse train of Stilson and Smith, "Alias-free digital synthesis of classic analog waveforms", ICMC 1996,
/// integrated from where the saws are at the first sample, so that nothing drifts). A further saw costs what its jumps
/// cost: at 440 Hz one for every 109 samples.
///
/// It has one side or two, and each saw a level on each of them. What comes out is a sum of saws of ±2^31.
struct SawSum {
  /// Where the first sample of the first lane on the left side is, in rows of pulses.
  let rows: UnsafeMutablePointer<Float>
  /// What a jump of what is being added takes away, left and right; and samples on their way to another block.
  let heights: UnsafeMutablePointer<Lanes>
  let samples: UnsafeMutablePointer<Lanes>
  /// Frames since the tick, and those of them that have passed.
  let frames: Int
  let passed: Int
  /// True when it has two sides; and on which of them there is what is being added.
  let isWide: Bool
  private(set) var isLeft = true
  private(set) var isRight = false
  /// Where it begins at the first sample without the pulses, and what it grows by from sample to sample: all on either
  /// side, and what is being added.
  private var left = SawLine()
  private var right = SawLine()
  var line = SawLine()

  /// Vectors that it works in.
  static var room: Int { @_noLocks get { 2 &* stride &+ 2 &+ Limits.controlFrames } }
  /// Samples of a row: those before the first one that pulses reach, those of a tick, and those behind the last one.
  static var stride: Int { @_noLocks get { before &+ Limits.controlFrames &+ 12 } }
  static var before: Int { @_noLocks get { 8 } }
  /// Half of a period, and a whole one, as a phase.
  static var half: Float { @_noLocks get { BandLimitedStep.scale } }
  static var whole: Float { @_noLocks get { 2 * BandLimitedStep.scale } }

  /// An empty sum, for `frames` behind `passed` of the same tick: it begins where the tick did, so that the samples are the
  /// same bits wherever that is cut. `room` is for as many vectors as it works in.
  @_noLocks @inline(__always)
  init(_ room: UnsafeMutablePointer<Lanes>, passed: Int, frames: Int, isWide: Bool) {
    (self.frames, self.passed, self.isWide) = (passed &+ frames, passed, isWide)
    rows = UnsafeMutableRawPointer(room).assumingMemoryBound(to: Float.self) + Self.before
    heights = room + 2 &* Self.stride
    samples = heights + 2
    let used = isWide ? 2 &* Self.stride : Self.stride
    // Of which the compiler does not know that it is nothing: it would call `memset`.
    let nothing = opaque(Lanes.zero)
    var i = 0
    while i < used {
      room[i] = nothing
      room[i &+ 1] = nothing
      room[i &+ 2] = nothing
      room[i &+ 3] = nothing
      i &+= 4
    }
    heights[0] = Lanes(repeating: -Self.whole)
  }

  /// What is added from here on has these levels, left and right.
  @_noLocks
  mutating func setLevels(_ left: Lanes, _ right: Lanes) {
    endLine()
    heights[0] = left * -Self.whole
    isLeft = true
    if !isWide { return }
    heights[1] = right * -Self.whole
    (isLeft, isRight) = (isAny(left), isAny(right))
  }

  /// Puts what was being added where it belongs.
  @_noLocks @inline(__always)
  private mutating func endLine() {
    let unit = -1 / Self.whole
    if isLeft { left.add(line, heights[0] * unit) }
    if isRight { right.add(line, heights[1] * unit) }
    line = SawLine()
  }

  /// Adds saws that begin at a phase and go so far for each sample, as numbers of phase, above 0; `period` is in samples.
  @_noLocks
  mutating func add(_ phase: Phases, way: Lanes, period: Lanes) {
    line.start += begin(phase, period, 1)
    line.slope += way
  }

  /// Adds pulses, whose ends lie so far behind their beginnings: each is a saw less another one.
  @_noLocks
  mutating func addPulses(_ phase: Phases, _ end: Phases, period: Lanes) {
    line.start += begin(phase, period, 1)
    line.start -= begin(phase &+ end, period, -1)
  }

  /// Puts the jumps of saws where they are, `height` times. Where their lines begin: above the saws where a jump before the
  /// first sample reaches into the block.
  @_noLocks @inline(__always)
  private func begin(_ phase: Phases, _ period: Lanes, _ height: Float) -> Lanes {
    let (end, last) = (SawPulse.end, Float(frames &- 1) + SawPulse.end)
    let place = numbers(phase)
    let since = multiplyAdd(place, Lanes(repeating: 1 / Self.whole), Lanes(repeating: 0.5)) * period
    let isBehind = unsafeBitCast(since .< Lanes(repeating: end), to: LaneWords.self)
    let first = lanes(bits(period) & ~isBehind) - since
    var left = lanes(where: first .< Lanes(repeating: last))
    if left != 0 {
      // In memory, where a lane is found by its number at once.
      var jumps = (first: first, period: period)
      while left != 0 {
        jump(left.trailingZeroBitCount, &jumps, height, last)
        left &= left &- 1
      }
    }
    return place + lanes(bits(Lanes(repeating: Self.whole)) & isBehind)
  }

  /// The jumps of one lane; `jumps` is where the times of the first ones begin, and behind them the periods.
  @_noLocks @inline(__always)
  private func jump(_ lane: Int, _ jumps: UnsafeRawPointer, _ height: Float, _ last: Float) {
    let place = jumps + lane &* MemoryLayout<Float>.stride
    var time = place.load(as: Float.self)
    let period = place.load(fromByteOffset: MemoryLayout<Lanes>.stride, as: Float.self)
    repeat {
      let (x, share) = nearest(time, lane)
      let pulse = SawPulse.at(share)
      if isLeft { Self.add(pulse, height * self.height(lane), x - 3) }
      if isRight { Self.add(pulse, height * heightOnRight(lane), x + (Self.right &- 3)) }
      time += period
    } while time < last
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

  // MARK: - Rows

  /// From a sample on the left side to the same on the right.
  static var right: Int { @_noLocks get { Limits.lanesPerGroup &* stride } }

  /// What a jump of a lane takes away on either side.
  @_noLocks @inline(__always)
  func height(_ lane: Int) -> Float {
    UnsafeRawPointer(heights).load(fromByteOffset: lane &* MemoryLayout<Float>.stride, as: Float.self)
  }

  @_noLocks @inline(__always)
  func heightOnRight(_ lane: Int) -> Float { height(lane &+ Limits.lanesPerGroup) }

  /// The sample of a lane that is nearest to a time, and how far behind it that lies.
  @_noLocks @inline(__always)
  func nearest(_ time: Float, _ lane: Int) -> (UnsafeMutablePointer<Float>, share: Float) {
    // Adding 1.5 · 2^23 leaves the nearest whole number in the low bits.
    let whole = time + 12_582_912
    let sample = Int(truncatingIfNeeded: Int32(bitPattern: whole.bitPattern &- 0x4b40_0000))
    return (rows + (lane &* Self.stride &+ sample), (whole - 12_582_912) - time)
  }

  /// Puts the samples into one block, or into two that are left and right; where it has one side, into both.
  @_noLocks
  mutating func finish(_ x: UnsafeMutablePointer<Lanes>, _ y: UnsafeMutablePointer<Lanes>) {
    endLine()
    if isWide {
      put(left, rows, x)
      put(right, rows + Self.right, y)
    } else {
      put(left, rows, x)
      if x != y { copy(x, to: y) }
    }
  }
}

/// A straight line in each of eight voices.
struct SawLine {
  var start = Lanes.zero
  var slope = Lanes.zero

  /// Adds another one at a level.
  @_noLocks @inline(__always)
  mutating func add(_ other: SawLine, _ level: Lanes) {
    start = multiplyAdd(other.start, level, start)
    slope = multiplyAdd(other.slope, level, slope)
  }
}
