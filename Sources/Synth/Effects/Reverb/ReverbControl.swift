import CRealtime
import Scenes

/// Turns the knobs of a reverb into delays, gains and modulation, once per control tick.
struct ReverbControl {
  /// Ratio of line lengths, smallest room to largest.
  private static var smallest: Float { @_noLocks get { 0.25 } }
  /// Duration in seconds of the cross-fade from one size to another.
  private static var fadeSeconds: Float { @_noLocks get { 0.05 } }
  /// The most by which modulation lengthens a line, in samples at 48 kHz.
  static var mostModulation: Float { @_noLocks get { 16 } }

  /// Time constant in seconds of each of the two one-pole stages that smooth the gains; with two, a jump begins without
  /// a corner.
  private static var gainSeconds: Float { @_noLocks get { 0.008 } }

  /// Frames rendered since the last tick.
  var passed = 0
  /// Frames of the tick that had passed when it was aimed: nonzero only if a sound begins within a tick.
  private(set) var begun = 0
  /// One-pole coefficient per frame of the input's 20 Hz high-pass.
  let inputShare: Float
  /// The damping of the lines.
  var damping: ReverbDamping
  /// Input gain and output width, one value each for all lines.
  private(set) var inputAndWidth = NumberRamp()
  private var nearInputAndWidth = SIMD8<Float>(1, 1, 0, 0, 0, 0, 0, 0)
  private var isInputAndWidthSettled = true
  /// True while the input gain rests at 1.
  var isOpen: Bool {
    @_noLocks @inline(__always) get { isInputAndWidthSettled && inputAndWidth.value[0] == 1 }
  }
  /// Current line lengths and pre-delay in samples, and their previous values during a cross-fade.
  let lengths: UnsafeMutablePointer<Int32>
  let lengthsBefore: UnsafeMutablePointer<Int32>
  private(set) var preDelay = (now: 0, before: 0)
  private(set) var fades = false
  private var fade = NumberRamp()
  // Progress of the cross-fade, 0…1.
  private var fadePlace: Float = 0
  /// Interpolation weights of the four samples around the read position of every other line, each for all four of
  /// these lines. They are followed by the speed of the read position in samples per frame, its whole samples, and
  /// the derivative of each weight with respect to the position.
  let weights: UnsafeMutablePointer<SIMD4<Float>>
  private var modulation = SIMD4<Float>.zero
  /// Frames from the last update of the modulation to the current tick. The modulation is slow enough to be updated
  /// every fourth tick.
  private(set) var modulationPassed = 0
  private static var exact: Float { @_noLocks get { 4_194_304 } }
  private static var modulationFrames: Int { @_noLocks get { 4 &* Limits.controlFrames } }
  // Rotating vectors that generate the modulation's sines.
  private var cosine = SIMD4<Float>.zero
  private var sine = SIMD4<Float>.zero
  private var turnCosine = SIMD4<Float>.zero
  private var turnSine = SIMD4<Float>.zero
  private let rate: Float
  // Line lengths of the largest room.
  private let longest: SIMD8<Float>
  private var size: Float = -1
  private var preSeconds: Float = -1

  /// For the given lengths of lines and all-passes, in samples.
  init(lengths: SIMD8<Float>, allPasses: SIMD8<Float>, rate: Double) {
    (longest, self.rate) = (lengths, Float(rate))
    damping = ReverbDamping(ReverbGains(allPasses: allPasses, rate: Float(rate)))
    inputShare = ReverbGains.share(20, rate: Float(rate))
    self.lengths = .allocate(capacity: 2 * EightLines.count)
    self.lengths.initialize(repeating: 0, count: 2 * EightLines.count)
    lengthsBefore = self.lengths + EightLines.count
    weights = .allocate(capacity: 10)
    weights.initialize(repeating: .zero, count: 10)
    for line in 0..<4 {
      // 0.25 to 0.5 Hz, with phases spread around the circle.
      let angle = Float(line) * 2.4
      let turn = 2 * Float.pi * Float(Self.modulationFrames) / Float(rate) * (0.25 + 0.08 * Float(line))
      (cosine[line], sine[line]) = (rt_cos(angle), rt_sin(angle))
      (turnCosine[line], turnSine[line]) = (rt_cos(turn), rt_sin(turn))
    }
    inputAndWidth.rest(at: SIMD8(1, 1, 0, 0, 0, 0, 0, 0))
  }

