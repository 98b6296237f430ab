import Scenes

/// A delay line for long delays: a ring buffer of any length, in memory owned by the caller. The caller also counts and
/// wraps the write index.
///
/// The first samples are repeated after the last ones, so that reads across the end are contiguous.
struct DelayLine {
  private let samples: UnsafeMutablePointer<Float>
  /// Length of the ring in samples.
  let size: Int
  /// Samples that are stored twice.
  private static var guarded: Int { @_noLocks get { 32 } }

  /// Samples of memory for delays of up to `longest`.
  static func memory(longest: Int) -> Int { longest + 2 * guarded }

  /// A ring in the given memory, of the size that `memory` returns.
  init(_ samples: UnsafeMutablePointer<Float>, longest: Int) {
    (self.samples, size) = (samples, longest + Self.guarded)
  }

  /// The address of the samples written `delay` frames before those at `index`: at least 16 are contiguous.
  @_noLocks @inline(__always)
  func delayed(by delay: Int, at index: Int) -> UnsafePointer<Float> {
    let from = index &- delay
    return UnsafePointer(samples) + (from < 0 ? from &+ size : from)
  }

  /// Writes `frames` samples from an index on, at most `Limits.controlFrames`. Samples after them, up to a multiple
  /// of eight, are overwritten with garbage and must not be read before they are written again.
  @_noLocks @inline(__always)
  func write(_ x: UnsafePointer<Float>, at index: Int, frames: Int) {
    var i = 0
    while i < frames {
      (samples + (index &+ i)).eight = (x + i).eight
      i &+= Limits.lanesPerGroup
    }
    if index < Self.guarded || index &+ i > size { repeatGuarded(index) }
  }

  /// Copies the first samples to the end of the ring or back, after either copy was written.
  @_noLocks @inline(never)
  private func repeatGuarded(_ index: Int) {
    let (start, end) = (samples, samples + size)
    for i in 0..<Self.guarded {
      if index < Self.guarded { end[i] = start[i] } else { start[i] = end[i] }
    }
  }

  /// The index some frames after an index, wrapped.
  @_noLocks @inline(__always)
  func index(_ frames: Int, after index: Int) -> Int {
    let next = index &+ frames
    return next >= size ? next &- size : next
  }
}

/// The read position of a delay line: a delay behind the write position, which can glide like a tape whose speed
/// changes.
struct DelayTap {
  // Delay in frames and its increment per frame, both times 2^32: a `Float` would be too coarse for two seconds.
  private var delay = 0
  private var step = 0
  // Target in frames, and current speed in frames per frame.
  private var goal = 0
  private var slope: Float = 0

  @_noLocks init() {}

  private static var one: Int { @_noLocks get { 1 << 32 } }
  /// Speed limits of the tape in frames per frame: while the time gets longer (an octave down) and shorter (an octave
  /// up).
  private static var longer: Float { @_noLocks get { 0.5 } }
  private static var shorter: Float { @_noLocks get { -1 } }
  /// Time constants in seconds: of the approach to the target, and of changes of the speed.
  private static var approach: Float { @_noLocks get { 0.06 } }
  private static var inertia: Float { @_noLocks get { 0.012 } }

  /// The whole frames of the current delay.
  var frames: Int { @_noLocks get { delay &>> 32 } }

  /// Whether the tap has settled at a delay in frames.
  @_noLocks
  func isSettled(at frames: Int) -> Bool { step == 0 && delay == frames &<< 32 }

  /// Jumps to a delay in frames.
  @_noLocks
  mutating func rest(at frames: Int) { (delay, step, goal, slope) = (frames &<< 32, 0, frames, 0) }

  /// Stops at the current delay.
  @_noLocks
  mutating func stay() { (step, slope) = (0, 0) }

  /// Glides towards a target like a tape, for the next `frames`.
  @_noLocks
  mutating func move(to goal: Int, rate: Float, frames: Int) {
    let off = (goal &<< 32) &- delay
    // At the target except for rounding; below, close enough for one tick to reach it.
    if off.magnitude < UInt(Self.one &>> 16) { return rest(at: goal) }
    let count = Float(frames)
    let distance = Float(off) * (1 / 4_294_967_296)
    if distance.magnitude < 0.25, slope.magnitude < 0.02 {
      (step, slope) = (off / frames, 0)
      return
    }
    let wanted = max(Self.shorter, min(distance / (Self.approach * rate), Self.longer))
    slope += (wanted - slope) * min(1, count / (Self.inertia * rate))
    // Never beyond the target.
    if distance > 0 {
      slope = max(0, min(slope, distance / count))
    } else {
      slope = min(0, max(slope, distance / count))
    }
    step = Int(slope * 4_294_967_296)
  }

  /// Advances by some frames.
  @_noLocks @inline(__always)
  mutating func pass(_ frames: Int) { delay &+= step &* frames }

  /// Reads frames of a line at a write index, with a delay one frame shorter than the tap's. Returns an address in the
  /// line if the tap rests, otherwise in the scratch memory `scratch`.
  @_noLocks @inline(__always)
  func read(
    _ line: DelayLine, at index: Int, frames: Int, _ scratch: UnsafeMutablePointer<Float>
  ) -> UnsafePointer<Float> {
    if step == 0, delay & (Self.one &- 1) == 0 { return line.delayed(by: (delay &>> 32) &- 1, at: index) }
    interpolate(line, at: index, frames: frames, scratch)
    return UnsafePointer(scratch)
  }

  /// Reads frames between samples by Catmull-Rom interpolation of four samples.
  @_noLocks @inline(never)
  private func interpolate(
    _ line: DelayLine, at index: Int, frames: Int, _ y: UnsafeMutablePointer<Float>
  ) {
    var (delay, i) = (delay, 0)
    while i < frames {
      let x = line.delayed(by: (delay &>> 32) &+ 1, at: index &+ i)
      let f = Float(delay & (Self.one &- 1)) * (1 / 4_294_967_296)
      let (slope, rise) = ((x[1] - x[3]) * 0.5, x[1] - x[2])
      let curvature = rise - slope
      let p = (x[0] - x[2]) * 0.5 - (curvature + rise)
      y[i] = ((p * f + (curvature - p)) * f + slope) * f + x[2]
      delay &+= step
      i &+= 1
    }
  }
}
