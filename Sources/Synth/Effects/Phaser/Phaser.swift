import CRealtime
import Scenes

/// The phaser of a part: a chain of first-order all-pass filters in a feedback loop, whose corner frequency is swept. Mixed
/// with the dry sound, it has a notch for each two stages.
///
/// A stage computes y = c·x + z and z = x - c·y (J. O. Smith, "An all-pass approach to digital phasing and flanging",
/// 1984). All stages have the same coefficient c, so the output of n of them is cⁿ times the input plus a sum of their
/// states. The sum does not depend on the input: the feedback of one frame waits for one product instead of n stages.
struct Phaser {
  // States of the stages; in each the left and the right side are the first two elements.
  private let states: UnsafeMutablePointer<Quad>
  private let rate: Float
  private var sweep = PhaserSweep()
  // Coefficients of the stages, feedback, and gain into the loop: the current values, and increments per frame.
  private var coefficient = Quad.zero
  private var coefficientStep = Quad.zero
  private var loop = FeedbackLoop()
  // The output of the last frame.
  private var last = Quad.zero
  // The current number of stages, the one that fades in, and the latter's share: the current value, its increment per
  // frame, and its target.
  private var stages = PhaserKnobs.fewestStages
  private var nextStages = PhaserKnobs.fewestStages
  private var faded: Float = 0
  private var fadeStep: Float = 0
  private var fadeGoal: Float = 0

  /// Duration in seconds of the fade to another number of stages.
  private static var fadeSeconds: Float { @_noLocks get { 0.04 } }

  /// A silent phaser for a sample rate. Control thread only.
  init(rate: Double) {
    self.rate = Float(rate)
    states = .allocate(capacity: PhaserKnobs.mostStages)
    states.initialize(repeating: .zero, count: PhaserKnobs.mostStages)
  }

  /// Frees the memory. Control thread only.
  func deallocate() { states.deallocate() }

  // MARK: - Knobs

  /// Jumps to the knobs and restarts the sweep.
  @_noLocks
  mutating func snap(_ knobs: UnsafePointer<PhaserKnobs>, tempo: Float) {
    stages = Self.stages(knobs)
    (nextStages, faded, fadeStep, fadeGoal) = (stages, 0, 0, 0)
    sweep.snap(knobs, rate: rate)
    (coefficient, coefficientStep) = (sweep.goal, .zero)
    loop.snap(knobs.pointee.feedback)
  }

  /// Aims at the knobs over the next `frames`; `chosen` holds the knobs' targets.
  @_noLocks
  mutating func aim(
    _ knobs: UnsafePointer<PhaserKnobs>, _ chosen: UnsafePointer<PhaserKnobs>, tempo: Float, frames: Int
  ) {
    coefficient = sweep.goal
    sweep.aim(knobs, chosen, tempo: tempo, rate: rate, frames: frames)
    coefficientStep = (sweep.goal - coefficient) * (1 / Float(frames))
    loop.aim(knobs.pointee.feedback, frames: frames)
    let wanted = Self.stages(chosen)
    if stages != nextStages || stages != wanted { fade(to: wanted, frames: frames) }
  }

  /// Continues the fade between numbers of stages; a further number waits for its end.
  @_noLocks @inline(never)
  private mutating func fade(to wanted: Int, frames: Int) {
    faded = fadeGoal
    if faded >= 1 { (stages, faded) = (nextStages, 0) }
    if stages == nextStages {
      nextStages = wanted
      var stage = stages
      while stage < wanted {
        states[stage] = .zero
        stage &+= 1
      }
    }
    fadeGoal = stages == nextStages ? 0 : min(1, faded + Float(frames) / (Self.fadeSeconds * rate))
    fadeStep = (fadeGoal - faded) / Float(frames)
  }

  @_noLocks
  private static func stages(_ knobs: UnsafePointer<PhaserKnobs>) -> Int {
    let (fewest, most) = (Float(PhaserKnobs.fewestStages), Float(PhaserKnobs.mostStages))
    return Int(max(fewest, min(knobs.pointee.stages, most)) + 0.5)
  }

  // MARK: - Sound

  /// Replaces some frames by the output of the last stage, without the dry sound.
  @_noLocks
  mutating func process(
    _ left: UnsafeMutablePointer<Float>, _ right: UnsafeMutablePointer<Float>, frames: Int
  ) {
    if stages == nextStages {
      settled(left, right, frames)
    } else {
      fading(left, right, frames)
    }
  }

  @_noLocks
  private mutating func settled(
    _ left: UnsafeMutablePointer<Float>, _ right: UnsafeMutablePointer<Float>, _ frames: Int
  ) {
    var (loop, c, y) = (loop, coefficient, last)
    let step = coefficientStep
    let (states, stages) = (states, stages)
    var i = 0
    while i < frames {
      // The part of the output that the states give, and the gain from the input to the output.
      var (sum, gain) = (states[0], c)
      var stage = 1
      while stage < stages {
        sum = multiplyAdd(sum, c, states[stage])
        gain *= c
        stage &+= 1
      }
      var x = loop.next(Quad(lowHalf: SIMD2(left[i], right[i]), highHalf: .zero), y)
      y = multiplyAdd(gain, x, sum)
      stage = 0
      while stage < stages {
        let out = multiplyAdd(c, x, states[stage])
        states[stage] = multiplySubtract(c, out, from: x)
        x = out
        stage &+= 1
      }
      (left[i], right[i]) = (y[0], y[1])
      c += step
      i &+= 1
    }
    (self.loop, coefficient, last) = (loop, c, y)
  }

