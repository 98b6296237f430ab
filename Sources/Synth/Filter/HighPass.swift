/// The high-pass of eight voices between their mixer and their filter: one section, 12 dB an octave, flat above.
struct HighPassLanes {
  private var section = FilterSection()
  private var mix = FilterSection.Mix()
  /// The cutoff to aim at, octaves above 1 Hz.
  var cutoff = Lanes.zero

  /// The cutoff of the inactive filter: 2.5 Hz, in octaves above 1 Hz, far below the lowest cutoff of the knob.
  static var off: Float { @_noLocks get { 1.3219281 } }
  /// Octaves above `off` over which it fades in.
  private static var fade: Float { @_noLocks get { 1 } }
  /// The highest cutoff that routes may set: 16 kHz, in octaves above 1 Hz.
  static var highest: Float { @_noLocks get { 13.9657843 } }

  @_noLocks
  mutating func aim(rate: Float, perFrame: Float) {
    let flat = Lanes(repeating: FilterShape.flat12)
    let aim = FilterLanes.Aim(hertz: exp2(cutoff), damping: flat, FilterPoles(flat), rate: rate)
    section.aim(aim.twice.high, aim.n.high, aim.d, perFrame: perFrame)
    let share = smaller(larger((cutoff - Self.off) * (1 / Self.fade), Lanes.zero), Lanes(repeating: 1))
    let level = aim.ratio * aim.factor.high / aim.d
    mix.aim(
      low: .zero, band: .zero, high: level * level * share, damping: aim.damping.high, perFrame: perFrame)
    mix.input.aim(at: multiplyAdd(level * level, share, 1 - share), perFrame: perFrame)
  }

  /// Processes some samples in place.
  @_noLocks
  mutating func process(_ x: UnsafeMutablePointer<Lanes>, frames: Int) {
    section.process(x, &mix, frames: frames)
  }

  /// Sets some lanes to the values that they would reach after `frames` samples.
  @_noLocks
  mutating func snap(_ lanes: SIMDMask<SIMD8<Int32>>, frames: Float) {
    section.snap(lanes, frames: frames)
    mix.snap(lanes, frames: frames)
  }

  /// Resets the state and the coefficients of one lane.
  @_noLocks
  mutating func reset(_ lane: Int) {
    section.reset(lane)
    mix.input.jump(lane, to: 0)
    mix.band.jump(lane, to: 0)
    mix.low.jump(lane, to: 0)
  }

  /// Copies the coefficients and the mix of another high-pass, but not its state.
  @_noLocks
  mutating func follow(_ other: HighPassLanes) {
    section.follow(other.section)
    mix = other.mix
  }

  /// Starts with an output that passes everything, at the cutoff to aim at.
  @_noLocks
  mutating func begin(rate: Float) {
    (section.first, section.second) = (.zero, .zero)
    aim(rate: rate, perFrame: 1)
    section.snap(mask(0xff), frames: 1)
    mix.input.rest(at: Lanes(repeating: 1))
    mix.band.rest(at: .zero)
    mix.low.rest(at: .zero)
  }
}
