/// A waveform that begins anew whenever a master's period ends: hard sync, band-limited.
///
/// Both jumps are smoothed as `BandLimitedStep` does it, each by half of its height before it and half after it: that of
/// the waveform's own period, but only where it comes nearer than the reset; and that of the reset, from where the
/// waveform is then to where it begins. A sine and a triangle turn a corner there too, which `BandLimitedRamp` smooths.
/// After E. Brandt, "Hard sync without aliasing" (ICMC 2001); with the reset's neighbour left out it would alias at
/// -20 dB, with it at -77 dB and less for slaves under 9 kHz and masters up to 880 Hz.
struct SyncSource {
  /// The master's.
  var phase: Phases
  let advance: Phases
  let steepness: Lanes
  /// Periods of the waveform in one of the master's, and how that moves with every sample.
  var ratio: Lanes
  let ratioStep: Lanes
  /// The waveform's own, and how far the end of a pulse lies behind its beginning.
  private let slaveSteepness: Lanes
  private let pulse: Phases
  /// How far it has faded into a sine, since it is so high that it would alias.
  private let faded: Lanes
  private let fades: Bool

  // From 0.15 to 0.1875 of the sample rate, in halves of a period per sample: later than a waveform that goes by itself,
  // as the jumps of the reset remain.
  private static var fadeStart: Float { @_noLocks get { 0.3 } }
  private static var fadeSlope: Float { @_noLocks get { 13.3333333 } }

  @_noLocks
  init(_ phase: Phases, advance: Phases, steepness: Lanes, _ ratio: Ramp, _ slave: WaveSource) {
    (self.phase, self.advance, self.steepness) = (phase, advance, steepness)
    (self.ratio, ratioStep) = (ratio.value, ratio.step)
    (slaveSteepness, pulse) = (slave.steepness, slave.pulse)
    let above = (numbers(slave.advance) * BandLimitedStep.unit - Self.fadeStart) * Self.fadeSlope
    faded = smaller(larger(above, Lanes.zero), Lanes(repeating: 1))
    fades = isAny(faded)
  }

  /// The place of the waveform in its period, and all that the master has to do with it, at one sample.
  private struct Place {
    /// The master: halves of a period since the reset, and its phase.
    let since: Lanes
    let master: Lanes
    /// Half the residual of a jump of 1 at the reset, ahead of it positive.
    let edge: Lanes

    @_noLocks @inline(__always)
    init(_ phase: Phases, _ slope: Lanes, _ offset: Lanes, _ none: Lanes) {
      master = numbers(phase)
      since = multiplyAdd(master, Lanes(repeating: BandLimitedStep.unit), Lanes(repeating: 1))
      let r = BandLimitedStep.residual(magnitude(master), slope, offset, none)
      edge = lanes(bits(r * (-0.5 * BandLimitedStep.unit)) ^ (bits(master) & 0x8000_0000))
    }
  }

  /// Fills `w` with a waveform of -1…1. Noise cannot begin anew.
  @_noLocks
  mutating func fill(_ waveform: Int, _ w: UnsafeMutablePointer<Lanes>, frames: Int) {
    let none = steepness - steepness
    switch Waveform.at(Float(waveform)) {
    case .saw: fillSaw(w, none, frames)
    case .square: fillPulse(w, none, frames)
    case .sine: fillSine(w, none, 1, none, frames)
    case .triangle: fillTriangle(w, none, frames)
    case .noise: break
    }
    // What is so high that it would alias fades into a sine of its own, at the level of its first harmonic.
    if !fades || waveform == Waveform.sine.index || waveform == Waveform.triangle.index { return }
    let first: Float = waveform == Waveform.saw.index ? 0.636619772 : 1.27323954
    fillSine(w, none, first, 1 - faded, frames)
  }

  @_noLocks @inline(__always)
  private static func wrapped(_ s: Lanes) -> Lanes { s - 2 * nearest(0.5 * s) }

  /// What a saw that begins `shift` halves of a period later than at its lowest needs to know of a block.
  private struct Saw {
    let start: Lanes
    /// How far it goes until the reset, and how far it jumps there.
    let end: Lanes
    let height: Lanes
    let slope: Lanes
    let offset: Lanes

    @_noLocks @inline(__always)
    init(_ ratio: Lanes, _ shift: Lanes, _ steepness: Lanes) {
      start = shift - 1
      end = multiplyAdd(ratio, Lanes(repeating: 2), start)
      height = start - SyncSource.wrapped(end)
      slope = BandLimitedStep.slope(steepness) * BandLimitedStep.scale
      offset = BandLimitedStep.offset(steepness)
    }

    @_noLocks @inline(__always)
    func at(_ place: Place, _ ratio: Lanes, _ none: Lanes) -> Lanes {
      let way = multiplyAdd(ratio, place.since, start)
      let periods = nearest(0.5 * way)
      let s = way - 2 * periods
      // Its own jump: the next one if that comes before the reset, the last one if there was one since.
      let isOwn = select(end - 2 * periods - 1, periods - 0.5, where: s .> none) .> none
      let r = BandLimitedStep.residual(magnitude(s), slope, offset, none)
      let own = lanes(bits(r * BandLimitedStep.unit) ^ (bits(s) & 0x8000_0000))
      return multiplyAdd(height, place.edge, s + select(own, none, where: isOwn))
    }
  }

