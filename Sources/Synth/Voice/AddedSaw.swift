/// A saw or a pulse of ±2^31 that is added to others: one voice of a unison.
struct AddedSaw {
  var phase: Phases
  var advance: Phases
  /// See `OscillatorLanes.steepness`, and how far from a jump that is, as a phase: those of the unison's first voice.
  let steepness: Lanes
  let reach: Phases
  /// How far the end of a pulse lies behind its beginning.
  let pulse: Phases

  @_noLocks @inline(__always)
  init(_ source: WaveSource) {
    (phase, advance, steepness) = (source.phase, source.advance, source.steepness)
    (reach, pulse) = (source.advance &<< 2, source.pulse)
  }

  /// Puts the sum of `base` and a saw into `x`. Returns the phase behind it.
  @_noLocks
  func addSaw(_ base: UnsafePointer<Lanes>, _ x: UnsafeMutablePointer<Lanes>, frames: Int) -> Phases {
    if LowSaw.pays(advance) { return addLowSaw(base, x, frames) }
    var s = phase
    let (slope, offset) = (BandLimitedStep.slope(steepness), BandLimitedStep.offset(steepness))
    let none = steepness - steepness
    var i = 0
    while i < frames {
      let line = numbers(s)
      x[i] = base[i] + line + BandLimitedStep.bend(line, slope, offset, none)
      s &+= advance
      i &+= 1
    }
    return s
  }

  /// The same with two saws. Returns the phases behind them.
  @_noLocks
  func addSaws(
    _ other: AddedSaw, _ base: UnsafePointer<Lanes>, _ x: UnsafeMutablePointer<Lanes>, frames: Int
  ) -> (Phases, Phases) {
    if !LowSaw.pays(advance) || !LowSaw.pays(other.advance) {
      return (addSaw(base, x, frames: frames), other.addSaw(UnsafePointer(x), x, frames: frames))
    }
    var (s, t) = (phase, other.phase)
    var i = 0
    while i < frames {
      x[i] = base[i] + numbers(s) + numbers(t)
      s &+= advance
      t &+= other.advance
      i &+= 1
    }
    lowSaw.smooth(x, from: phase, Lanes(repeating: 1), frames: frames)
    other.lowSaw.smooth(x, from: other.phase, Lanes(repeating: 1), frames: frames)
    return (s, t)
  }

  /// The same with three, all of them low. Returns the phases behind them.
  @_noLocks
  func addLowSaws(
    _ other: AddedSaw, _ third: AddedSaw, _ base: UnsafePointer<Lanes>, _ x: UnsafeMutablePointer<Lanes>,
    frames: Int
  ) -> (Phases, Phases, Phases) {
    var (s, t, u) = (phase, other.phase, third.phase)
    var i = 0
    while i < frames {
      x[i] = base[i] + numbers(s) + numbers(t) + numbers(u)
      s &+= advance
      t &+= other.advance
      u &+= third.advance
      i &+= 1
    }
    lowSaw.smooth(x, from: phase, Lanes(repeating: 1), frames: frames)
    other.lowSaw.smooth(x, from: other.phase, Lanes(repeating: 1), frames: frames)
    third.lowSaw.smooth(x, from: third.phase, Lanes(repeating: 1), frames: frames)
    return (s, t, u)
  }

  /// Puts the sum of `base` and a pulse into `x`. Returns the phase behind it.
  @_noLocks
  func addPulse(_ base: UnsafePointer<Lanes>, _ x: UnsafeMutablePointer<Lanes>, frames: Int) -> Phases {
    if LowSaw.pays(advance) { return addLowPulse(base, x, frames) }
    var s = phase
    let (slope, offset) = (BandLimitedStep.slope(steepness), BandLimitedStep.offset(steepness))
    let none = steepness - steepness
    var i = 0
    while i < frames {
      let (up, down) = (numbers(s), numbers(s &+ pulse))
      let raised = base[i] + (up - down) + BandLimitedStep.bend(up, slope, offset, none)
      x[i] = raised - BandLimitedStep.bend(down, slope, offset, none)
      s &+= advance
      i &+= 1
    }
    return s
  }

  @_noLocks @inline(__always)
  private func addLowSaw(_ base: UnsafePointer<Lanes>, _ x: UnsafeMutablePointer<Lanes>, _ frames: Int)
    -> Phases
  {
    var s = phase
    var i = 0
    while i < frames {
      x[i] = base[i] + numbers(s)
      s &+= advance
      i &+= 1
    }
    lowSaw.smooth(x, from: phase, Lanes(repeating: 1), frames: frames)
    return s
  }

  @_noLocks @inline(__always)
  private func addLowPulse(_ base: UnsafePointer<Lanes>, _ x: UnsafeMutablePointer<Lanes>, _ frames: Int)
    -> Phases
  {
    var s = phase
    var i = 0
    while i < frames {
      x[i] = base[i] + (numbers(s) - numbers(s &+ pulse))
      s &+= advance
      i &+= 1
    }
    lowSaw.smooth(x, from: phase, Lanes(repeating: 1), frames: frames)
    lowSaw.smooth(x, from: phase &+ pulse, Lanes(repeating: -1), frames: frames)
    return s
  }

  /// True when all voices are so low that a saw is a straight line nearly everywhere.
  var isLow: Bool { @_noLocks @inline(__always) get { LowSaw.pays(advance) } }

  private var lowSaw: LowSaw {
    @_noLocks get { LowSaw(advance: advance, reach: reach, steepness: steepness) }
  }
}