  func deallocate() {
    lengths.deallocate()
    weights.deallocate()
  }

  /// Jumps to the knobs without smoothing; `knobs` holds their smoothed values, `chosen` their targets.
  @_noLocks
  mutating func snap(_ knobs: UnsafePointer<ReverbKnobs>, _ chosen: UnsafePointer<ReverbKnobs>) {
    (size, fades, passed, modulationPassed) = (-1, false, 0, Self.modulationFrames)
    aim(knobs, chosen, frames: 1)
    damping.gains.snap()
    let wide = Self.inputAndWidth(chosen)
    nearInputAndWidth = SIMD8(wide.x, wide.y, 0, 0, 0, 0, 0, 0)
    inputAndWidth.rest(at: nearInputAndWidth)
    isInputAndWidthSettled = true
    // The modulation reaches its position only at its second update.
    modulationPassed = Self.modulationFrames
    aim(knobs, chosen, frames: 1)
  }

  /// Aims at the knobs over the next `frames`; called once every control tick.
  @_noLocks
  mutating func aim(
    _ knobs: UnsafePointer<ReverbKnobs>, _ chosen: UnsafePointer<ReverbKnobs>, frames: Int
  ) {
    let perFrame = 1 / Float(frames)
    let share = min(1, Float(frames) / (Self.gainSeconds * rate))
    aimLengths(chosen, perFrame: perFrame)
    damping.gains.aim(chosen, lengths, share: share, passed: passed, perFrame: perFrame)
    aimInputAndWidth(Self.inputAndWidth(chosen), share: share, perFrame: perFrame)
    continueModulation(knobs, chosen, frames: frames)
  }

  /// True when everything but the modulation has reached its target. While the knobs rest as well,
  /// `continueModulation` replaces `aim`.
  var isSettled: Bool {
    @_noLocks @inline(__always) get { isInputAndWidthSettled && !fades && !damping.gains.moves }
  }

  /// Continues for the next `frames` and updates the modulation only.
  @_noLocks @inline(__always)
  mutating func continueModulation(
    _ knobs: UnsafePointer<ReverbKnobs>, _ chosen: UnsafePointer<ReverbKnobs>, frames: Int
  ) {
    begun = Limits.controlFrames &- frames
    modulationPassed &+= passed
    if modulationPassed >= Self.modulationFrames {
      let isFrozen = chosen.pointee.freeze >= 0.5
      aimModulation(isFrozen ? 0 : max(0, min(knobs.pointee.modulation, 1)), isFrozen)
      modulationPassed = 0
    }
    passed = 0
  }

  /// Input gain and output width.
  @_noLocks @inline(__always)
  private static func inputAndWidth(_ chosen: UnsafePointer<ReverbKnobs>) -> SIMD2<Float> {
    SIMD2(chosen.pointee.freeze >= 0.5 ? 0 : 1, max(0, min(chosen.pointee.width, 1)))
  }

  @_noLocks @inline(__always)
  private mutating func aimInputAndWidth(_ goal: SIMD2<Float>, share: Float, perFrame: Float) {
    if isInputAndWidthSettled, goal.x == inputAndWidth.value[0], goal.y == inputAndWidth.value[1] { return }
    moveInputAndWidth(SIMD8(goal.x, goal.y, 0, 0, 0, 0, 0, 0), share: share, perFrame: perFrame)
  }

  @_noLocks @inline(never)
  private mutating func moveInputAndWidth(_ goal: SIMD8<Float>, share: Float, perFrame: Float) {
    inputAndWidth.pass(frames: passed)
    nearInputAndWidth += (goal - nearInputAndWidth) * share
    isInputAndWidthSettled =
      ReverbGains.isNear(nearInputAndWidth, goal) && ReverbGains.isNear(inputAndWidth.value, goal)
    if isInputAndWidthSettled {
      nearInputAndWidth = goal
      inputAndWidth.rest(at: goal)
    } else {
      inputAndWidth.aim(
        at: inputAndWidth.value + (nearInputAndWidth - inputAndWidth.value) * share, perFrame: perFrame)
    }
  }

