/// A sum of saws in eight voices, such as those of unisons: made of their jumps alone.
///
/// Between their jumps all saws together are one straight line. So each jump puts a short pulse where it is, the slope
/// of a smoothed step, for one voice of one saw at a time; and one pass adds up pulses and slope over the samples (the
/// band-limited impulse train of Stilson and Smith, "Alias-free digital synthesis of classic analog waveforms", ICMC 1996,
/// integrated from where the saws are at the first sample, so that nothing drifts). A further saw costs what its jumps
/// cost: at 440 Hz one for every 109 samples.
///
/// It has one side or two, and what is added has a level on each. What comes out is a sum of saws of ±2^31.
struct ImpulseTrain {
  let room: ImpulseScratch
  let kept: ImpulseTail
  /// Frames of the block, of which it gives those from `first` on until `end`.
  let frames: Int
  let first: Int
  let end: Int
  /// True when it has two sides.
  let isWide: Bool
  /// True where it goes on from the block before, a whole update with the same saws at the same levels; and where the block
  /// behind may do so.
  let goesOn: Bool
  let isKept: Bool
  /// The time of the first jump that reaches no sample.
  let last: Float
  /// Where it begins at the first sample without the pulses, and what it grows by from sample to sample, on either side.
  private var left = SawLine()
  private var right = SawLine()
  /// What is being added and jumps within the frames, a bit for each lane of each place: saws, ends of pulses, and
  /// synchronized saws.
  var saws: UInt64 = 0
  var ends: UInt64 = 0
  var synced: UInt64 = 0
  /// Where it is kept which jumps have been put behind the block: of saws, and then of ends.
  private(set) var jumps: UnsafeMutablePointer<Lanes>
  /// What of what is being added on a side is heard there, and on the other one.
  private var own: Float = 0
  private var other: Float = 0

  /// Half of a period, and a whole one, as a phase.
  static var half: Float { @_noLocks get { BandLimitedStep.scale } }
  static var whole: Float { @_noLocks get { 2 * BandLimitedStep.scale } }

  /// An empty sum. It is made for the whole block again where that is cut, so that the samples are the same bits; what is kept
  /// of it is what the last of its parts keeps.
  @_noLocks @inline(__always)
  init(
    _ room: ImpulseScratch, _ kept: ImpulseTail, _ part: BlockPart, isWide: Bool, goesOn: Bool = false,
    isKept: Bool = false
  ) {
    (self.room, frames, first, end) = (room, part.planned, part.first, part.end)
    self.kept = part.isLast ? kept : kept.copied(to: room.copy)
    (self.isWide, self.goesOn, self.isKept, jumps) = (isWide, goesOn, isKept, self.kept.jumps(0))
    last = Float(self.frames &- 1) + SawPulse.end
    room.clear(isWide: isWide)
  }

  /// What is added from here on belongs to an oscillator and has a level, times these: in the middle; and of what lies on a
  /// side on that one, and on the other.
  @_noLocks
  mutating func begin(_ oscillator: Int, _ level: Lanes, middle: Float, own: Float = 0, other: Float = 0) {
    (jumps, self.own, self.other) = (kept.jumps(oscillator), own, other)
    let (height, heights) = (level * -Self.whole, room.heights)
    room.lines[0] = SawLine()
    heights[0] = height * middle
    heights[1] = heights[0]
    (room.members[0], room.members[1], room.members[2]) = (0, 0, 0)
    if !isSided { return }
    (room.lines[1], room.lines[2]) = (SawLine(), SawLine())
    let (near, far) = (height * own, height * other)
    (heights[2], heights[3], heights[4], heights[5]) = (near, far, far, near)
  }

  /// True where something is on a side.
  private var isSided: Bool { @_noLocks @inline(__always) get { own != 0 || other != 0 } }

  /// Puts what was added since it began where it belongs.
  @_noLocks
  mutating func place() {
    place(0, isLeft: true, isRight: isWide)
    if isSided {
      place(1, isLeft: own != 0, isRight: isWide && other != 0)
      place(2, isLeft: other != 0, isRight: isWide && own != 0)
    }
    (saws, ends, synced) = (0, 0, 0)
  }

  /// What lies in the middle, left or right.
  @_noLocks @inline(__always)
  private mutating func place(_ pan: Int, isLeft: Bool, isRight: Bool) {
    let (line, unit) = (room.lines[pan], -1 / Self.whole)
    let heights = SumHeights(room.heights + 2 &* pan, isLeft: isLeft, isRight: isRight)
    if isLeft { left.add(line, heights.left.pointee * unit) }
    if isRight { right.add(line, heights.right.pointee * unit) }
    let members = room.members[pan]
    if saws & members != 0 { place(saws & members, .first, .way, jumps, heights) }
    if ends & members != 0 {
      place(ends & members, .firstEnd, .endWay, jumps + ImpulseScratch.places, heights.turned)
    }
    if synced & members != 0 { placeSynced(synced & members, heights) }
  }

  /// Puts the samples into one block, or into two that are left and right; where it has one side, into both.
  @_noLocks
  mutating func finish(_ x: UnsafeMutablePointer<Lanes>, _ y: UnsafeMutablePointer<Lanes>) {
    put(left, room.rows, x, kept.left)
    if isWide {
      put(right, room.rows + ImpulseScratch.side, y, kept.right)
    } else if x != y {
      copy(x, to: y)
    }
  }
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
