/// A sum of saws in eight voices, such as those of unisons: made of their jumps alone.
///
/// Between their jumps all saws together are one straight line. So each jump puts a short pulse where it is, the slope
/// of a smoothed step, for one voice of one saw at a time; and one pass adds up pulses and slope over the samples (the
/// band-limited impulse train of Stilson and Smith, "Alias-free digital synthesis of classic analog waveforms", ICMC 1996,
/// integrated from where the saws are at the first sample, so that nothing drifts). A further saw costs what its jumps
/// cost: at 440 Hz one for every 109 samples.
///
/// It has one side or two, and what is added has a level on each. What comes out is a sum of saws of ±2^31.
struct SawSum {
  let room: SumRoom
  /// Frames since the tick, and those of them that have passed.
  let frames: Int
  let passed: Int
  /// True when it has two sides; and on which of them there is what is being added.
  let isWide: Bool
  private(set) var isLeft = true
  private(set) var isRight = false
  /// Where it begins at the first sample without the pulses, and what it grows by from sample to sample, on either side.
  private var left = SawLine()
  private var right = SawLine()
  /// What is being added and jumps within the frames, a bit for each lane of each place: saws, ends of pulses, and
  /// synchronized saws; and those of the last that begin anew.
  var saws: UInt64 = 0
  var ends: UInt64 = 0
  var synced: UInt64 = 0
  var begun: UInt64 = 0
  /// Where synchronized saws are, by their places.
  var syncedPlaces: UnsafeMutablePointer<SyncedPlace>?

  /// Half of a period, and a whole one, as a phase.
  static var half: Float { @_noLocks get { BandLimitedStep.scale } }
  static var whole: Float { @_noLocks get { 2 * BandLimitedStep.scale } }

  /// An empty sum, for `frames` behind `passed` of the same tick: it begins where the tick did, so that the samples are the
  /// same bits wherever that is cut.
  @_noLocks @inline(__always)
  init(_ room: SumRoom, passed: Int, frames: Int, isWide: Bool) {
    (self.room, self.frames, self.passed, self.isWide) = (room, passed &+ frames, passed, isWide)
    room.clear(isWide: isWide)
    room.heights[0] = Lanes(repeating: -Self.whole)
    room.line.pointee = SawLine()
  }

  /// What is added from here on has a level, times these on either side.
  @_noLocks
  mutating func setLevel(_ level: Lanes, left: Float, right: Float) {
    place()
    room.heights[0] = level * (left * -Self.whole)
    isLeft = true
    if !isWide { return }
    room.heights[1] = level * (right * -Self.whole)
    (isLeft, isRight) = (left != 0, right != 0)
  }

  /// Puts what was being added where it belongs.
  @_noLocks
  private mutating func place() {
    placeJumps()
    let (line, unit) = (room.line.pointee, -1 / Self.whole)
    if isLeft { left.add(line, room.heights[0] * unit) }
    if isRight { right.add(line, room.heights[1] * unit) }
    room.line.pointee = SawLine()
  }

  /// Puts the samples into one block, or into two that are left and right; where it has one side, into both.
  @_noLocks
  mutating func finish(_ x: UnsafeMutablePointer<Lanes>, _ y: UnsafeMutablePointer<Lanes>) {
    place()
    put(left, room.rows, x)
    if isWide {
      put(right, room.rows + SumRoom.side, y)
    } else if x != y {
      copy(x, to: y)
    }
  }

  // MARK: - Saws

  /// Adds saws that begin at a phase and go so far for each sample, as numbers of phase, above 0; `period` is in samples.
  /// All that is added at the same level has a place of its own, 0…7.
  @_noLocks @inline(__always)
  mutating func add(_ phase: Phases, way: Lanes, period: Lanes, _ place: Int) {
    let start = begin(phase, period, room.times(.first, place), &saws, place)
    room.times(.period, place).pointee = period
    room.line.pointee.start += start
    room.line.pointee.slope += way
  }

  /// Adds pulses, whose ends lie so far behind their beginnings: each is a saw less another one.
  @_noLocks @inline(__always)
  mutating func addPulses(_ phase: Phases, _ end: Phases, period: Lanes, _ place: Int) {
    let start = begin(phase, period, room.times(.first, place), &saws, place)
    let away = begin(phase &+ end, period, room.times(.firstEnd, place), &ends, place)
    room.times(.period, place).pointee = period
    room.line.pointee.start += start - away
  }

  /// Finds the first jumps of saws. Where their lines begin: above the saws where a jump before the first sample reaches
  /// into the block.
  @_noLocks @inline(__always)
  private func begin(
    _ phase: Phases, _ period: Lanes, _ times: UnsafeMutablePointer<Lanes>, _ jumps: inout UInt64,
    _ place: Int
  ) -> Lanes {
    let number = numbers(phase)
    let since = multiplyAdd(number, Lanes(repeating: 1 / Self.whole), Lanes(repeating: 0.5)) * period
    let isBehind = unsafeBitCast(since .< Lanes(repeating: SawPulse.end), to: LaneWords.self)
    let first = lanes(bits(period) & ~isBehind) - since
    times.pointee = first
    jumps |= UInt64(lanes(where: first .< Lanes(repeating: last))) &<< UInt64(8 &* place)
    return number + lanes(bits(Lanes(repeating: Self.whole)) & isBehind)
  }

  /// The time of the first jump that reaches no sample.
  var last: Float { @_noLocks @inline(__always) get { Float(frames &- 1) + SawPulse.end } }
}

/// A straight line in each of eight voices.
struct SawLine {
  var start = Lanes.zero
  var slope = Lanes.zero

  @_noLocks @inline(__always)
  init() {}

  /// Adds another one at a level.
  @_noLocks @inline(__always)
  mutating func add(_ other: SawLine, _ level: Lanes) {
    start = multiplyAdd(other.start, level, start)
    slope = multiplyAdd(other.slope, level, slope)
  }
}