  // MARK: - Size

  /// Cross-fades to another size, since a glide of the line lengths would bend the pitch. Further changes wait for the
  /// end of the fade.
  @_noLocks
  private mutating func aimLengths(_ chosen: UnsafePointer<ReverbKnobs>, perFrame: Float) {
    if fades {
      fade.pass(frames: passed)
      if fadePlace < 1 {
        fadePlace = min(1, fadePlace + 1 / (perFrame * Self.fadeSeconds * rate))
        // Smooth at both ends.
        let share = fadePlace * fadePlace * (3 - 2 * fadePlace)
        fade.aim(at: SIMD8(repeating: share), perFrame: perFrame)
        return
      }
      fades = false
    }
    if chosen.pointee.size == size, chosen.pointee.preDelay == preSeconds { return }
    preSeconds = chosen.pointee.preDelay
    let size = max(0, min(chosen.pointee.size, 1))
    let pre = max(0, min(chosen.pointee.preDelay, ReverbKnobs.longestPreDelay)) * rate
    let preSamples = Int(pre) &+ Limits.controlFrames
    if (size - self.size).magnitude < 1e-4, preSamples == preDelay.now { return }
    let isFirst = self.size < 0
    preDelay.before = preDelay.now
    self.size = size
    let now = longest * (Self.smallest + (1 - Self.smallest) * size)
    for line in 0..<EightLines.count {
      lengthsBefore[line] = lengths[line]
      lengths[line] = Int32(now[line])
    }
    preDelay.now = preSamples
    damping.gains.changeLengths()
    if isFirst { return }
    (fades, fadePlace) = (true, 0)
    fade.rest(at: .zero)
  }

  /// Cross-fades linearly between two ticks.
  @_noLocks @inline(__always)
  func faded(from: Tick, to: Tick) -> Tick {
    let frame = Lanes(0, 1, 2, 3, 4, 5, 6, 7) + Float(passed)
    let (step, value) = (Lanes(repeating: fade.step[0]), Lanes(repeating: fade.value[0]))
    return Tick(
      multiplyAdd(multiplyAdd(frame, step, value), to.first - from.first, from.first),
      multiplyAdd(multiplyAdd(frame + 8, step, value), to.second - from.second, from.second))
  }

  // MARK: - Modulation

  /// Modulation only lengthens a line, so samples that are not written yet are never read. During a freeze the lines
  /// stand at whole samples, because repeated interpolation would remove the treble.
  @_noLocks
  private mutating func aimModulation(_ depth: Float, _ isFrozen: Bool) {
    if !isFrozen {
      let turned = cosine * turnCosine - sine * turnSine
      sine = sine * turnCosine + cosine * turnSine
      cosine = turned
    }
    let now = modulation
    let samples = SIMD4(Int32(now.x), Int32(now.y), Int32(now.z), Int32(now.w))
    UnsafeMutableRawPointer(weights + 5).assumingMemoryBound(to: SIMD4<Int32>.self).pointee = samples
    let whole = SIMD4(Float(samples.x), Float(samples.y), Float(samples.z), Float(samples.w))
    let most = 0.5 * depth * Self.mostModulation * rate / 48_000
    modulation = isFrozen ? whole : (1 + sine) * most
    let (x, sixth) = (now - whole, 1 / 6 as Float)
    let (a, b, c) = (x + 1, x - 1, x - 2)
    let (ax, bc): (Quad, Quad) = (a * x, b * c)
    weights[0] = sixth * (ax * b)
    weights[1] = -0.5 * (ax * c)
    weights[2] = 0.5 * (a * bc)
    weights[3] = -sixth * (x * bc)
    let square = x * x
    weights[6] = 0.5 * square - sixth
    weights[7] = 1 + x - 1.5 * square
    weights[8] = 1.5 * square - 2 * x - 0.5
    weights[9] = x - 0.5 * square - 2 * sixth
    // The speed is rounded to steps so large that sums of them are exact; otherwise the output would depend in its last
    // bit on where a tick is split.
    weights[4] = nearest((modulation - now) * (Self.exact / Float(Self.modulationFrames))) * (1 / Self.exact)
  }
}