  @_noLocks
  private func fillSaw(_ w: UnsafeMutablePointer<Lanes>, _ none: Lanes, _ frames: Int) {
    let (slope, offset) = (BandLimitedStep.slope(steepness), BandLimitedStep.offset(steepness))
    let saw = Saw(ratio, none, slaveSteepness)
    var (ratio, phase) = (ratio, phase)
    var i = 0
    while i < frames {
      w[i] = saw.at(Place(phase, slope, offset, none), ratio, none)
      ratio += ratioStep
      phase &+= advance
      i &+= 1
    }
  }

  @_noLocks
  private func fillPulse(_ w: UnsafeMutablePointer<Lanes>, _ none: Lanes, _ frames: Int) {
    let (slope, offset) = (BandLimitedStep.slope(steepness), BandLimitedStep.offset(steepness))
    let width = numbers(pulse) * BandLimitedStep.unit
    let up = Saw(ratio, none, slaveSteepness)
    let down = Saw(ratio, select(width + 2, width, where: width .< none), slaveSteepness)
    var (ratio, phase) = (ratio, phase)
    var i = 0
    while i < frames {
      let place = Place(phase, slope, offset, none)
      w[i] = up.at(place, ratio, none) - down.at(place, ratio, none)
      ratio += ratioStep
      phase &+= advance
      i &+= 1
    }
  }

  /// A sine at a level, beside a share of what is there already.
  @_noLocks
  private func fillSine(
    _ w: UnsafeMutablePointer<Lanes>, _ none: Lanes, _ level: Float, _ share: Lanes, _ frames: Int
  ) {
    let (slope, offset) = (BandLimitedStep.slope(steepness), BandLimitedStep.offset(steepness))
    let end = Self.wrapped(multiplyAdd(ratio, Lanes(repeating: 2), Lanes(repeating: -1)))
    // The slope at the end is π·cos, at the beginning -π.
    let corner = Corner(Float.pi * (-1 - sinePi(Self.wrapped(end + 0.5))), ratio, steepness)
    let height = sinePi(end)
    let gain = (1 - share) * level
    var (ratio, phase) = (ratio, phase)
    var i = 0
    while i < frames {
      let place = Place(phase, slope, offset, none)
      let way = multiplyAdd(ratio, place.since, Lanes(repeating: -1))
      let sine = sinePi(Self.wrapped(way)) - height * place.edge + corner.at(place, none)
      // What is not asked for may be anything, even no number.
      w[i] = sum(share) == 0 ? gain * sine : multiplyAdd(share, w[i], gain * sine)
      ratio += ratioStep
      phase &+= advance
      i &+= 1
    }
  }

  @_noLocks
  private func fillTriangle(_ w: UnsafeMutablePointer<Lanes>, _ none: Lanes, _ frames: Int) {
    let (slope, offset) = (BandLimitedStep.slope(steepness), BandLimitedStep.offset(steepness))
    let (own, reach) = (slaveSteepness, 2 / slaveSteepness)
    let end = multiplyAdd(ratio, Lanes(repeating: 2), Lanes(repeating: -1))
    let last = Self.wrapped(end)
    let height = 2 * magnitude(last) - 2
    let corner = Corner(2 + signed(Lanes(repeating: 2), like: last), ratio, steepness)
    var (ratio, phase) = (ratio, phase)
    var i = 0
    while i < frames {
      let place = Place(phase, slope, offset, none)
      let way = multiplyAdd(ratio, place.since, Lanes(repeating: -1))
      let periods = nearest(0.5 * way)
      let s = way - 2 * periods
      // Its own corners: those ahead if they come before the reset, those behind if they were since.
      let isBefore = s .< none
      let isTop = select(end - 2 * periods, 2 * periods + 1, where: isBefore) .> none
      let isBottom = select(periods - 0.5, end - 2 * periods - 1, where: isBefore) .> none
      let a = magnitude(s)
      let top = BandLimitedRamp.integral(larger(1 - a * own, none))
      let bottom = BandLimitedRamp.integral(larger(1 - (1 - a) * own, none))
      let corners = select(top, none, where: isTop) - select(bottom, none, where: isBottom)
      w[i] = multiplyAdd(height, place.edge, 1 - 2 * a - reach * corners) + corner.at(place, none)
      ratio += ratioStep
      phase &+= advance
      i &+= 1
    }
  }

  /// What smooths a corner at the reset: `slopes` is by how much the slope grows there, for halves of its own period.
  private struct Corner {
    let height: Lanes
    let steepness: Lanes

    @_noLocks @inline(__always)
    init(_ slopes: Lanes, _ ratio: Lanes, _ steepness: Lanes) {
      height = 0.5 * slopes * ratio / steepness
      self.steepness = steepness
    }

    @_noLocks @inline(__always)
    func at(_ place: Place, _ none: Lanes) -> Lanes {
      let t = multiplyAdd(magnitude(place.master), steepness * BandLimitedStep.unit, 1 - steepness)
      return height * BandLimitedRamp.integral(larger(t, none))
    }
  }
}
