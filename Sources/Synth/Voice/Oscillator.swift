/// One band-limited oscillator in each of eight voices.
///
/// The phase `s` runs from -1 to 1. Each waveform is a pass of its own over the block, so that a group whose
/// voices use one waveform pays for one; a level for each waveform makes changing it a cross-fade.
struct OscillatorLanes {
  var phase = Lanes.zero
  /// Added to the phase at every sample: two cycles' worth, below 1.
  var advance = Lanes(repeating: 0.01)
  /// Pulse width 0…1.
  var width = Ramp()
  /// Octaves from the voice's pitch.
  var offset = Lanes.zero
  /// The states of the noise, one in each lane.
  var words = LaneWords(1, 2, 3, 4, 5, 6, 7, 8) &* 0x9e37_79b9
  // The level of each waveform.
  var sine = Ramp()
  var triangle = Ramp()
  var saw = Ramp()
  var square = Ramp()
  var noiseLevel = Ramp()
  /// True while a lane was so high that its waveform faded into a sine.
  private var wasHigh = false
  /// Control ticks for which levels may still be on their way.
  private var unsettled: Int32 = 0
  /// The waveforms that any lane lets through, one bit each.
  var active: UInt8 = 0

  /// Sets up the next way: `octaves` above 1 Hz, in `frames` at `rate`.
  @_noLocks @inline(__always)
  mutating func aim(octaves: Lanes, rate: Float, share: Float, perFrame: Float) {
    advance = smaller(exp2(octaves + offset) * (2 / rate), Lanes(repeating: 0.98))
    _ = width.settled(share)
    // Waveforms whose harmonics nobody can hear become sines, which do not alias.
    let high = smaller(larger(advance * Self.fadeSlope - Self.fadeStart, Lanes.zero), Lanes(repeating: 1))
    let isHigh = high.sum() > 0
    if isHigh || wasHigh { unsettled = Self.settling }
    wasHigh = isHigh
    if unsettled > 0 { aimLevels(high, share: share, perFrame: perFrame) }
  }

  @_noLocks
  private mutating func aimLevels(_ high: Lanes, share: Float, perFrame: Float) {
    unsettled &-= 1
    if unsettled == 0 {
      rest()
      survey()
      return
    }
    let low = 1 - high
    let lost = high * (Self.sawSine * saw.target + Self.squareSine * square.target)
    sine.aim(
      at: sine.target + lost + high * Self.triangleSine * triangle.target, share: share, perFrame: perFrame)
    triangle.aim(at: low * triangle.target, share: share, perFrame: perFrame)
    saw.aim(at: low * saw.target, share: share, perFrame: perFrame)
    square.aim(at: low * square.target, share: share, perFrame: perFrame)
    noiseLevel.aim(share: share, perFrame: perFrame)
    survey()
  }

  /// The levels have arrived, and stay.
  @_noLocks
  private mutating func rest() {
    sine.step = .zero
    triangle.step = .zero
    saw.step = .zero
    square.step = .zero
    noiseLevel.step = .zero
  }

  // Control ticks after which levels have arrived: 16 time constants at 48 kHz.
  private static let settling: Int32 = 300
  // From 0.15 of the sample rate (7.2 kHz at 48 kHz: the next harmonic is at 14.4 kHz) to 0.1875 (9 and 18 kHz),
  // in units of `advance`.
  private static let fadeSlope: Float = 1 / 0.075
  private static let fadeStart: Float = 0.30 / 0.075
  // The first harmonic of each waveform.
  private static let sawSine: Float = 0.636619772
  private static let squareSine: Float = 1.27323954
  private static let triangleSine: Float = 0.810569469

  /// Puts the levels of a voice that has just been aimed where they go: its waveform may be faded from the start.
  @_noLocks
  mutating func arrive(_ lane: Int, steps: Float) {
    sine.finish(lane, steps: steps)
    triangle.finish(lane, steps: steps)
    saw.finish(lane, steps: steps)
    square.finish(lane, steps: steps)
  }

  /// Works out which waveforms are heard.
  @_noLocks
  private mutating func survey() {
    active = sine.isHeard ? 1 : 0
    if triangle.isHeard { active |= 2 }
    if saw.isHeard { active |= 4 }
    if square.isHeard { active |= 8 }
    if noiseLevel.isHeard { active |= 16 }
  }

  /// Starts one lane: at its waveform's zero crossing, with its levels where they aim.
  @_noLocks
  mutating func start(_ lane: Int, _ knobs: OscillatorKnobs) {
    phase[lane] = knobs.wave == Waveform.triangle.choice ? -0.5 : 0
    set(lane, knobs)
    width.arrive(lane)
    sine.arrive(lane)
    triangle.arrive(lane)
    saw.arrive(lane)
    square.arrive(lane)
    noiseLevel.arrive(lane)
  }

  /// Gives one lane its knobs; levels follow smoothly.
  @_noLocks
  mutating func set(_ lane: Int, _ knobs: OscillatorKnobs) {
    offset[lane] = knobs.octave + (knobs.semitone + knobs.fine / 100) / 12
    width.target[lane] = knobs.width
    unsettled = Self.settling
    let wave = knobs.wave
    sine.target[lane] = wave == Waveform.sine.choice ? knobs.level : 0
    triangle.target[lane] = wave == Waveform.triangle.choice ? knobs.level : 0
    saw.target[lane] = wave == Waveform.saw.choice ? knobs.level : 0
    square.target[lane] = wave == Waveform.square.choice ? knobs.level : 0
    noiseLevel.target[lane] = wave == Waveform.noise.choice ? knobs.level : 0
  }

  /// A lane has been given another voice in the middle of its sound.
  @_noLocks
  mutating func unsettle() {
    unsettled = Self.settling
    survey()
  }

  /// Empties one lane, so that no pass is spent on it.
  @_noLocks
  mutating func stop(_ lane: Int) {
    unsettled = Self.settling
    sine.jump(lane, to: 0)
    triangle.jump(lane, to: 0)
    saw.jump(lane, to: 0)
    square.jump(lane, to: 0)
    noiseLevel.jump(lane, to: 0)
  }
}

extension Ramp {
  /// True when any lane lets something through, now or soon.
  fileprivate var isHeard: Bool {
    @_noLocks get {
      let now = magnitude(value) + magnitude(target)
      let soon = magnitude(step)
      return now.sum() > 1e-5 || soon.sum() > 1e-7
    }
  }
}
