/// Where a delay is read: so many frames behind where it is written, which may change as the speed of a tape does.
struct DelayTap {
  // Frames, and what is added to them at every frame, times 2^32: a number would be too coarse for two seconds.
  private var late = 0
  private var step = 0
  // Where it goes, in frames, and how fast: frames a frame.
  private var goal = 0
  private var slope: Float = 0

  @_noLocks init() {}

  private static var one: Int { @_noLocks get { 1 << 32 } }
  /// How fast a tape gets at most when the time becomes longer, an octave down, and shorter, an octave up.
  private static var longer: Float { @_noLocks get { 0.5 } }
  private static var shorter: Float { @_noLocks get { -1 } }
  /// Seconds in which a tape gets nearer by a factor of e, and in which it gets to its speed.
  private static var approach: Float { @_noLocks get { 0.06 } }
  private static var inertia: Float { @_noLocks get { 0.012 } }

  /// Whole frames, as far as it has come.
  var frames: Int { @_noLocks get { late &>> 32 } }

  /// Whether it is at so many frames, and stays.
  @_noLocks
  func rests(at frames: Int) -> Bool { step == 0 && late == frames &<< 32 }

  /// Is at so many frames.
  @_noLocks
  mutating func rest(at frames: Int) { (late, step, goal, slope) = (frames &<< 32, 0, frames, 0) }

  /// Stays where it is.
  @_noLocks
  mutating func stay() { (step, slope) = (0, 0) }

  /// Moves as a tape does for the next `frames`, towards a goal.
  @_noLocks
  mutating func move(to goal: Int, rate: Float, frames: Int) {
    let off = (goal &<< 32) &- late
    // At the goal but for rounding, or so near that one tick takes it there.
    if off.magnitude < UInt(Self.one &>> 16) { return rest(at: goal) }
    let count = Float(frames)
    let way = Float(off) * (1 / 4_294_967_296)
    if way.magnitude < 0.25, slope.magnitude < 0.02 {
      (step, slope) = (off / frames, 0)
      return
    }
    let wanted = max(Self.shorter, min(way / (Self.approach * rate), Self.longer))
    slope += (wanted - slope) * min(1, count / (Self.inertia * rate))
    // Never over the goal.
    if way > 0 { slope = max(0, min(slope, way / count)) } else { slope = min(0, max(slope, way / count)) }
    step = Int(slope * 4_294_967_296)
  }

  /// Goes on by some frames.
  @_noLocks @inline(__always)
  mutating func pass(_ frames: Int) { late &+= step &* frames }

  /// The frames of a line at a place, read one frame earlier than it is late: in the line if it rests, else in `room`.
  @_noLocks @inline(__always)
  func read(
    _ line: DelayLine, at place: Int, frames: Int, _ room: UnsafeMutablePointer<Float>
  ) -> UnsafePointer<Float> {
    if step == 0, late & (Self.one &- 1) == 0 { return line.behind((late &>> 32) &- 1, at: place) }
    interpolate(line, at: place, frames: frames, room)
    return UnsafePointer(room)
  }

  /// The same between samples, by the cubic through four of them that has the slopes of their neighbours.
  @_noLocks @inline(never)
  private func interpolate(
    _ line: DelayLine, at place: Int, frames: Int, _ y: UnsafeMutablePointer<Float>
  ) {
    var (late, i) = (late, 0)
    while i < frames {
      let x = line.behind((late &>> 32) &+ 1, at: place &+ i)
      let f = Float(late & (Self.one &- 1)) * (1 / 4_294_967_296)
      let (slope, rise) = ((x[1] - x[3]) * 0.5, x[1] - x[2])
      let bend = rise - slope
      let p = (x[0] - x[2]) * 0.5 - (bend + rise)
      y[i] = ((p * f + (bend - p)) * f + slope) * f + x[2]
      late &+= step
      i &+= 1
    }
  }
}
