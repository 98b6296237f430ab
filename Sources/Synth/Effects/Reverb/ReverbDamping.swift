import CRealtime
import Scenes

/// The frequency-dependent losses of the reverb's lines: two one-poles split the sound into bass, middle and treble with
/// a gain each. The filters are recursive, so they run frame by frame, one line per lane; only one multiplication
/// and one addition depend on the frame before.
struct ReverbDamping {
  /// Gains of the sound and of the one-poles.
  var gains: ReverbGains
  private var low = Lanes.zero
  private var high = Lanes.zero

  /// Silent, with the given gains.
  init(_ gains: ReverbGains) { self.gains = gains }

  /// Clears the filter states.
  @_noLocks
  mutating func reset() { (low, high) = (.zero, .zero) }

  /// Damps four frames of all lines, of which `count` are valid; the first one is `at` frames after the control tick.
  @_noLocks @inline(__always)
  mutating func process(_ lines: inout EightLines, at: Int, count: Int) {
    var x = lines.frames
    if gains.moves || count < 4 {
      x = dampEach(x, at, count)
    } else if gains.isLevel {
      dampAbove(&x.0)
      dampAbove(&x.1)
      dampAbove(&x.2)
      dampAbove(&x.3)
    } else {
      let (bottom, top, all, share) = (
        gains.low.value, gains.high.value, gains.all.value, gains.highShare.value
      )
      damp(&x.0, bottom, top, all, share)
      damp(&x.1, bottom, top, all, share)
      damp(&x.2, bottom, top, all, share)
      damp(&x.3, bottom, top, all, share)
    }
    lines = EightLines(frames: x)
  }

  /// Damps frame by frame, while the gains move or where a tick is split.
  @_noLocks @inline(never)
  private mutating func dampEach(_ x: EightLines.Frames, _ at: Int, _ count: Int) -> EightLines.Frames {
    var x = x
    if count > 0 { damp(&x.0, at) }
    if count > 1 { damp(&x.1, at &+ 1) }
    if count > 2 { damp(&x.2, at &+ 2) }
    if count > 3 { damp(&x.3, at &+ 3) }
    return x
  }

  @_noLocks
  private mutating func damp(_ x: inout Lanes, _ at: Int) {
    let (low, high, all, share) = (gains.low, gains.high, gains.all, gains.highShare)
    if gains.moves {
      let elapsed = Lanes(repeating: Float(at))
      let (bottom, top) = (
        multiplyAdd(low.step, elapsed, low.value), multiplyAdd(high.step, elapsed, high.value)
      )
      damp(
        &x, bottom, top, multiplyAdd(all.step, elapsed, all.value),
        multiplyAdd(share.step, elapsed, share.value))
    } else if gains.isLevel {
      dampAbove(&x)
    } else {
      damp(&x, low.value, high.value, all.value, share.value)
    }
  }

  /// Damps one frame by the given gains of both one-poles and of the sound, and the upper one-pole's coefficients.
  @_noLocks @inline(__always)
  private mutating func damp(_ x: inout Lanes, _ bottom: Lanes, _ top: Lanes, _ all: Lanes, _ share: Lanes) {
    low = multiplyAdd(low, Lanes(repeating: 1 - gains.lowShare), x)
    high = multiplyAdd(high, 1 - share, x)
    x = multiplyAdd(all, x, multiplyAdd(top, high, bottom * low))
  }

  /// Damps one frame without the low band, while its decay time equals that of the middle band.
  @_noLocks @inline(__always)
  private mutating func dampAbove(_ x: inout Lanes) {
    high = multiplyAdd(high, 1 - gains.highShare.value, x)
    x = multiplyAdd(gains.all.value, x, gains.high.value * high)
    // Reset, since a one-pole that starts from zero catches up within a thousandth of a second once its gain rises.
    low = .zero
  }
}

/// Feedback gains of each line of a reverb for its bass, its middle and its treble, updated every control tick. They are
/// expressed as gains of the unfiltered sound and of two one-pole low-passes.
struct ReverbGains {
  /// Share of an all-pass's length that counts as delay of its line, fitted to the measured decay.
  private static var allPassShare: Float { @_noLocks get { 1.12 } }
  /// Seconds by which the all-passes lengthen any decay, measured.
  private static var allPassSeconds: Float { @_noLocks get { 0.03 } }

