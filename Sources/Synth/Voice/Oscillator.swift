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
  /// The waveforms that any lane lets through, one bit each.
  var active: UInt8 = 0

  /// Sets up the next way: `octaves` above 1 Hz, in `frames` at `rate`.
  @_noLocks @inline(__always)
  mutating func aim(octaves: Lanes, rate: Float, share: Float, perFrame: Float) {
    advance = smaller(exp2(octaves + offset) * (2 / rate), Lanes(repeating: 0.98))
    _ = width.settled(share)
    sine.aim(share: share, perFrame: perFrame)
    triangle.aim(share: share, perFrame: perFrame)
    saw.aim(share: share, perFrame: perFrame)
    square.aim(share: share, perFrame: perFrame)
    noiseLevel.aim(share: share, perFrame: perFrame)
  }

  /// Works out which waveforms are heard. After levels or targets have changed.
  @_noLocks
  mutating func survey() {
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
    let wave = knobs.wave
    sine.target[lane] = wave == Waveform.sine.choice ? knobs.level : 0
    triangle.target[lane] = wave == Waveform.triangle.choice ? knobs.level : 0
    saw.target[lane] = wave == Waveform.saw.choice ? knobs.level : 0
    square.target[lane] = wave == Waveform.square.choice ? knobs.level : 0
    noiseLevel.target[lane] = wave == Waveform.noise.choice ? knobs.level : 0
  }

  /// Empties one lane, so that no pass is spent on it.
  @_noLocks
  mutating func stop(_ lane: Int) {
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
      let either = magnitude(value) + magnitude(target)
      return either.sum() > 1e-5
    }
  }
}
