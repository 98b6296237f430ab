/// One band-limited oscillator in each of eight voices.
///
/// Each waveform is a pass of its own over the block, so that a sound pays for the waveforms that it uses; a level for
/// each waveform makes changing it a cross-fade.
struct OscillatorLanes {
  var phase = Phases.zero
  /// Added to the phase at every sample, below half a period.
  var advance = Phases.zero
  /// One over the reach of a smoothed jump, in units of half a period; 1 or more.
  var steepness = Lanes(repeating: 1)
  /// How far the end of a pulse lies behind its beginning, as a part of the period, where that moves.
  var width = Ramp()
  /// The states of the noise, one in each lane.
  var words = LaneWords(1, 2, 3, 4, 5, 6, 7, 8) &* 0x9e37_79b9

  // The fastest advance, in the same unit.
  static var fastest: Float { @_noLocks get { 0.98 } }
  // An eighth of a period for each sample of advance is a reach of four.
  private static var perReach: Float { @_noLocks get { 0.25 } }

  /// Sets up the next way, for a pitch of `advance` halves of a period per sample, of which `inverse` is the inverse,
  /// times `ratio`. True when a lane is so high that its waveform has begun to fade.
  @_noLocks @inline(__always)
  mutating func aim(advance pitch: Lanes, inverse: Lanes, ratio: Float, _ bounds: Bounds) -> Bool {
    let way = smaller(pitch * ratio, bounds.fastest)
    advance = phases(way)
    steepness = larger(inverse * (Self.perReach / ratio), bounds.one)
    return WaveSource.fades(way)
  }

  /// Numbers that the compiler does not know to be constant: then the larger of two is one instruction.
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

  /// Starts one lane, at its waveform's zero crossing.
  @_noLocks
  mutating func start(_ lane: Int, _ waveform: Waveform) {
    // A triangle's lies a quarter of a period earlier.
    phase[lane] = waveform.index == Waveform.triangle.index ? Int32.min / 2 : 0
  }
}