  /// Gains of the lower one-pole, of the upper one-pole and of the unfiltered sound. The one-poles are not normalized:
  /// their outputs are larger by the inverse of their coefficients, and these gains include the correction.
  private(set) var low = Ramp()
  private(set) var high = Ramp()
  private(set) var all = Ramp()
  /// Coefficient per frame of the lower one-pole, for 200 Hz.
  let lowShare: Float
  /// Coefficient per frame of each line's upper one-pole.
  private(set) var highShare = Ramp()
  /// True when the gain of the lower one-pole is zero once the gains rest.
  private(set) var isLevel = false
  /// True while the gains move.
  private(set) var moves = false
  // Targets, and outputs of the first smoothing stage, in this order.
  private var goal = (Lanes.zero, Lanes.zero, Lanes.zero, Lanes.zero)
  private var near = (Lanes.zero, Lanes.zero, Lanes.zero, Lanes.zero)
  // The settings that the gains were computed from: the decay, low and high knobs, and whether the lines are frozen
  // (2), modulated (1) or neither (0).
  private var found = SIMD4<Float>(repeating: -1)
  /// The decay time that the gains were computed for, in seconds.
  var decay: Float { @_noLocks @inline(__always) get { found.x } }
  private let allPasses: SIMD8<Float>
  private let rate: Float
  private let treble: ReverbTreble
  // The loss at 8 kHz of one pass through each line, in factors of 2, because modulated lines are read between samples:
  // the mean response of the cubic loses 0.12 dB at 48 kHz.
  private let modulationLoss: Lanes

  /// For all-passes of the given lengths in samples.
  init(allPasses: SIMD8<Float>, rate: Float) {
    (self.allPasses, self.rate) = (allPasses, rate)
    lowShare = Self.share(200, rate: rate)
    treble = ReverbTreble(corner: Self.share(4_000, rate: rate), rate: rate)
    let perSample = 48_000 / rate
    modulationLoss = Lanes(0, 1, 0, 1, 0, 1, 0, 1) * (0.02 * perSample * perSample * perSample * perSample)
  }

  /// The coefficient per frame of a one-pole at a frequency in hertz.
  static func share(_ hertz: Float, rate: Float) -> Float { 1 - rt_exp2(-1.442695 * 2 * .pi * hertz / rate) }

  /// Jumps to the targets.
  @_noLocks
  mutating func snap() {
    (near, moves) = (goal, false)
    low.rest(at: goal.0)
    high.rest(at: goal.1)
    all.rest(at: goal.2)
    highShare.rest(at: goal.3)
  }

  /// Forces new gains after a change of the line lengths.
  @_noLocks
  mutating func changeLengths() { found = SIMD4(repeating: -1) }

  /// Moves the gains towards the knobs, by `share` of the distance per tick, for lines of the given lengths in samples,
  /// `passed` frames after the tick before.
  @_noLocks
  mutating func aim(
    _ chosen: UnsafePointer<ReverbKnobs>, _ lengths: UnsafePointer<Int32>, share: Float, passed: Int,
    perFrame: Float
  ) {
    isLevel = chosen.pointee.low == 1
    let state: Float = chosen.pointee.freeze >= 0.5 ? 2 : chosen.pointee.modulation > 0 ? 1 : 0
    if chosen.pointee.decay != found.x || chosen.pointee.low != found.y || chosen.pointee.high != found.z
      || state != found.w
    {
      found = SIMD4(chosen.pointee.decay, chosen.pointee.low, chosen.pointee.high, state)
      find(lengths)
      moves = true
    }
    if moves { move(share: share, passed: passed, perFrame: perFrame) }
  }

  /// The gains are smoothed instead of the knobs: if a long decay were shortened by smoothing the knob, most of the
  /// change would happen in the first moment.
  @_noLocks @inline(never)
  private mutating func move(share: Float, passed: Int, perFrame: Float) {
    low.pass(frames: passed)
    high.pass(frames: passed)
    all.pass(frames: passed)
    highShare.pass(frames: passed)
    near.0 += (goal.0 - near.0) * share
    near.1 += (goal.1 - near.1) * share
    near.2 += (goal.2 - near.2) * share
    near.3 += (goal.3 - near.3) * share
    let isThere =
      Self.isNear(low.value, goal.0) && Self.isNear(high.value, goal.1)
      && Self.isNear(all.value, goal.2) && Self.isNear(highShare.value, goal.3)
    let isAimed =
      Self.isNear(near.0, goal.0) && Self.isNear(near.1, goal.1)
      && Self.isNear(near.2, goal.2) && Self.isNear(near.3, goal.3)
    if isThere && isAimed {
      snap()
      return
    }
    low.aim(at: low.value + (near.0 - low.value) * share, perFrame: perFrame)
    high.aim(at: high.value + (near.1 - high.value) * share, perFrame: perFrame)
    all.aim(at: all.value + (near.2 - all.value) * share, perFrame: perFrame)
    highShare.aim(at: highShare.value + (near.3 - highShare.value) * share, perFrame: perFrame)
  }

