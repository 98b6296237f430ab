import Scenes

/// A waveform with band-limited hard sync: it restarts whenever a period of the master ends.
///
/// A saw, and a pulse as the difference of two saws, use `SyncedSaw`. A sine and a triangle jump less: their jump at
/// the reset is smoothed as in `BandLimitedStep`, half of its height before the reset and half after it, and their
/// corner there as in `BandLimitedRamp`. After E. Brandt, "Hard sync without aliasing" (ICMC 2001).
struct SyncSource {
  private let master: SyncMaster
  private let slave: WaveSource
  /// How far the waveform has faded into a sine, because it is so high that it would alias: 0…1.
  private let faded: Lanes
  private let fades: Bool

  // The fade goes from 0.1875 to 0.25 of the sample rate, in half periods per sample: later than for a waveform without
  // sync, because the jumps of the reset remain.
  private static var fadeStart: Float { @_noLocks get { 0.375 } }
  private static var fadeSlope: Float { @_noLocks get { 8 } }

  @_noLocks
  init(_ master: SyncMaster, _ slave: WaveSource) {
    (self.master, self.slave) = (master, slave)
    let above = (numbers(slave.advance) * BandLimitedStep.unit - Self.fadeStart) * Self.fadeSlope
    faded = smaller(larger(above, Lanes.zero), Lanes(repeating: 1))
    fades = isAny(faded)
  }

  /// True when a lane with this phase increment fades.
  @_noLocks
  static func fades(_ advance: Phases) -> Bool {
    isAny(advance .> Phases(repeating: Int32(fadeStart * BandLimitedStep.scale)))
  }

  /// Values of the master that are needed at one sample.
  private struct Position {
    /// Half periods of the master since the reset, and the master's phase.
    let since: Lanes
    let master: Lanes
    /// Half the residual of a jump of 1 at the reset; positive ahead of it.
    let edge: Lanes

    @_noLocks @inline(__always)
    init(_ phase: Phases, _ slope: Lanes, _ offset: Lanes, _ none: Lanes) {
      master = numbers(phase)
      since = multiplyAdd(master, Lanes(repeating: BandLimitedStep.unit), Lanes(repeating: 1))
      let r = BandLimitedStep.residual(magnitude(master), slope, offset, none)
      edge = lanes(bits(r * (-0.5 * BandLimitedStep.unit)) ^ (bits(master) & 0x8000_0000))
    }
  }

  /// Fills `w` with a waveform of -1…1. Noise cannot be synchronized.
  @_noLocks
  func fill(_ waveform: Int, _ w: UnsafeMutablePointer<Lanes>, frames: Int) {
    let none = hiddenZero(master.steepness)
    switch Waveform.at(Float(waveform)) {
    case .saw: fillSaw(w, none, frames)
    case .square: fillPulse(w, none, frames)
    case .sine: fillSine(w, none, Lanes(repeating: 1), none, frames)
    case .triangle: fillTriangle(w, none, frames)
    case .trisaw: fillTrisaw(w, none, frames)
    case .wavetable: fillTable(w, none, frames)
    case .noise: break
    }
    if !fades { return }
    // A waveform that is so high that it would alias fades into a sine, at the level of its first harmonic.
    let first: Lanes
    switch Waveform.at(Float(waveform)) {
    case .sine, .triangle, .wavetable, .noise: return
    case .saw: first = Lanes(repeating: 0.636619772)
    case .square: first = Lanes(repeating: 1.27323954)
    case .trisaw: first = slave.trisaw(slave.steepness).first
    }
    fillSine(w, none, first, 1 - faded, frames)
  }

  @_noLocks
  private func fillSaw(_ w: UnsafeMutablePointer<Lanes>, _ none: Lanes, _ frames: Int) {
    let saw = SyncedSaw(master, advance: slave.advance, shift: none, farther: slave.reach)
    var (ratio, phase) = (master.ratio.value, master.phase)
    var i = 0
    while i < frames {
      w[i] = saw.sample(phase, ratio)
      ratio += master.ratio.step
      phase &+= master.advance
      i &+= 1
    }
  }

