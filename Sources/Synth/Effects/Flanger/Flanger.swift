import CRealtime
import Scenes

/// The flanger of a part: a short delay in a feedback loop, whose length is swept. Mixed with the dry sound, it is a
/// comb filter whose notches lie at odd multiples of 1 / (2 · delay).
///
/// As in a phaser, a mix of a half has both sounds at equal levels, and the level into the loop keeps the loudness at any
/// feedback. The loop is as long as the delay: each frame is read before it is written. Where the delay allows it, four frames
/// are computed at once; fewer are computed in the same way, so that blocks of any size have the same samples.
struct Flanger {
  private let memory: UnsafeMutablePointer<Float>
  private let count: Int
  private let rings: PairRings
  private var sweep: FlangerSweep
  private var loop = FeedbackLoop()
  // The first frame of the tick, and the frames of it that have been rendered.
  private var tick = 0
  private var done = 0
  // Samples of memory that are cleared.
  private var cleared: Int

  /// A silent flanger for a sample rate. Control thread only.
  init(rate: Double) {
    let longest = Int(Double(FlangerKnobs.longest) * rate) + Limits.controlFrames
    let ring = PairRings.memory(longest: longest, hasMean: false)
    count = ring + FlangerSweep.memory
    memory = .allocate(capacity: count)
    memory.initialize(repeating: 0, count: count)
    rings = PairRings(memory, longest: longest, hasMean: false)
    sweep = FlangerSweep(memory + ring, rate: Float(rate))
    cleared = count
  }

  /// Frees the memory. Control thread only.
  func deallocate() { memory.deallocate() }

  /// Jumps to the knobs and restarts the sweep.
  @_noLocks
  mutating func snap(_ knobs: UnsafePointer<FlangerKnobs>) {
    sweep.snap(knobs)
    loop.snap(knobs.pointee.feedback)
  }

  /// Aims at the knobs over the next `frames`; `chosen` holds the knobs' targets.
  @_noLocks
  mutating func aim(
    _ knobs: UnsafePointer<FlangerKnobs>, _ chosen: UnsafePointer<FlangerKnobs>, frames: Int
  ) {
    sweep.aim(knobs, chosen, frames: frames)
    loop.aim(knobs.pointee.feedback, frames: frames)
    (tick, done) = (tick &+ done, 0)
  }

  /// Replaces some frames by the delayed sound, without the dry sound.
  @_noLocks
  mutating func process(
    _ left: UnsafeMutablePointer<Float>, _ right: UnsafeMutablePointer<Float>, frames: Int
  ) {
    cleared = 0
    let (rings, sweep, loop, tick) = (rings, sweep, loop, tick)
    var (offset, i) = (done, 0)
    while i < frames {
      let at = tick &+ offset
      let count = min(frames &- i, sweep.ready(offset))
      let (l, r) = (sweep.read(0, rings, offset, at: at), sweep.read(1, rings, offset, at: at))
      if count == 4 {
        let (x, y) = ((left + i).four, (right + i).four)
        rings.write(loop.inputs(x, l, at: offset), loop.inputs(y, r, at: offset), at: at, count: 4)
        ((left + i).four, (right + i).four) = (l, r)
      } else {
        let (x, y) = (Self.first(count, left + i), Self.first(count, right + i))
        rings.write(loop.inputs(x, l, at: offset), loop.inputs(y, r, at: offset), at: at, count: count)
        Self.write(l, left + i, count)
        Self.write(r, right + i, count)
      }
      i &+= count
      offset &+= count
    }
    done = offset
  }

  /// The first `count` of four samples; the others are 0.
  @_noLocks
  private static func first(_ count: Int, _ x: UnsafePointer<Float>) -> Quad {
    var four = Quad.zero
    var i = 0
    while i < count {
      four[i] = x[i]
      i &+= 1
    }
    return four
  }

  /// Writes the first `count` of four samples.
  @_noLocks
  private static func write(_ four: Quad, _ x: UnsafeMutablePointer<Float>, _ count: Int) {
    var i = 0
    while i < count {
      x[i] = four[i]
      i &+= 1
    }
  }

