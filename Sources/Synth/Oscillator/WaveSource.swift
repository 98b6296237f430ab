import Scenes

/// Fills a block with a waveform, from a start phase and a phase increment.
///
/// The passes of `OscillatorLanes` add a waveform at a level in one pass, which is enough for most sounds. `WaveSource`
/// is for all others: it renders the waveform alone, so that it can be multiplied, phase-modulated, panned, or faded
/// into its lowest harmonics where it is so high that it would alias.
struct WaveSource {
  var phase: Phases
  /// Phase increment per sample.
  var advance: Phases
  /// 1 / reach of a smoothed jump, with the reach in half periods; 1 or more.
  var steepness: Lanes
  /// 1 / reach of the end of a pulse and of the corners of a triangle or trisaw, in half periods; 1 or more.
  var endSteepness: Lanes
  /// How many times farther than usual the smoothing of a jump reaches, which is already part of `steepness`.
  var reach = Lanes(repeating: 1)
  /// How far a saw and a pulse have faded into their two lowest harmonics, and a triangle into its lowest: 0…1.
  var faded = Lanes.zero
  /// The gain of the second harmonic, which falls towards half the sample rate.
  var second = Lanes.zero
  /// True when any lane fades.
  var fades = false
  var pulse = PulseWidth(.zero)
  /// Address of the reader of a wavetable, 0 for none.
  var table: UInt = 0

  // The fade goes from 0.1 of the sample rate (4.8 kHz at 48 kHz) to 0.12 (5.8 kHz: the third harmonic is above
  // 17 kHz), in half periods per sample.
  private static var fadeStart: Float { @_noLocks get { 0.2 } }
  private static var fadeSlope: Float { @_noLocks get { 25 } }
  // The second harmonic has its full level up to 0.2 of the sample rate, and is silent from 0.45 on.
  private static var secondStart: Float { @_noLocks get { 0.2 } }
  private static var secondSlope: Float { @_noLocks get { 4 } }

  /// True when a lane is so high that its waveform fades; `increment` is the phase increment in half periods per sample.
  @_noLocks @inline(__always)
  static func fades(_ increment: Lanes) -> Bool {
    isAny(larger(increment - Lanes(repeating: fadeStart), hiddenZero(increment)))
  }

  /// A source with the phase, the increment and the steepness of an oscillator.
  @_noLocks
  init(_ phase: Phases, advance: Phases, steepness: Lanes) {
    (self.phase, self.advance, self.steepness) = (phase, advance, steepness)
    endSteepness = steepness
    let increment = numbers(advance) * BandLimitedStep.unit
    fades = Self.fades(increment)
    if !fades { return }
    let one = Lanes(repeating: 1)
    faded = smaller(larger((increment - Self.fadeStart) * Self.fadeSlope, Lanes.zero), one)
    let above = smaller(larger((increment - Self.secondStart) * Self.secondSlope, Lanes.zero), one)
    second = one - above * above
  }

