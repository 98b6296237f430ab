import CRealtime

/// How loud each line of a reverb comes back below, between and above two corners, from control tick to control tick: as what
/// its sound is multiplied by, and what is left of it by one-poles at the corners.
struct ReverbGains {
  /// How much of an all-pass's length counts as delay of its line, measured by the decay.
  private static var allPassShare: Float { @_noLocks get { 1.12 } }
  /// Seconds by which the all-passes make any decay longer, measured.
  private static var allPassSeconds: Float { @_noLocks get { 0.03 } }

  /// Of the one-pole at the lower corner, of that at the upper, and of the sound as it is. One-poles are not scaled: they
  /// are louder by the inverse of what they go of their way in a frame, which these put right.
  private(set) var low = Ramp()
  private(set) var high = Ramp()
  private(set) var all = Ramp()
  /// What the one-poles go of their way in a frame: at 200 Hz and at 4 kHz.
  let lowShare: Float
  let highShare: Float
  /// True when that of the lower corner is nothing, where none moves.
  private(set) var isLevel = false
  /// True while they move.
  private(set) var moves = false
  // Where they go, and where the first step of their way is, in this order.
  private var goal = (Lanes.zero, Lanes.zero, Lanes.zero)
  private var near = (Lanes.zero, Lanes.zero, Lanes.zero)
  // What they were found from: decay, low and high of the knobs, and whether lines are frozen, swing or neither.
  private var found = SIMD4<Float>(repeating: -1)
  private let allPasses: SIMD8<Float>
  private let rate: Float
  // What a way through the lines that swing takes off around 8 kHz by being read between samples, in halvings: by the
  // mean of the cubic's response, 0.12 dB at 48 kHz, where the gain above the upper corner has two thirds of its effect.
  private let swingLoss: Lanes

  /// For all-passes of so many samples.
  init(allPasses: SIMD8<Float>, rate: Float) {
    (self.allPasses, self.rate) = (allPasses, rate)
    (lowShare, highShare) = (Self.share(200, rate: rate), Self.share(4_000, rate: rate))
    let perSample = 48_000 / rate
    swingLoss = Lanes(0, 1, 0, 1, 0, 1, 0, 1) * (0.028 * perSample * perSample * perSample * perSample)
  }

  /// What a one-pole at some hertz goes of its way in a frame.
  static func share(_ hertz: Float, rate: Float) -> Float { 1 - rt_exp2(-1.442695 * 2 * .pi * hertz / rate) }

  /// Are where they go.
  @_noLocks
  mutating func arrive() {
    (near, moves) = (goal, false)
    low.rest(at: goal.0)
    high.rest(at: goal.1)
    all.rest(at: goal.2)
  }

  /// The lines have other lengths: gains are found anew.
  @_noLocks
  mutating func changeLengths() { found = SIMD4(repeating: -1) }

  /// Go `share` of their way to the knobs in a tick, for lines of so many samples, `passed` frames after the tick before.
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

  /// The gains take their way, not the knobs: most of the way of a long decay would be over in its first moment.
  @_noLocks @inline(never)
  private mutating func move(share: Float, passed: Int, perFrame: Float) {
    low.pass(frames: passed)
    high.pass(frames: passed)
    all.pass(frames: passed)
    near.0 += (goal.0 - near.0) * share
    near.1 += (goal.1 - near.1) * share
    near.2 += (goal.2 - near.2) * share
    let isThere =
      ReverbControl.isNear(low.value, goal.0) && ReverbControl.isNear(high.value, goal.1)
      && ReverbControl.isNear(all.value, goal.2)
    if isThere, ReverbControl.isNear(near.0, goal.0), ReverbControl.isNear(near.1, goal.1),
      ReverbControl.isNear(near.2, goal.2)
    {
      arrive()
      return
    }
    low.aim(at: low.value + (near.0 - low.value) * share, perFrame: perFrame)
    high.aim(at: high.value + (near.1 - high.value) * share, perFrame: perFrame)
    all.aim(at: all.value + (near.2 - all.value) * share, perFrame: perFrame)
  }

  /// A line takes off 60 dB times its length over the time in which the tail falls by so much; and √8 for the matrix.
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
      // Reading between samples takes off the top of a line that swings: given back, but never more than half of what it loses.
      if found.w == 1 { high = smaller(high + swingLoss, 0.5 * high) }
    }
    let share = Lanes(repeating: Reverb.share)
    low = exp2(larger(low, Lanes(repeating: -60))) * share
    middle = exp2(larger(middle, Lanes(repeating: -60))) * share
    high = exp2(larger(high, Lanes(repeating: -60))) * share
    goal = ((low - middle) * lowShare, (middle - high) * highShare, high)
  }
}
