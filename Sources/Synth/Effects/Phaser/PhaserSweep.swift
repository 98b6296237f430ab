import CRealtime

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