  /// Fills `w` with a waveform of -1…1, with `offsets` added to the phase of each sample.
  @_noLocks
  func fill(
    _ waveform: Int, _ w: UnsafeMutablePointer<Lanes>, _ offsets: UnsafePointer<Phases>, frames: Int
  ) {
    switch Waveform.at(Float(waveform)) {
    case .sine: fillSine(w, offsets, frames)
    case .triangle: fillTriangle(w, offsets, frames)
    case .saw: fillSaw(w, offsets, frames)
    case .square: fillPulse(w, offsets, frames)
    case .trisaw: fillTrisaw(w, offsets, frames)
    case .wavetable: fillTable(w, offsets, frames)
    // The oscillator renders noise, because it holds the state.
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
    let (slope, offset, depth) = (endSteepness * BandLimitedStep.unit, 1 - endSteepness, 2 / endSteepness)
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
    let (endSlope, endOffset) = (BandLimitedStep.slope(endSteepness), BandLimitedStep.offset(endSteepness))
    let none = hiddenZero(steepness)
    var width = pulse.end
    var i = 0
    while i < frames {
      let p = s &+ offsets[i]
      let up = BandLimitedStep.saw(numbers(p), slope, offset, none)
      let down = BandLimitedStep.saw(numbers(p &+ width), endSlope, endOffset, none)
      w[i] = BandLimitedStep.unit * (up - down)
      s &+= advance
      width &+= pulse.step
      i &+= 1
    }
  }

  @_noLocks
  private func fillTrisaw(_ w: UnsafeMutablePointer<Lanes>, _ offsets: UnsafePointer<Phases>, _ frames: Int) {
    var (s, wave) = (phase, trisaw(endSteepness))
    var i = 0
    while i < frames {
      w[i] = wave.sample(numbers(s &+ offsets[i]) * BandLimitedStep.unit)
      s &+= advance
      wave.advance()
      i &+= 1
    }
  }

  /// The reader of its wavetable; nil without a table, when a sine takes its place.
  var reader: UnsafePointer<TableReader>? {
    @_noLocks get {
      guard let reader = UnsafePointer<TableReader>(bitPattern: table), reader.pointee.isReady else {
        return nil
      }
      return reader
    }
  }

  @_noLocks
  private func fillTable(_ w: UnsafeMutablePointer<Lanes>, _ offsets: UnsafePointer<Phases>, _ frames: Int) {
    guard let reader else { return fillSine(w, offsets, frames) }
    reader.pointee.fill(w, offsets, phase, advance, pulse, frames: frames)
  }

  /// The trisaw at this width, with corners of this steepness.
  @_noLocks
  func trisaw(_ steepness: Lanes) -> Trisaw {
    Trisaw(pulse, increment: numbers(advance) * BandLimitedStep.unit, steepness: steepness)
  }

  /// Fades a trisaw into its two lowest harmonics.
  @_noLocks
  private func fadeTrisaw(_ w: UnsafeMutablePointer<Lanes>, _ offsets: UnsafePointer<Phases>, _ frames: Int) {
    var (s, wave) = (phase, trisaw(endSteepness))
    var i = 0
    while i < frames {
      w[i] = multiplyAdd(faded, wave.harmonics(s &+ offsets[i], second) - w[i], w[i])
      s &+= advance
      wave.advance()
      i &+= 1
    }
  }

  /// Fades a waveform into its harmonics below half the sample rate.
  @_noLocks
  private func fade(
    _ waveform: Int, _ w: UnsafeMutablePointer<Lanes>, _ offsets: UnsafePointer<Phases>, _ frames: Int
  ) {
    switch Waveform.at(Float(waveform)) {
    // A wavetable has levels with few harmonics, and the oscillator renders noise.
    case .sine, .wavetable, .noise: return
    case .trisaw: return fadeTrisaw(w, offsets, frames)
    case .triangle, .saw, .square: break
    }
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

/// The audible harmonics of a waveform whose third harmonic lies above 18 kHz: its truncated Fourier series.
enum TwoHarmonicWave {
  /// The first two harmonics of a saw, 2/π·sin(πs) - 1/π·sin(2πs), the second times a gain.
  @_noLocks @inline(__always)
  static func saw(_ p: Phases, _ second: Lanes) -> Lanes {
    let one = sinePi(numbers(p) * BandLimitedStep.unit)
    let two = sinePi(numbers(p &<< 1) * BandLimitedStep.unit)
    return 0.636619772 * one - 0.318309886 * second * two
  }

  /// The first harmonic of a triangle, 8/π²·cos(πs).
  @_noLocks @inline(__always)
  static func triangle(_ p: Phases) -> Lanes {
    0.810569469 * sinePi(numbers(p &+ Phases(repeating: 0x4000_0000)) * BandLimitedStep.unit)
  }
}