  /// Each line loses its length divided by the decay time, times 60 dB; the gain also includes the normalization of the
  /// matrix by √8.
  @_noLocks @inline(never)
  private mutating func find(_ lengths: UnsafePointer<Int32>) {
    var (low, middle, high) = (Lanes.zero, Lanes.zero, Lanes.zero)
    if found.w < 2 {
      let length = Lanes(
        Float(lengths[0]), Float(lengths[1]), Float(lengths[2]), Float(lengths[3]), Float(lengths[4]),
        Float(lengths[5]), Float(lengths[6]), Float(lengths[7]))
      let seconds = max(max(found.x, 0.05) - Self.allPassSeconds, 0.05)
      let halvings = (length + Self.allPassShare * allPasses) * (-9.96578428 / (rate * seconds))
      (low, middle, high) = (halvings / max(found.y, 0.05), halvings, halvings / max(found.z, 0.02))
      // Compensates the treble that a modulated line loses by interpolation, but by at most half of its loss.
      if found.w == 1 { high = smaller(high + modulationLoss, 0.5 * high) }
    }
    let share = Lanes(repeating: EightLines.share)
    low = exp2(larger(low, Lanes(repeating: -60))) * share
    middle = exp2(larger(middle, Lanes(repeating: -60))) * share
    high = exp2(larger(high, Lanes(repeating: -60))) * share
    var (rest, coefficient, line) = (Lanes.zero, Lanes.zero, 0)
    while line < Lanes.scalarCount {
      (rest[line], coefficient[line]) = treble.shelf(middle: middle[line], treble: high[line])
      line &+= 1
    }
    goal = ((low - middle) * lowShare, (middle - rest) * coefficient, rest, coefficient)
  }

  /// Distance below which a gain counts as settled.
  private static var least: Float { @_noLocks get { 1e-6 } }

  /// Whether all lanes are within an inaudible distance of their goals.
  @_noLocks @inline(__always)
  static func isNear(_ x: Lanes, _ goal: Lanes) -> Bool {
    Swift.all(magnitude(goal - x) .< Lanes(repeating: least))
  }
}

/// The shelf that gives a line of a reverb its loss of treble: a gain of the unfiltered sound in parallel to a
/// one-pole low-pass. It has the gain of the treble at 8 kHz.
///
/// The one-pole has its corner at 4 kHz. Where even the low-pass alone passes too much at 8 kHz, its corner is lower.
struct ReverbTreble {
  // Of the one-pole's response L at 8 kHz: |1 - L|², Re((1 - L)·L*) and |L|², and the coefficient for 4 kHz.
  private let (dry, cross, wet): (Float, Float, Float)
  private let corner: Float
  // 2 - 2·cos of 8 kHz.
  private let turn: Float

  /// `corner` is the coefficient per frame of a one-pole at 4 kHz.
  init(corner: Float, rate: Float) {
    self.corner = corner
    let cosine = rt_cos(2 * Float.pi * 8_000 / rate)
    turn = 2 - 2 * cosine
    let pole = 1 - corner
    // |1 - pole·e^-jw|²; 1 - L is pole·(1 - e^-jw) divided by it.
    let divisor = 1 - 2 * pole * cosine + pole * pole
    wet = corner * corner / divisor
    dry = pole * pole * turn / divisor
    cross = pole * corner * (1 - cosine) / divisor
  }

  /// The gain of the unfiltered sound and the one-pole's coefficient, from the gains of the middle and of the treble, which
  /// are above 0. The low-pass has the remaining gain of the middle.
  @_noLocks
  func shelf(middle: Float, treble: Float) -> (rest: Float, coefficient: Float) {
    // A frozen reverb must not lose or gain by rounding.
    if treble == middle { return (middle, corner) }
    // |rest·(1 - L) + middle·L| = treble, a quadratic equation for the rest.
    let half = middle * cross
    let root = half * half - dry * (middle * middle * wet - treble * treble)
    let rest = (rt_sqrt(max(0, root)) - half) / dry
    if rest > 0 { return (rest, corner) }
    // |L'| = treble / middle, a quadratic equation for the coefficient.
    let power = treble * treble / (middle * middle)
    let product = power * turn
    let others = 4 * (1 - power) * product
    return (0, (rt_sqrt(product * product + others) - product) / (2 - 2 * power))
  }
}
