import Scenes

/// Settings of an LFO that are equal in all lanes of a sound.
struct LFOControl {
  var wave = LFOWave.sine
  /// The sixteen steps of the sound's patch, for an LFO that plays them.
  var steps: UnsafePointer<Float>?
  /// Rate in hertz.
  var rate: Float = 0
  /// Length of a period in beats; 0 when the LFO does not follow the tempo.
  var beats: Float = 0
  var isShared = false
  var isFree = false
  /// True when each voice's LFO ends after a period.
  var isOnce = false
  /// Start phase of a voice's LFO, -1…1.
  var start: Float = 0
  /// The end at which an LFO of one period stays: the phase just before the end, and the number of wraps up to there.
  var last = (phase: Float(0), rounds: UInt32(0))
  /// Seconds before the fade.
  var delay: Float = 0
  /// Depth gained in a second of the fade.
  var perFade: Float = 0
  var fades = false
  /// For a shared LFO: its phase at the end of the tick, -1…1, and the number of times that the phase has wrapped.
  var phase: Float = 0
  var rounds: UInt32 = 0

  /// Seed of a shared LFO's random numbers.
  static var seed: UInt32 { @_noLocks get { 0x5851_f42d } }
  /// The distance from the end at which an LFO of one period stays, so that a jump at the end is not part of it.
  private static var nearEnd: Float { @_noLocks get { 1e-6 } }
  /// Seconds of the shortest fade: about a tick.
  private static var shortest: Float { @_noLocks get { 0.0003 } }

  /// True when it changes as fast as a sine of 20 Hz, or of a sixteenth triplet or shorter. Such an LFO must not be
  /// interpolated in a straight line between updates of unison voices: that would add side products of -75 dB to a
  /// tremolo.
  var isFast: Bool {
    @_noLocks @inline(__always) get { beats > 0 ? beats < 0.2 * wave.speed : rate * wave.speed > 20 }
  }

  /// A sine with a rate of 0.
  @_noLocks init() {}

  /// The value of a shared LFO at the end of the tick, before the fade of a voice.
  var shared: Float {
    @_noLocks get {
      let s = Lanes(repeating: phase)
      let periods = LaneWords(repeating: rounds) &+ ((bits(s) &>> 31) ^ 1)
      return wave.value(s, periods: periods, seed: LaneWords(repeating: Self.seed), steps: steps)[0]
    }
  }

  /// Follows knobs that move: `now` holds their current values, `knobs` their goals.
  @_noLocks
  mutating func follow(_ now: LFOShapeKnobs, _ knobs: LFOShapeKnobs) {
    wave = LFOWave.at(knobs.wave)
    rate = now.rate
    beats = NoteLength.beats(knobs.sync)
    let mode = LFOMode.at(knobs.mode)
    isShared = mode.isShared
    isFree = mode.isFree
    isOnce = mode.isOnce
    start = 2 * (now.phase < 0.5 ? now.phase : now.phase - 1)
    if isOnce { endAfterPeriod() }
    delay = now.delay
    perFade = 1 / max(now.fade, Self.shortest)
    fades = knobs.delay > 0 || knobs.fade > 0 || now.delay > 0 || now.fade > 0
  }

  /// Sets the end of an LFO that runs for one period: a phase below 0 has wrapped once at the start.
  @_noLocks
  private mutating func endAfterPeriod() {
    let phase = start - Self.nearEnd
    last = phase < -1 ? (phase + 2, 1) : (phase, start < 0 ? 2 : 1)
  }

  /// Sets the rate of an LFO that follows the tempo.
  @_noLocks @inline(__always)
  mutating func follow(_ line: BeatLine) {
    if beats > 0 { rate = line.perSecond / beats }
  }

  /// Sets the phase of a shared LFO from the periods that have passed since the first frame.
  @_noLocks
  mutating func go(to periods: Double) {
    // Never below 0, so that truncation rounds down.
    let position = max(0, min(periods + Double(start < 0 ? start + 2 : start) / 2, 1e15))
    let whole = Int64(position)
    let part = Float(position - Double(whole))
    phase = part < 0.5 ? 2 * part : 2 * part - 2
    // The phase wraps in the middle of a period.
    rounds = UInt32(truncatingIfNeeded: part < 0.5 ? whole : whole &+ 1)
  }
}

/// Counts the periods of an LFO that all voices of a sound share. While its rate is constant, the count is computed
/// from the frame.
struct LFOClock {
  private var rate: Float = 0
  private var frame: Int64 = 0
  private var periods: Double = 0

  /// A clock before its first period.
  @_noLocks init() {}

  /// The periods at a frame; from that frame on the rate is `rate` Hz.
  @_noLocks
  mutating func periods(at frame: Int64, rate: Float, sampleRate: Double) -> Double {
    let now = periods + Double(frame &- self.frame) / sampleRate * Double(self.rate)
    if rate != self.rate {
      if self.rate == 0 {
        // As if it had run since the first frame.
        (periods, self.frame, self.rate) = (0, 0, rate)
        return Double(frame) / sampleRate * Double(rate)
      }
      (periods, self.frame, self.rate) = (now, frame, rate)
    }
    return now
  }
}
