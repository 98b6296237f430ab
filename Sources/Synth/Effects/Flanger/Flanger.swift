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