  /// Cross-fades from the output of one number of stages to that of another.
  @_noLocks @inline(never)
  private mutating func fading(
    _ left: UnsafeMutablePointer<Float>, _ right: UnsafeMutablePointer<Float>, _ frames: Int
  ) {
    var (c, share) = (coefficient, faded)
    let count = max(stages, nextStages)
    var i = 0
    while i < frames {
      var x = loop.next(Quad(lowHalf: SIMD2(left[i], right[i]), highHalf: .zero), last)
      var (old, new) = (x, x)
      var stage = 0
      while stage < count {
        let out = multiplyAdd(c, x, states[stage])
        states[stage] = multiplySubtract(c, out, from: x)
        x = out
        stage &+= 1
        if stage == stages { old = x }
        if stage == nextStages { new = x }
      }
      last = multiplyAdd(new - old, Quad(repeating: share), old)
      (left[i], right[i]) = (last[0], last[1])
      c += coefficientStep
      share += fadeStep
      i &+= 1
    }
    (coefficient, faded) = (c, share)
  }

  /// Clears the states; true, since this takes one call.
  @_noLocks
  mutating func clearPiece() -> Bool {
    for stage in 0..<PhaserKnobs.mostStages {
      states[stage] = .zero
    }
    last = .zero
    return true
  }
}

/// The sweep of a phaser: the coefficients of its all-pass stages, from tick to tick. The corner frequency of the stages
/// swings in octaves, as a sine, because a triangle's turning points are audible.
struct PhaserSweep {
  /// Coefficients of the left and the right side, in the first two elements, at the end of the tick.
  private(set) var goal = Quad.zero
  // Phase of the left side; the whole range of 32 bits is one sweep.
  private var phase: Int32 = 0
  private var frequency = OctaveGlides()

  /// Octaves of a full sweep to either side.
  private static var octaves: Float { @_noLocks get { 2 } }
  /// The fastest synchronized sweep in hertz.
  private static var fastest: Float { @_noLocks get { 40 } }
  /// The highest corner frequency, as a share of the sample rate.
  private static var highest: Float { @_noLocks get { 0.45 } }

  @_noLocks init() {}

  /// Jumps to the knobs and restarts the sweep.
  @_noLocks
  mutating func snap(_ knobs: UnsafePointer<PhaserKnobs>, rate: Float) {
    phase = 0
    frequency.snap(Lanes(repeating: knobs.pointee.frequency))
    find(knobs, rate: rate)
  }

  /// Continues the sweep over the next `frames`; `tempo` is in beats per second, and `chosen` holds the knobs' targets.
  @_noLocks
  mutating func aim(
    _ knobs: UnsafePointer<PhaserKnobs>, _ chosen: UnsafePointer<PhaserKnobs>, tempo: Float, rate: Float,
    frames: Int
  ) {
    let beats = NoteLength.beats(chosen.pointee.sync)
    let hertz = beats > 0 ? min(tempo / beats, Self.fastest) : knobs.pointee.rate
    let seconds = Float(frames) / rate
    phase &+= rt_whole_number(hertz * seconds * 4_294_967_296)
    frequency.aim(Lanes(repeating: chosen.pointee.frequency), seconds: seconds)
    find(knobs, rate: rate)
  }

  /// The coefficients at the current phase.
  @_noLocks
  private mutating func find(_ knobs: UnsafePointer<PhaserKnobs>, rate: Float) {
    // Half a sweep at most, in the range of a positive phase.
    let other = phase &+ rt_whole_number(max(0, min(knobs.pointee.spread, 1)) * 2_147_483_520)
    let turns: Float = 1 / 2_147_483_648
    let swing = sinePi(Lanes(Float(phase), Float(other), 0, 0, 0, 0, 0, 0) * turns)
    let hertz = exp2(swing * (Self.octaves * knobs.pointee.depth)) * frequency.value
    let share = smaller(hertz * (1 / rate), Lanes(repeating: Self.highest)).lowHalf
    goal = Self.tangent(share * Float.pi - Float.pi / 4)
  }

  /// The tangent of `x`, within ±π/4, by a Padé approximant; relative error 3e-8. For a corner frequency f, the
  /// coefficient (tan(πf) - 1) / (tan(πf) + 1) is tan(πf - π/4).
  @_noLocks @inline(__always)
  private static func tangent(_ x: Quad) -> Quad {
    let z = x * x
    let above = multiplyAdd(z - 105, z, Quad(repeating: 945))
    let inner = multiplyAdd(z, Quad(repeating: 15), Quad(repeating: -420))
    let below = multiplyAdd(inner, z, Quad(repeating: 945))
    return quotient(x * above, below)
  }
}
