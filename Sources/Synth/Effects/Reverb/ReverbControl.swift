import CRealtime

/// What the knobs of a reverb mean, from control tick to control tick.
struct ReverbControl {
  /// What the smallest room's lines are of the largest's.
  private static var smallest: Float { @_noLocks get { 0.25 } }
  /// Seconds in which the room changes its size.
  private static var fadeSeconds: Float { @_noLocks get { 0.05 } }

  /// Seconds in which gains get nearer by a factor of e, in each of two steps, so that a jump begins without a corner.
  private static var gainSeconds: Float { @_noLocks get { 0.008 } }
  /// How near a gain is when it is there.
  private static var least: Float { @_noLocks get { 1e-6 } }

  /// Frames since the last tick.
  var passed = 0
  /// Frames of the tick that had gone when it was aimed: not 0 only where a sound begins within one.
  private(set) var begun = 0
  /// What the input's high-pass of 20 Hz goes of its way in a frame.
  let inputShare: Float
  /// What lines lose.
  var damping: ReverbDamping
  /// What is the same in all lanes: how much comes in, how wide it goes out.
  private(set) var sides = NumberRamp()
  private var sidesNear = SIMD8<Float>(1, 1, 0, 0, 0, 0, 0, 0)
  private var sidesRest = true
  /// True while all comes in.
  var isOpen: Bool { @_noLocks @inline(__always) get { sidesRest && sides.value[0] == 1 } }
  /// Samples of the lines, and of the pre-delay; and what they were, while they change.
  let lengths: UnsafeMutablePointer<Int32>
  let lengthsBefore: UnsafeMutablePointer<Int32>
  private(set) var preDelay = (now: 0, before: 0)
  private(set) var fades = false
  private var way = NumberRamp()
  // As far as the fade has come, 0…1.
  private var fadePlace: Float = 0
  /// The weights of the four samples around the place where every other line is read, each for all four lines; behind those
  /// how far the place moves in a frame, whole samples, and by how much each weight grows with the place.
  let weights: UnsafeMutablePointer<SIMD4<Float>>
  private var swing = SIMD4<Float>.zero
  /// Frames since the swing was last aimed, up to the tick: it is so slow that every fourth one is enough.
  private(set) var swingPassed = 0
  private static var exact: Float { @_noLocks get { 4_194_304 } }
  private static var swingFrames: Int { @_noLocks get { 4 &* Limits.controlFrames } }
  // The rotating vectors that they follow.
  private var cosine = SIMD4<Float>.zero
  private var sine = SIMD4<Float>.zero
  private var turnCosine = SIMD4<Float>.zero
  private var turnSine = SIMD4<Float>.zero
  private let rate: Float
  // The lengths of the largest room's lines.
  private let longest: SIMD8<Float>
  private var size: Float = -1
  private var preSeconds: Float = -1

  /// For lines and all-passes of so many samples.
  init(lengths: SIMD8<Float>, allPasses: SIMD8<Float>, rate: Double) {
    (longest, self.rate) = (lengths, Float(rate))
    damping = ReverbDamping(ReverbGains(allPasses: allPasses, rate: Float(rate)))
    inputShare = ReverbGains.share(20, rate: Float(rate))
    self.lengths = .allocate(capacity: 2 * Reverb.lines)
    self.lengths.initialize(repeating: 0, count: 2 * Reverb.lines)
    lengthsBefore = self.lengths + Reverb.lines
    weights = .allocate(capacity: 10)
    weights.initialize(repeating: .zero, count: 10)
    for line in 0..<4 {
      // 0.25 to 0.5 times a second, from all places of the circle.
      let angle = Float(line) * 2.4
      let turn = 2 * Float.pi * Float(Self.swingFrames) / Float(rate) * (0.25 + 0.08 * Float(line))
      (cosine[line], sine[line]) = (rt_cos(angle), rt_sin(angle))
      (turnCosine[line], turnSine[line]) = (rt_cos(turn), rt_sin(turn))
    }
    sides.rest(at: SIMD8(1, 1, 0, 0, 0, 0, 0, 0))
  }

  func deallocate() {
    lengths.deallocate()
    weights.deallocate()
  }

  /// Is where the knobs are, without a way there: `knobs` now, `chosen` where they go.
  @_noLocks
  mutating func arrive(_ knobs: UnsafePointer<ReverbKnobs>, _ chosen: UnsafePointer<ReverbKnobs>) {
    (size, fades, passed, swingPassed) = (-1, false, 0, Self.swingFrames)
    aim(knobs, chosen, frames: 1)
    damping.gains.arrive()
    let wide = Self.sides(chosen)
    sidesNear = SIMD8(wide.x, wide.y, 0, 0, 0, 0, 0, 0)
    sides.rest(at: sidesNear)
    sidesRest = true
    // The swing arrives with its second aim.
    swingPassed = Self.swingFrames
    aim(knobs, chosen, frames: 1)
  }

  /// Aims at the knobs over the next `frames`: once every control tick.
  @_noLocks
  mutating func aim(
    _ knobs: UnsafePointer<ReverbKnobs>, _ chosen: UnsafePointer<ReverbKnobs>, frames: Int
  ) {
    let perFrame = 1 / Float(frames)
    let share = min(1, Float(frames) / (Self.gainSeconds * rate))
    aimLengths(chosen, perFrame: perFrame)
    damping.gains.aim(chosen, lengths, share: share, passed: passed, perFrame: perFrame)
    aimSides(Self.sides(chosen), share: share, perFrame: perFrame)
    goOn(knobs, chosen, frames: frames)
  }