  /// Clears the memory, 16 KiB per call; true when all of it is clear.
  @_noLocks
  mutating func clearPiece() -> Bool {
    (tick, done) = (0, 0)
    cleared = clear(memory, from: cleared, count: count)
    return cleared == count
  }
}

/// The sweep of a flanger: the delays of both sides, from tick to tick.
///
/// The delay swings in octaves, as a sine. A sweep in octaves is even to the ear, and a sine has no audible turning
/// points. Within a tick the delay is a parabola, as in `RotaryMicrophones`.
struct FlangerSweep {
  // For each frame of a tick, left and then right: the whole samples of the delay, as the bits of an integer, and the
  // distance from the middle between two samples.
  private let wholes: UnsafeMutablePointer<Float>
  private let offsets: UnsafeMutablePointer<Float>
  private let rate: Float
  // Phase of the left side; the whole range of 32 bits is one sweep.
  private var phase: Int32 = 0
  // The delay of both sides in frames at the end of the tick.
  private var delay = SIMD2<Float>.zero
  // The middle of the sweep and its reach to either side, in octaves of a second, and the spread: the targets, and the
  // outputs of the first and the second of two smoothing stages.
  private var goal = Quad.zero
  private var near = Quad.zero
  private var position = Quad.zero
  // The knobs of the targets.
  private var chosen = SIMD4<Float>.zero

  /// Floats of memory needed; four frames are read from any frame on.
  static var memory: Int { 4 * Limits.controlFrames + 4 }
  /// The shortest delay in frames that interpolation with eight points can read.
  private static var shortest: Float { @_noLocks get { 4 } }
  /// Octaves of a full sweep to either side.
  private static var octaves: Float { @_noLocks get { 2 } }
  /// Time constant of each stage in seconds: a moved delay bends the pitch.
  private static var moveSeconds: Float { @_noLocks get { 0.05 } }

  init(_ memory: UnsafeMutablePointer<Float>, rate: Float) {
    (wholes, offsets, self.rate) = (memory, memory + 2 * Limits.controlFrames, rate)
  }

  // MARK: - Knobs

  /// Jumps to the knobs and restarts the sweep.
  @_noLocks
  mutating func snap(_ knobs: UnsafePointer<FlangerKnobs>) {
    find(knobs)
    (near, position, phase) = (goal, goal, 0)
    delay = delays(0, position, 0, position).lowHalf.lowHalf
  }

  /// Continues the sweep over the next `frames`; `chosen` holds the knobs' targets.
  @_noLocks
  mutating func aim(
    _ knobs: UnsafePointer<FlangerKnobs>, _ chosen: UnsafePointer<FlangerKnobs>, frames: Int
  ) {
    let seconds = Float(frames) / rate
    let wanted = chosen.pointee
    if wanted.delay != self.chosen.x || wanted.depth != self.chosen.y || wanted.spread != self.chosen.z {
      find(chosen)
    }
    let (from, share) = (position, seconds / Self.moveSeconds)
    near += (goal - near) * share
    position += (near - position) * share
    let step = rt_whole_number(knobs.pointee.rate * seconds * 4_294_967_296)
    let between = phase &+ step / 2
    phase &+= step
    let delays = delays(between, (from + position) * 0.5, phase, position)
    go(delay, delays.lowHalf.lowHalf, delays.lowHalf.highHalf, frames: frames)
    delay = delays.lowHalf.highHalf
  }

  /// Finds the targets of the knobs.
  @_noLocks
  private mutating func find(_ knobs: UnsafePointer<FlangerKnobs>) {
    let (delay, depth, spread) = (knobs.pointee.delay, knobs.pointee.depth, knobs.pointee.spread)
    chosen = Quad(delay, depth, spread, 0)
    let (shortest, longest) = (rt_log2(FlangerKnobs.shortest), rt_log2(FlangerKnobs.longest))
    let middle = rt_log2(max(FlangerKnobs.shortest, min(delay, FlangerKnobs.longest)))
    let reach = Self.octaves * max(0, min(depth, 1))
    // A sweep that would leave the range is narrower to that side; it stays a sine.
    let (low, high) = (max(middle - reach, shortest), min(middle + reach, longest))
    goal = Quad(0.5 * (low + high), 0.5 * (high - low), max(0, min(spread, 1)), 0)
  }