  @_noLocks
  private func fillPulse(_ w: UnsafeMutablePointer<Lanes>, _ none: Lanes, _ frames: Int) {
    let up = SyncedSaw(master, advance: slave.advance, shift: none, farther: slave.reach)
    var end = slave.pulse.end
    var down = saw(shift: end, none)
    let moves = isAny(numbers(slave.pulse.step))
    var (ratio, phase) = (master.ratio.value, master.phase)
    var i = 0
    while i < frames {
      w[i] = up.sample(phase, ratio) - down.sample(phase, ratio)
      if moves {
        end &+= slave.pulse.step
        down = saw(shift: end, none)
      }
      ratio += master.ratio.step
      phase &+= master.advance
      i &+= 1
    }
  }

  /// A saw that begins later by the width of a pulse, `end`.
  @_noLocks @inline(__always)
  private func saw(shift end: Phases, _ none: Lanes) -> SyncedSaw {
    let shift = numbers(end) * BandLimitedStep.unit
    return SyncedSaw(
      master, advance: slave.advance, shift: select(shift + 2, shift, where: shift .< none),
      farther: slave.reach)
  }

  /// Fills `w` with a sine at `level`, mixed with the previous samples of `w` at the gain `share`.
  @_noLocks
  private func fillSine(
    _ w: UnsafeMutablePointer<Lanes>, _ none: Lanes, _ level: Lanes, _ share: Lanes, _ frames: Int
  ) {
    let (slope, offset) = (BandLimitedStep.slope(master.steepness), BandLimitedStep.offset(master.steepness))
    var (ratio, phase) = (master.ratio.value, master.phase)
    let end = wrapped(multiplyAdd(ratio, Lanes(repeating: 2), Lanes(repeating: -1)))
    // The slope of the sine is π·cos at the end of the period, and -π at its beginning.
    let corner = Corner(Float.pi * (-1 - sinePi(wrapped(end + 0.5))), ratio, master.steepness)
    let height = sinePi(end)
    let gain = (1 - share) * level
    var i = 0
    while i < frames {
      let position = Position(phase, slope, offset, none)
      let unwrapped = multiplyAdd(ratio, position.since, Lanes(repeating: -1))
      let sine = sinePi(wrapped(unwrapped)) - height * position.edge + corner.at(position, none)
      // Without a share, the previous samples are not read: they may be anything, even NaN.
      w[i] = sum(share) == 0 ? gain * sine : multiplyAdd(share, w[i], gain * sine)
      ratio += master.ratio.step
      phase &+= master.advance
      i &+= 1
    }
  }

  @_noLocks
  private func fillTriangle(_ w: UnsafeMutablePointer<Lanes>, _ none: Lanes, _ frames: Int) {
    let (slope, offset) = (BandLimitedStep.slope(master.steepness), BandLimitedStep.offset(master.steepness))
    let (own, reach, one) = (slave.steepness, 2 / slave.steepness, Lanes(repeating: 1))
    var (ratio, phase) = (master.ratio.value, master.phase)
    let end = multiplyAdd(ratio, Lanes(repeating: 2), Lanes(repeating: -1))
    let last = wrapped(end)
    let height = 2 * magnitude(last) - 2
    // Distance from the last corner, at the top or the bottom, to the reset; far away if there is none.
    let lastCorner = nearest(end - 0.5)
    let far = Lanes(repeating: 1e6)
    let tail = select(far, end - lastCorner, where: end .< none)
    let tailSign = 2 * magnitude(wrapped(lastCorner)) - 1
    let corner = Corner(2 + signed(Lanes(repeating: 2), like: last), ratio, master.steepness)
    var i = 0
    while i < frames {
      let position = Position(phase, slope, offset, none)
      let unwrapped = multiplyAdd(ratio, position.since, Lanes(repeating: -1))
      let periods = nearest(0.5 * unwrapped)
      let s = unwrapped - 2 * periods
      // Corners of the waveform: those ahead, if they come before the reset; those behind; and after the reset the last
      // one before it.
      let isBefore = s .< none
      let isFirst = isBefore .& (periods .< Lanes(repeating: 0.5))
      let isTop = select(end - 2 * periods, 2 * periods + 1, where: isBefore) .> none
      let isBottom = select(one, end - 2 * periods - 1, where: isBefore) .> none
      let a = magnitude(s)
      let top = BandLimitedRamp.integral(larger(1 - a * own, none))
      let behind = 1 - a + select(tail, none, where: isFirst)
      let bottom =
        select(tailSign, one, where: isFirst) * BandLimitedRamp.integral(larger(1 - behind * own, none))
      let corners = select(top, none, where: isTop) - select(bottom, none, where: isBottom)
      w[i] = multiplyAdd(height, position.edge, 1 - 2 * a - reach * corners) + corner.at(position, none)
      ratio += master.ratio.step
      phase &+= master.advance
      i &+= 1
    }
  }