  /// True when all but the swing is where it was aimed at: while the knobs rest too, it need not be aimed but goes on.
  var isStill: Bool { @_noLocks @inline(__always) get { sidesRest && !fades && !damping.gains.moves } }

  /// Goes on for the next `frames` with the swing alone.
  @_noLocks @inline(__always)
  mutating func goOn(
    _ knobs: UnsafePointer<ReverbKnobs>, _ chosen: UnsafePointer<ReverbKnobs>, frames: Int
  ) {
    begun = Limits.controlFrames &- frames
    swingPassed &+= passed
    if swingPassed >= Self.swingFrames {
      let isFrozen = chosen.pointee.freeze >= 0.5
      aimSwing(isFrozen ? 0 : max(0, min(knobs.pointee.modulation, 1)), isFrozen)
      swingPassed = 0
    }
    passed = 0
  }

  /// How much is let in, and how wide it goes out.
  @_noLocks @inline(__always)
  private static func sides(_ chosen: UnsafePointer<ReverbKnobs>) -> SIMD2<Float> {
    SIMD2(chosen.pointee.freeze >= 0.5 ? 0 : 1, max(0, min(chosen.pointee.width, 1)))
  }

  @_noLocks @inline(__always)
  private mutating func aimSides(_ goal: SIMD2<Float>, share: Float, perFrame: Float) {
    if sidesRest, goal.x == sides.value[0], goal.y == sides.value[1] { return }
    moveSides(SIMD8(goal.x, goal.y, 0, 0, 0, 0, 0, 0), share: share, perFrame: perFrame)
  }

  @_noLocks @inline(never)
  private mutating func moveSides(_ goal: SIMD8<Float>, share: Float, perFrame: Float) {
    sides.pass(frames: passed)
    sidesNear += (goal - sidesNear) * share
    sidesRest = Self.isNear(sidesNear, goal) && Self.isNear(sides.value, goal)
    if sidesRest {
      sidesNear = goal
      sides.rest(at: goal)
    } else {
      sides.aim(at: sides.value + (sidesNear - sides.value) * share, perFrame: perFrame)
    }
  }

  /// Whether all lanes are where they go, but for what nobody hears.
  @_noLocks @inline(__always)
  static func isNear(_ x: Lanes, _ goal: Lanes) -> Bool {
    all(magnitude(goal - x) .< Lanes(repeating: least))
  }

  // MARK: - Size

  /// A room of another size is faded into, for pitch would bend if its lines went there; until then, others wait.
  @_noLocks
  private mutating func aimLengths(_ chosen: UnsafePointer<ReverbKnobs>, perFrame: Float) {
    if fades {
      way.pass(frames: passed)
      if fadePlace < 1 {
        fadePlace = min(1, fadePlace + 1 / (perFrame * Self.fadeSeconds * rate))
        // Without corners at its ends.
        let share = fadePlace * fadePlace * (3 - 2 * fadePlace)
        way.aim(at: SIMD8(repeating: share), perFrame: perFrame)
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
    var line = 0
    while line < Reverb.lines {
      lengthsBefore[line] = lengths[line]
      lengths[line] = Int32(now[line])
      line &+= 1
    }
    preDelay.now = preSamples
    damping.gains.changeLengths()
    if isFirst { return }
    (fades, fadePlace) = (true, 0)
    way.rest(at: .zero)
  }

  /// From one tick to the other, in a straight line.
  @_noLocks @inline(__always)
  func faded(from: Tick, to: Tick) -> Tick {
    let frame = Lanes(0, 1, 2, 3, 4, 5, 6, 7) + Float(passed)
    let (step, value) = (Lanes(repeating: way.step[0]), Lanes(repeating: way.value[0]))
    return Tick(
      multiplyAdd(multiplyAdd(frame, step, value), to.first - from.first, from.first),
      multiplyAdd(multiplyAdd(frame + 8, step, value), to.second - from.second, from.second))
  }

  // MARK: - Swing

  /// Lines are longer only: one is never read where it has not been written yet. What is kept for ever stands on a whole
  /// sample, for the cubic would take off its top.
  @_noLocks
  private mutating func aimSwing(_ depth: Float, _ isFrozen: Bool) {
    if !isFrozen {
      let turned = cosine * turnCosine - sine * turnSine
      sine = sine * turnCosine + cosine * turnSine
      cosine = turned
    }
    let now = swing
    let samples = SIMD4(Int32(now.x), Int32(now.y), Int32(now.z), Int32(now.w))
    UnsafeMutableRawPointer(weights + 5).assumingMemoryBound(to: SIMD4<Int32>.self).pointee = samples
    let whole = SIMD4(Float(samples.x), Float(samples.y), Float(samples.z), Float(samples.w))
    let most = 0.5 * depth * Reverb.mostSwing * rate / 48_000
    swing = isFrozen ? whole : (1 + sine) * most
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
    // In steps so large that sums of them are exact, or where a tick is cut would be heard in the last bit.
    weights[4] = nearest((swing - now) * (Self.exact / Float(Self.swingFrames))) * (1 / Self.exact)
  }
}
