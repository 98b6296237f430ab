import CRealtime
import Scenes

/// The chorus of a part: a copy of the input with a delay of some milliseconds, whose modulation bends the pitch.
/// Added by the rack to the dry sound, it suggests several players.
///
/// Each side has its own lines, and those of the right side are modulated in antiphase to those of the left. Mono parts
/// become wide, as in the Juno-60, and stereo parts keep their positions. Lines are read four frames at a time, between
/// samples.
struct Chorus {
  private let memory: UnsafeMutablePointer<Float>
  private let count: Int
  private let rate: Float
  private let rings: PairRings
  // Input pairs of the lines, left and right, and outputs of the lines in both modes, for the frames of a tick.
  private let pairs: UnsafeMutablePointer<Float>
  private let output: UnsafeMutablePointer<Float>
  // 0, 1, 2 … 15, read from memory because both compilers split up computations from a constant vector.
  private let counted: UnsafeMutablePointer<Float>
  private var filter: ChorusFilter
  private var now: ChorusSwing
  // The mode that fades in, its gain, and the gain's increment per frame.
  private var next: ChorusSwing
  private var faded: Float = 0
  private var fadeStep: Float = 0
  private var depth: Float = 0
  // The mode last requested.
  private var mode: Float = 0
  // The first frame of the tick, and the frames of it that have been rendered.
  private var tick = 0
  private var done = 0
  // Samples of memory that are cleared.
  private var cleared: Int

  /// Duration in seconds of the fade between modes, and the shortest time in seconds for the depth to move between zero
  /// and full, which bends the pitch by a third of a semitone.
  private static var fadeSeconds: Float { @_noLocks get { 0.02 } }
  private static var depthSeconds: Float { @_noLocks get { 0.1 } }

  /// A chorus in mode I that owns its memory.
  init(rate: Double) {
    let longest = Int(Double(ChorusSwing.longest) * rate) + 2 * Limits.controlFrames
    let ring = PairRings.memory(longest: longest, hasMean: true)
    let block = Limits.controlFrames
    count = ring + 2 * ChorusSwing.memory + 9 * block
    memory = UnsafeMutablePointer<Float>.allocate(capacity: count)
    memory.initialize(repeating: 0, count: count)
    rings = PairRings(memory, longest: longest, hasMean: true)
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

  /// Frees the memory.
  func deallocate() { memory.deallocate() }

  /// Size of the memory in bytes.
  var bytes: Int { count * MemoryLayout<Float>.size }

  /// Jumps to the knobs and restarts the modulation.
  @_noLocks
  mutating func snap(_ knobs: UnsafePointer<ChorusKnobs>) {
    (depth, mode) = (knobs.pointee.depth, knobs.pointee.mode)
    (faded, fadeStep) = (0, 0)
    now.snap(ChorusMode.at(knobs.pointee.mode), depth: depth, rate: rate)
  }

  /// Aims at the knobs over the next `frames`; `chosen` holds the knobs' targets.
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

  /// Continues the fade between modes; a further mode waits for its end.
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

  /// Replaces some frames by the wet signal of the chorus.
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

  /// Cross-fades some frames into those of the next mode.
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

  /// Clears the memory, 16 KiB per call; true when all of it is clear.
  @_noLocks
  mutating func clearPiece() -> Bool {
    (tick, done) = (0, 0)
    filter.reset()
    // The table of frame numbers is kept.
    let sound = memory.distance(to: counted)
    cleared = clear(memory, from: cleared, count: sound)
    return cleared == sound
  }
}

/// The low-pass around the bucket brigades of a chorus: four poles, maximally flat (Butterworth, 1930), stereo.
///
/// Both sections of both sides form one vector. The second section uses the first one's output of the sample before, so
/// the two do not wait for each other; the extra delay of one sample is negligible beside the chorus delay.
struct ChorusFilter {
  // Left and right of the first section, left and right of the second.
  private var first = SIMD4<Float>.zero
  private var second = SIMD4<Float>.zero
  private var passed = SIMD4<Float>.zero
  private let gain: SIMD4<Float>
  private let a1: SIMD4<Float>
  private let a2: SIMD4<Float>

  /// Frequency in hertz where the response is -3 dB, except at low sample rates.
  private static let cutoff = 10_000.0

  /// A filter at rest for a sample rate.
  init(rate: Double) {
    let g = rt_tan64(Double.pi * min(Self.cutoff / rate, 0.42))
    // The dampings of the two pairs of poles: 2 cos(pi/8), 2 cos(3 pi/8).
    let k = SIMD2(1.8477590650225735, 0.7653668647301796)
    let a0 = 1 + g * (k + g)
    let (b, c1, c2) = (g * g / a0, (2 * g * g - 2) / a0, (1 - g * (k - g)) / a0)
    gain = SIMD4(Float(b.x), Float(b.x), Float(b.y), Float(b.y))
    a1 = SIMD4(Float(c1.x), Float(c1.x), Float(c1.y), Float(c1.y))
    a2 = SIMD4(Float(c2.x), Float(c2.x), Float(c2.y), Float(c2.y))
  }

  /// Filters some frames into interleaved left and right samples, in the second transposed direct form, which suits
  /// constant coefficients.
  @_noLocks @inline(__always)
  mutating func process(
    _ left: UnsafePointer<Float>, _ right: UnsafePointer<Float>, frames: Int,
    _ pairs: UnsafeMutablePointer<Float>
  ) {
    var (s1, s2, y) = (first, second, passed)
    let (gain, a1, a2) = (gain, a1, a2)
    var i = 0
    while i < frames {
      // Opaque; otherwise the compilers split the vector into halves.
      let x = rt_opaque(SIMD4<Float>(lowHalf: SIMD2(left[i], right[i]), highHalf: y.lowHalf)) * gain
      y = s1 + x
      s1 = (s2 + (x + x)) - a1 * y
      s2 = x - a2 * y
      UnsafeMutableRawPointer(pairs + 2 &* i).storeBytes(of: y.highHalf, as: SIMD2<Float>.self)
      i &+= 1
    }
    (first, second, passed) = (s1, s2, y)
  }

  /// Clears the state.
  @_noLocks
  mutating func reset() { (first, second, passed) = (.zero, .zero, .zero) }
}
