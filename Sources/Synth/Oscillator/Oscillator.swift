import Scenes

/// One band-limited oscillator in each of eight voices.
///
/// Each waveform is a separate pass over the block, so that a sound pays only for the waveforms that it uses. Each
/// waveform has a level, so that a change of waveform is a cross-fade.
struct OscillatorLanes {
  var phase = Phases.zero
  /// Phase increment per sample, below half a period.
  var advance = Phases.zero
  /// 1 / reach of a smoothed jump, with the reach in half periods; 1 or more.
  var steepness = Lanes(repeating: 1)
  /// Pulse width as a part of the period, while it moves.
  var width = Ramp()
  /// States of the noise generators, one for each lane.
  var words = LaneWords(1, 2, 3, 4, 5, 6, 7, 8) &* 0x9e37_79b9

  // The largest phase increment, in half periods per sample.
  static var fastest: Float { @_noLocks get { 0.98 } }
  // A jump reaches four samples, so that `steepness` is 0.25 over the increment in half periods.
  private static var perReach: Float { @_noLocks get { 0.25 } }

  /// Sets the phase increment for a pitch of `advance` half periods per sample, times `ratio`; `inverse` is
  /// 1 / `advance`. True when a lane is so high that its waveform begins to fade.
  @_noLocks @inline(__always)
  mutating func aim(advance pitch: Lanes, inverse: Lanes, ratio: Float, _ bounds: Bounds) -> Bool {
    let increment = smaller(pitch * ratio, bounds.fastest)
    advance = phases(increment)
    steepness = larger(inverse * (Self.perReach / ratio), bounds.one)
    return WaveSource.fades(increment)
  }

  /// Constants that the compiler does not know, so that `larger` and `smaller` are one instruction.
  struct Bounds {
    let none: Lanes
    let one: Lanes
    let fastest: Lanes

    @_noLocks @inline(__always)
    init(_ none: Float) {
      self.none = Lanes(repeating: none)
      one = Lanes(repeating: none + 1)
      fastest = Lanes(repeating: none + OscillatorLanes.fastest)
    }
  }

  /// Starts one lane, at the waveform's zero crossing.
  @_noLocks
  mutating func start(_ lane: Int, _ waveform: Waveform) {
    // The triangle crosses zero a quarter of a period earlier.
    phase[lane] = waveform.index == Waveform.triangle.index ? Int32.min / 2 : 0
  }
}

/// Levels of an oscillator's waveforms in eight voices, by the waveform's index.
struct WaveformLevels {
  /// The ramp of each waveform's level.
  let ramps: UnsafeMutablePointer<Ramp>

  @_noLocks init(_ ramps: UnsafeMutablePointer<Ramp>) { self.ramps = ramps }

  @_noLocks @inline(__always)
  subscript(_ waveform: Int) -> UnsafeMutablePointer<Ramp> { ramps + waveform }

  /// Aims every level at one goal for all lanes; `fresh` lanes, whose notes have just started, get it at once.
  /// Returns the waveforms that are audible during the ramp, one bit each.
  @_noLocks
  func aim(_ levels: Lanes, fresh: UInt8, perFrame: Float, isSettled: Bool) -> UInt8 {
    let starting = mask(fresh)
    var audible: UInt8 = 0
    for waveform in 0..<Waveform.count {
      let goal = Lanes(repeating: levels[waveform])
      let ramp = self[waveform]
      if fresh != 0 { ramp.pointee.value = select(goal, ramp.pointee.value, where: starting) }
      if isSettled { ramp.pointee.rest(at: goal) } else { ramp.pointee.aim(at: goal, perFrame: perFrame) }
      if sum(ramp.pointee.value + goal) > 0 { audible |= 1 << UInt8(waveform) }
    }
    return audible
  }

  /// Aims every level at `level`, a goal for each lane, times the share of the waveform. Returns the waveforms that are
  /// audible during the ramp, one bit each.
  @_noLocks
  func aim(_ level: Lanes, _ shares: Lanes, fresh: UInt8, perFrame: Float) -> UInt8 {
    let starting = mask(fresh)
    var audible: UInt8 = 0
    for waveform in 0..<Waveform.count {
      let goal = level * shares[waveform]
      self[waveform].pointee.aim(at: goal, starting, perFrame: perFrame)
      if isAny(larger(self[waveform].pointee.value, goal)) { audible |= 1 << UInt8(waveform) }
    }
    return audible
  }
}