  @_noLocks
  private func fillTrisaw(_ w: UnsafeMutablePointer<Lanes>, _ none: Lanes, _ frames: Int) {
    let (slope, offset) = (BandLimitedStep.slope(master.steepness), BandLimitedStep.offset(master.steepness))
    var (ratio, phase, wave) = (master.ratio.value, master.phase, slave.trisaw(slave.steepness))
    var i = 0
    while i < frames {
      let synced = SyncedTrisaw(wave, steepness: slave.steepness, ratio: ratio, none)
      let position = Position(phase, slope, offset, none)
      let unwrapped = multiplyAdd(ratio, position.since, Lanes(repeating: -1))
      let corner = Corner(synced.turn, ratio, master.steepness)
      w[i] = multiplyAdd(synced.jump, position.edge, synced.sample(unwrapped)) + corner.at(position, none)
      ratio += master.ratio.step
      phase &+= master.advance
      wave.advance()
      i &+= 1
    }
  }

  /// Fills with a wavetable, whose jump and corner at the reset are smoothed. Its phases are written first, in place of the samples
  /// that are read at them.
  @_noLocks
  private func fillTable(_ w: UnsafeMutablePointer<Lanes>, _ none: Lanes, _ frames: Int) {
    guard let reader = slave.reader else {
      return fillSine(w, none, Lanes(repeating: 1), none, frames)
    }
    let (slope, offset) = (BandLimitedStep.slope(master.steepness), BandLimitedStep.offset(master.steepness))
    let phases = UnsafeMutableRawPointer(w).assumingMemoryBound(to: Phases.self)
    var (ratio, phase) = (master.ratio.value, master.phase)
    let end = Self.phase(multiplyAdd(ratio, Lanes(repeating: 2), Lanes(repeating: -1)))
    let begin = Phases(repeating: Int32.min)
    let (first, last) = (
      reader.pointee.samples(at: begin, slave.pulse), reader.pointee.samples(at: end, slave.pulse)
    )
    // The slopes there, per half period, from neighbours a 1024th of a period away.
    let near = Phases(repeating: 1 &<< 22)
    let after = reader.pointee.samples(at: begin &+ near, slave.pulse) - first
    let before = last - reader.pointee.samples(at: end &- near, slave.pulse)
    let (jump, corner) = (first - last, Corner(512 * (after - before), ratio, master.steepness))
    var i = 0
    while i < frames {
      let since = multiplyAdd(numbers(phase), Lanes(repeating: BandLimitedStep.unit), Lanes(repeating: 1))
      phases[i] = Self.phase(multiplyAdd(ratio, since, Lanes(repeating: -1)))
      ratio += master.ratio.step
      phase &+= master.advance
      i &+= 1
    }
    reader.pointee.fill(w, UnsafePointer(phases), .zero, .zero, slave.pulse, frames: frames)
    phase = master.phase
    i = 0
    while i < frames {
      let position = Position(phase, slope, offset, none)
      w[i] = multiplyAdd(jump, position.edge, w[i]) + corner.at(position, none)
      phase &+= master.advance
      i &+= 1
    }
  }

  /// The phase of a number of half periods.
  @_noLocks @inline(__always)
  private static func phase(_ halves: Lanes) -> Phases { advances(wrapped(halves) * BandLimitedStep.scale) }

  /// The correction that smooths a corner at the reset. `slopes` is the increase of the slope there, per half period of
  /// the waveform.
  private struct Corner {
    let height: Lanes
    let steepness: Lanes

    @_noLocks @inline(__always)
    init(_ slopes: Lanes, _ ratio: Lanes, _ steepness: Lanes) {
      height = 0.5 * slopes * ratio / steepness
      self.steepness = steepness
    }

    @_noLocks @inline(__always)
    func at(_ position: Position, _ none: Lanes) -> Lanes {
      let t = multiplyAdd(magnitude(position.master), steepness * BandLimitedStep.unit, 1 - steepness)
      return height * BandLimitedRamp.integral(larger(t, none))
    }
  }
}