  /// Delays in frames: left and right at one phase of the left side and position of the knobs, and then at another.
  @_noLocks @inline(__always)
  private func delays(_ one: Int32, _ from: Quad, _ other: Int32, _ to: Quad) -> Lanes {
    // Half a sweep at most, in the range of a positive phase.
    let away = (rt_whole_number(from[2] * 2_147_483_520), rt_whole_number(to[2] * 2_147_483_520))
    let phases = Phases(one, one &+ away.0, other, other &+ away.1, 0, 0, 0, 0)
    let swing = sinePi(numbers(phases) * (1 / 2_147_483_648))
    let middle = Lanes(lowHalf: Quad(from[0], from[0], to[0], to[0]), highHalf: .zero)
    let reach = Lanes(lowHalf: Quad(from[1], from[1], to[1], to[1]), highHalf: .zero)
    return larger(exp2(multiplyAdd(swing, reach, middle)) * rate, Lanes(repeating: Self.shortest))
  }

  /// Computes the delays of a tick as parabolas from its beginning to its end.
  @_noLocks @inline(__always)
  private func go(_ begin: SIMD2<Float>, _ between: SIMD2<Float>, _ end: SIMD2<Float>, frames: Int) {
    let perFrame = 1 / Float(frames)
    let (half, whole) = (between - begin, end - begin)
    let slope = (4 * half - whole) * perFrame
    let curve = (2 * whole - 4 * half) * (perFrame * perFrame)
    var side = 0
    while side < 2 {
      var i = 0
      while i < Limits.controlFrames {
        let frame = Lanes.counting + Float(i)
        let tilt = multiplyAdd(frame, Lanes(repeating: curve[side]), Lanes(repeating: slope[side]))
        let from = multiplyAdd(frame, tilt, Lanes(repeating: begin[side] - 0.5))
        // Adding 1.5 · 2^23 leaves the nearest integer in the low bits.
        let nearest = larger(from, Lanes(repeating: Self.shortest - 0.5)) + 12_582_912
        let at = side &* Limits.controlFrames &+ i
        (wholes + at).eight = lanes(bits(nearest) &- 0x4b40_0000)
        (offsets + at).eight = from - (nearest - 12_582_912)
        i &+= Limits.lanesPerGroup
      }
      side &+= 1
    }
  }

  // MARK: - Sound

  /// The delayed samples of the left or the right side, 0 or 1, in four frames from `frame` of a tick on, which is frame `at`
  /// of the rings.
  @_noLocks @inline(__always)
  func read(_ side: Int, _ rings: PairRings, _ frame: Int, at: Int) -> Quad {
    let index = side &* Limits.controlFrames &+ frame
    let (a, b, c, d) = rings.delayed(by: delays(index) &+ 4, of: side, at: at)
    return EightPoints((offsets + index).four).between(a, b, c, d)
  }

  /// The number of frames from `frame` on, at most four, that need no sample written in these frames: with a delay of `n`
  /// frames, the newest sample is `n` - 3 frames old.
  @_noLocks @inline(__always)
  func ready(_ frame: Int) -> Int {
    let needed = SIMD4<Int32>(4, 5, 6, 7)
    let (left, right) = (delays(frame), delays(Limits.controlFrames &+ frame))
    if !isAny((left .< needed) .| (right .< needed)) { return 4 }
    var count = 1
    while count < 4, left[count] >= needed[count], right[count] >= needed[count] { count &+= 1 }
    return count
  }

  /// The whole samples of the delay in four frames.
  @_noLocks @inline(__always)
  private func delays(_ index: Int) -> SIMD4<Int32> {
    unsafeBitCast((wholes + index).four, to: SIMD4<Int32>.self)
  }
}
