/// The chorus of a part: what came, some milliseconds late, by a time that swings, so that its pitch does too. Beside the dry
/// sound, which the rack adds, a player seems to be several.
///
/// Each side has its own lines: those of the right swing against those of the left. A part in mono becomes wide by that, as in
/// the Juno-60, and one in stereo stays where it is. Lines are read four frames at a time, between samples.
struct Chorus {
  private let memory: UnsafeMutablePointer<Float>
  private let count: Int
  private let rate: Float
  private let rings: ChorusRings
  // What goes into the lines, left and right, and what comes out of those of both modes, for the frames of a tick.
  private let pairs: UnsafeMutablePointer<Float>
  private let output: UnsafeMutablePointer<Float>
  // 0, 1, 2 … 15: read from memory, since both compilers take apart what is computed from a constant vector.
  private let counted: UnsafeMutablePointer<Float>
  private var filter: ChorusFilter
  private var now: ChorusSwing
  // The mode that fades in, how much of it is heard, and what is added to that at every frame.
  private var next: ChorusSwing
  private var faded: Float = 0
  private var fadeStep: Float = 0
  private var depth: Float = 0
  // The mode that was last asked for.
  private var mode: Float = 0
  // The first frame of the tick, and those of it that are over.
  private var tick = 0
  private var done = 0
  // Samples of memory that are as new.
  private var cleared: Int

  /// In seconds: how long a mode fades into another, and the shortest way from no depth to all of it, which bends the pitch
  /// by a third of a semitone.
  private static var fadeSeconds: Float { @_noLocks get { 0.02 } }
  private static var depthSeconds: Float { @_noLocks get { 0.1 } }

  /// A chorus in mode I, with memory of its own.
  init(rate: Double) {
    let longest = Int(Double(ChorusSwing.longest) * rate) + 2 * Limits.controlFrames
    let ring = ChorusRings.memory(longest: longest)
    let block = Limits.controlFrames
    count = ring + 2 * ChorusSwing.memory + 9 * block
    memory = UnsafeMutablePointer<Float>.allocate(capacity: count)
    memory.initialize(repeating: 0, count: count)
    rings = ChorusRings(memory, longest: longest)
    now = ChorusSwing(memory + ring)
    next = ChorusSwing(memory + ring + ChorusSwing.memory)
    pairs = memory + ring + 2 * ChorusSwing.memory
    output = pairs + 2 * block
    counted = output + 6 * block
    for i in 0..<block { counted[i] = Float(i) }
    filter = ChorusFilter(rate: rate)
    self.rate = Float(rate)
    cleared = count
  }

  /// Gives its memory back.
  func deallocate() { memory.deallocate() }

  /// Bytes of memory.
  var bytes: Int { count * MemoryLayout<Float>.size }

  /// Puts everything where the knobs are, at the beginning of a swing.
  @_noLocks
  mutating func arrive(_ knobs: UnsafePointer<ChorusKnobs>) {
    (depth, mode) = (knobs.pointee.depth, knobs.pointee.mode)
    (faded, fadeStep) = (0, 0)
    now.arrive(ChorusMode.at(knobs.pointee.mode), depth: depth, rate: rate)
  }

  /// Aims at the knobs over the next `frames`; `chosen` has them where they go.
  @_noLocks
  mutating func aim(
    _ knobs: UnsafePointer<ChorusKnobs>, _ chosen: UnsafePointer<ChorusKnobs>, frames: Int
  ) {
    if depth != knobs.pointee.depth {
      let most = Float(frames) / (Self.depthSeconds * rate)
      depth += max(-most, min(knobs.pointee.depth - depth, most))
    }
    if fadeStep > 0 || chosen.pointee.mode != mode {
      mode = chosen.pointee.mode
      fade(ChorusMode.at(mode), frames: frames)
    }
    now.aim(speed: knobs.pointee.rate, depth: depth, rate: rate, done: done, frames: frames)
    if fadeStep > 0 {
      next.aim(speed: knobs.pointee.rate, depth: depth, rate: rate, done: done, frames: frames)
    }
    (tick, done) = (tick &+ done, 0)
  }

  /// Goes on with the fade from mode to mode; a further one waits for its end.
  @_noLocks @inline(never)
  private mutating func fade(_ mode: ChorusMode, frames: Int) {
    if fadeStep > 0 {
      faded += fadeStep * Float(done)
      if faded > 0.999 {
        (now, next) = (next, now)
        (faded, fadeStep) = (0, 0)
      }
    }
    if fadeStep == 0, !now.swings(as: mode) {
      next.begin(mode, like: now, depth: depth, rate: rate)
      fadeStep = 1 / (Self.fadeSeconds * rate)
    }
    if fadeStep > 0 { fadeStep = min(fadeStep, (1 - faded) / Float(frames)) }
  }

  /// Makes the chorus of some frames in place, without what came.
  @_noLocks
  mutating func process(
    _ left: UnsafeMutablePointer<Float>, _ right: UnsafeMutablePointer<Float>, frames: Int
  ) {
    cleared = 0
    filter.process(left, right, frames: frames, pairs)
    rings.write(pairs, at: tick &+ done, frames: frames)
    now.read(rings, tick: tick, from: done, to: done &+ frames, counted: counted, output)
    if fadeStep > 0 { mixNext(frames: frames) }
    copy(output + done, to: left, frames: frames)
    copy(output + (Limits.controlFrames &+ done), to: right, frames: frames)
    done &+= frames
  }

  /// Fades some frames into those of the next mode.
  @_noLocks @inline(never)
  private func mixNext(frames: Int) {
    let block = Limits.controlFrames
    let other = output + 3 &* block
    next.read(rings, tick: tick, from: done, to: done &+ frames, counted: counted, other)
    let (faded, fadeStep) = (SIMD4<Float>(repeating: faded), SIMD4<Float>(repeating: fadeStep))
    var i = done & ~3
    while i < done &+ frames {
      let share = multiplyAdd(UnsafePointer(counted + i).four, fadeStep, faded)
      var side = i
      while side <= i &+ block {
        let (old, new) = (UnsafePointer(output + side).four, UnsafePointer(other + side).four)
        (output + side).four = multiplyAdd(new - old, share, old)
        side &+= block
      }
      i &+= 4
    }
  }

  /// Clears its memory, 16 KiB at a call; true when all is as new.
  @_noLocks
  mutating func forget() -> Bool {
    (tick, done) = (0, 0)
    filter.reset()
    // But not what it counts by.
    let sound = memory.distance(to: counted)
    cleared = clear(memory, from: cleared, count: sound)
    return cleared == sound
  }
}
