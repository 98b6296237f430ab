/// Where a waveform is filled into a block from: a place in its period, and how fast it goes through it.
///
/// The passes of `OscillatorLanes` add a waveform at a level in one go, which most sounds need. This is for the rest: the
/// waveform alone, so that it can be multiplied, moved in phase, placed between left and right, or fade into its lowest
/// harmonics where it is so high that it would alias.
struct WaveSource {
  var phase: Phases
  /// Added to the phase at every sample.
  var advance: Phases
  /// One over the reach of a smoothed jump, in units of half a period; 1 or more.
  var steepness: Lanes
  /// How far a saw and a pulse have faded into their two lowest harmonics, a triangle into its lowest: 0…1.
  var faded = Lanes.zero
  /// The gain of the second harmonic, which falls towards half the sample rate.
  var second = Lanes.zero
  /// True when a lane has faded at all.
  var fades = false
  var pulse = PulseWidth(.zero)

  // From 0.1 of the sample rate (4.8 kHz at 48 kHz) to 0.12 (5.8 kHz: the third harmonic is above 17 kHz), in halves of a
  // period per sample.
  private static var fadeStart: Float { @_noLocks get { 0.2 } }
  private static var fadeSlope: Float { @_noLocks get { 25 } }
  // The second harmonic: whole up to 0.2 of the sample rate, nothing from 0.45 on.
  private static var secondStart: Float { @_noLocks get { 0.2 } }
  private static var secondSlope: Float { @_noLocks get { 4 } }

  /// The lanes that are so high, for phases that advance by so much, that their waveform fades.
  @_noLocks @inline(__always)
  static func fades(_ way: Lanes) -> Bool {
    isAny(larger(way - Lanes(repeating: fadeStart), hiddenZero(way)))
  }

  /// From a place on, going as an oscillator goes.
  @_noLocks
  init(_ phase: Phases, advance: Phases, steepness: Lanes) {
    (self.phase, self.advance, self.steepness) = (phase, advance, steepness)
    let way = numbers(advance) * BandLimitedStep.unit
    fades = Self.fades(way)
    if !fades { return }
    let one = Lanes(repeating: 1)
    faded = smaller(larger((way - Self.fadeStart) * Self.fadeSlope, Lanes.zero), one)
    let above = smaller(larger((way - Self.secondStart) * Self.secondSlope, Lanes.zero), one)
    second = one - above * above
  }

  /// Fills `w` with a waveform of -1…1, each sample moved in phase by `offsets`.
  @_noLocks
  func fill(
    _ waveform: Int, _ w: UnsafeMutablePointer<Lanes>, _ offsets: UnsafePointer<Phases>, frames: Int
  ) {
    switch Waveform.at(Float(waveform)) {
    case .sine: fillSine(w, offsets, frames)
    case .triangle: fillTriangle(w, offsets, frames)
    case .saw: fillSaw(w, offsets, frames)
    case .square: fillPulse(w, offsets, frames)
    // Made by the oscillator, whose state it is.
    case .noise: break
    }
    if fades { fade(waveform, w, offsets, frames) }
  }

  @_noLocks
  private func fillSine(_ w: UnsafeMutablePointer<Lanes>, _ offsets: UnsafePointer<Phases>, _ frames: Int) {
    var s = phase
    var i = 0
    while i < frames {
      w[i] = sinePi(numbers(s &+ offsets[i]) * BandLimitedStep.unit)
      s &+= advance
      i &+= 1
    }
  }

  @_noLocks
  private func fillTriangle(_ w: UnsafeMutablePointer<Lanes>, _ offsets: UnsafePointer<Phases>, _ frames: Int)
  {
    var s = phase
    let (slope, offset, depth) = (steepness * BandLimitedStep.unit, 1 - steepness, 2 / steepness)
    let none = hiddenZero(steepness)
    var i = 0
    while i < frames {
      w[i] = BandLimitedRamp.triangle(numbers(s &+ offsets[i]), slope, offset, depth, none)
      s &+= advance
      i &+= 1
    }
  }

  @_noLocks
  private func fillSaw(_ w: UnsafeMutablePointer<Lanes>, _ offsets: UnsafePointer<Phases>, _ frames: Int) {
    var s = phase
    let (slope, offset) = (BandLimitedStep.slope(steepness), BandLimitedStep.offset(steepness))
    let none = hiddenZero(steepness)
    var i = 0
    while i < frames {
      w[i] = BandLimitedStep.unit * BandLimitedStep.saw(numbers(s &+ offsets[i]), slope, offset, none)
      s &+= advance
      i &+= 1
    }
  }

  @_noLocks
  private func fillPulse(_ w: UnsafeMutablePointer<Lanes>, _ offsets: UnsafePointer<Phases>, _ frames: Int) {
    var s = phase
    let (slope, offset) = (BandLimitedStep.slope(steepness), BandLimitedStep.offset(steepness))
    let none = hiddenZero(steepness)
    var width = pulse.end
    var i = 0
    while i < frames {
      let p = s &+ offsets[i]
      let up = BandLimitedStep.saw(numbers(p), slope, offset, none)
      let down = BandLimitedStep.saw(numbers(p &+ width), slope, offset, none)
      w[i] = BandLimitedStep.unit * (up - down)
      s &+= advance
      width &+= pulse.step
      i &+= 1
    }
  }

  /// Lets a waveform fade into what is left of it under half the sample rate.
  @_noLocks
  private func fade(
    _ waveform: Int, _ w: UnsafeMutablePointer<Lanes>, _ offsets: UnsafePointer<Phases>, _ frames: Int
  ) {
    if waveform == Waveform.sine.index { return }
    var (s, width) = (phase, pulse.end)
    var i = 0
    while i < frames {
      let p = s &+ offsets[i]
      var low: Lanes
      if waveform == Waveform.triangle.index {
        low = TwoHarmonicWave.triangle(p)
      } else {
        low = TwoHarmonicWave.saw(p, second)
        if waveform == Waveform.square.index { low -= TwoHarmonicWave.saw(p &+ width, second) }
      }
      w[i] = multiplyAdd(faded, low - w[i], w[i])
      s &+= advance
      width &+= pulse.step
      i &+= 1
    }
  }
}
