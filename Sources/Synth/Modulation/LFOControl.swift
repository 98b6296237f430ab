/// What the knobs of an LFO mean to all lanes of a sound.
struct LFOControl {
  var wave = LFOWave.sine
  /// Hertz.
  var rate: Float = 0
  /// Beats that a period takes; 0 when it does not go by the tempo.
  var beats: Float = 0
  var isShared = false
  var isFree = false
  /// Where a voice's begins, -1…1.
  var start: Float = 0
  /// Seconds.
  var delay: Float = 0
  /// What is gained in a second of the fade.
  var perFade: Float = 0
  var fades = false
  /// Of one that all voices share: its phase at the end of the tick, -1…1, and how often that has come round.
  var phase: Float = 0
  var rounds: UInt32 = 0

  /// What the random numbers of a shared one come from.
  static var seed: UInt32 { @_noLocks get { 0x5851_f42d } }
  /// Seconds of the shortest fade: about a tick.
  private static var shortest: Float { @_noLocks get { 0.0003 } }

  /// True when it goes faster than 20 Hz, or its period is a triplet of sixteenths or shorter: between updates of a
  /// unison's voices, on a straight line, it would add side products of -75 dB to a tremolo.
  var isFast: Bool {
    @_noLocks @inline(__always) get { beats > 0 ? beats < 0.2 : rate > 20 }
  }

  /// A sine that stands still.
  @_noLocks init() {}

  /// The value of one that is shared, at the end of the tick, as no voice fades it.
  var shared: Float {
    @_noLocks get {
      let s = Lanes(repeating: phase)
      let periods = LaneWords(repeating: rounds) &+ ((bits(s) &>> 31) ^ 1)
      return wave.value(s, periods: periods, seed: LaneWords(repeating: Self.seed))[0]
    }
  }

  /// Follows knobs that move: `now` holds where they are, `knobs` where they go.
  @_noLocks
  mutating func follow(_ now: LFOShapeKnobs, _ knobs: LFOShapeKnobs) {
    wave = LFOWave.at(knobs.wave)
    rate = now.rate
    beats = NoteLength.beats(knobs.sync)
    let mode = LFOMode.at(knobs.mode)
    isShared = mode.isShared
    isFree = mode.isFree
    start = 2 * (now.phase < 0.5 ? now.phase : now.phase - 1)
    delay = now.delay
    perFade = 1 / max(now.fade, Self.shortest)
    fades = knobs.delay > 0 || knobs.fade > 0 || now.delay > 0 || now.fade > 0
  }

  /// Sets the rate of one that goes by the tempo.
  @_noLocks @inline(__always)
  mutating func follow(_ tempo: TempoClock) {
    if beats > 0 { rate = tempo.perSecond / beats }
  }

  /// Sets the phase of one that is shared, from the periods that have passed since the first frame.
  @_noLocks
  mutating func go(to periods: Double) {
    // Nothing below 0 comes here: a cut is the next whole number below.
    let place = max(0, min(periods + Double(start < 0 ? start + 2 : start) / 2, 1e15))
    let whole = Int64(place)
    let part = Float(place - Double(whole))
    phase = part < 0.5 ? 2 * part : 2 * part - 2
    // A round begins in the middle of a period.
    rounds = UInt32(truncatingIfNeeded: part < 0.5 ? whole : whole &+ 1)
  }
}
