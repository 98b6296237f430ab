import CRealtime
import Scenes

/// The values of a sound's knobs that all its lanes share, at one control tick.
struct SoundParameters {
  /// The modulation routes; first, because `VoiceGroup` reads them in place.
  var routes = ModulationRoutes()
  /// Second, for the same reason.
  var oscillators = (OscillatorControl(), OscillatorControl(), OscillatorControl())
  /// True while a level moves.
  var levelsMove = false
  /// True when an oscillator has unison or the oscillators interact.
  var interacts = false
  /// True when an oscillator has unison: most of the cost of such voices is per update, so they are updated less often.
  var hasUnison = false
  /// True when left and right differ.
  private(set) var isStereo = false
  /// True when a key of one of its voices is panned.
  private var pansKeys = false
  /// True when the sub oscillator or noise is on or modulated.
  var hasSubOrNoise = false
  /// True when an oscillator reads a wavetable.
  var hasTables = false
  /// The wavetables.
  let tables: UnsafeMutablePointer<SoundTables>
  /// True when the third oscillator is audible, or modulates the phase of the second.
  var hasThird = false
  /// True when the second oscillator modulates the cutoff at audio rate.
  var hasFM = false
  /// The number of oscillators that sound or may sound.
  var count: Int { @_noLocks @inline(__always) get { hasThird ? Limits.oscillators : LaneBlock.direct } }
  /// True when a pitch drifts.
  var drifts = false
  /// True when each oscillator has to be tuned separately.
  var tunesEach = false
  /// Amount of hard sync of the second oscillator to the first, 0…1.
  var sync: Float = 0
  /// Phase modulation of the first oscillator by the second, and of the second by the third, in radians.
  var index: Float = 0
  var index2: Float = 0
  /// Modulation of the cutoff by the second oscillator, in octaves.
  var fm: Float = 0
  /// Levels of ring modulation, sub oscillator and noise, 0…1.
  var ring: Float = 0
  var sub: Float = 0
  var noise: Float = 0
  /// Raw value of `SubWave`, and octaves below the first oscillator.
  var subWave: Int32 = 0
  var subOctaves: Int32 = 1
  var noiseColor: Float = 0
  var noiseMix = NoiseMix(color: 0)
  /// Factor of each oscillator's pitch, and the shift that is then added to its frequency, in hertz.
  var ratios = SIMD4<Float>(repeating: 1)
  var shifts = SIMD4<Float>.zero
  /// Phase from the beginning of a pulse to its end.
  var pulses = SIMD4<Int32>.zero
  var filter = FilterControl()
  /// Pulse widths as shares of a period.
  var widths = SIMD4<Float>(repeating: 0.5)
  /// The level to which the tremolo is added, 1 without tremolo.
  var level: Float = 1
  /// Gain of all levels.
  var gain: Float = 0
  /// Depth of velocity on the level, 0…2 (`hardness`).
  var velocity: Float = 0
  /// The dynamics of the part, -1…1: the factor, less 1, of the decibels by which velocity moves the level.
  var dynamics: Float = 0
  /// Positions of the macros.
  var macros = SIMD4<Float>.zero
  /// Number of times per second that a glide halves its remaining distance.
  var glideRate: Float = 0
  /// Halvings per second of a glide that is 99 % done after `seconds`.
  @_noLocks
  static func glideRate(seconds: Float) -> Float { GlideLanes.halvings / max(seconds, 0.001) }
  var lfo = LFOControl()
  var lfo2 = LFOControl()
  var lfo3 = LFOControl()
  /// True when a route modulates the rate of an LFO that all voices share.
  var movesSharedRates = false
  /// The curves of the amplifier envelope, the filter envelope and the third envelope.
  let envelope: UnsafeMutablePointer<EnvelopeCurves>
  var filterEnvelope: UnsafeMutablePointer<EnvelopeCurves> { @_noLocks get { envelope + 1 } }
  var envelope3: UnsafeMutablePointer<EnvelopeCurves> { @_noLocks get { envelope + 2 } }
  /// True when the falls of an envelope are two exponentials in turn.
  var hasBowedCurves: Bool {
    @_noLocks get { envelope.pointee.isBowed || filterEnvelope.pointee.isBowed || envelope3.pointee.isBowed }
  }
  /// Version of the curves, incremented when they change.
  var curves: UInt32 = 0

  /// Frames between two updates of the sound's voices.
  var updateFrames: Int {
    @_noLocks @inline(__always) get {
      let isSlow = hasUnison && !movesSharedRates && !lfo.isFast && !lfo2.isFast && !lfo3.isFast
      return isSlow ? Limits.unisonFrames : Limits.controlFrames
    }
  }

  /// Silence, with memory for three curves and for the wavetables.
  @_noLocks
  init(_ curves: UnsafeMutablePointer<EnvelopeCurves>, _ tables: UnsafeMutablePointer<SoundTables>) {
    (envelope, self.tables) = (curves, tables)
  }

  /// Whether an LFO plays steps.
  var playsSteps: Bool {
    @_noLocks get { lfo.wave.isSteps || lfo2.wave.isSteps || lfo3.wave.isSteps }
  }

  /// Gives the LFOs the steps of the sound's patch, which stay at their address.
  @_noLocks
  mutating func setSteps(_ steps: UnsafePointer<Float>) {
    (lfo.steps, lfo2.steps, lfo3.steps) = (steps, steps, steps)
  }

  /// Gain of one voice at full level: five voices in phase reach full scale.
  private static var voiceGain: Float { @_noLocks get { 0.2 } }

  /// Notes the pan of a key, -1…1: unless it is the middle, left and right differ.
  @_noLocks @inline(__always)
  mutating func notePan(_ pan: Float) {
    if pan != 0 { (pansKeys, isStereo) = (true, true) }
  }

  /// Lets left and right differ.
  @_noLocks @inline(__always)
  mutating func beginStereo() { isStereo = true }

  /// Makes left and right equal, because no voice sounds.
  @_noLocks
  mutating func beginMono() { (pansKeys, isStereo) = (false, false) }

  /// Updates the values of smoothed knobs: `now` holds their current values, `patch` their targets, and `mixes` the
  /// shares of each oscillator's waveforms, which a change of waveform cross-fades. The knobs have moved by `share` of
  /// the remaining distance; 1 means that they are settled.
  @_noLocks
  mutating func follow(
    _ now: UnsafeMutablePointer<Patch>, _ patch: UnsafeMutablePointer<Patch>,
    _ mixes: UnsafeMutablePointer<Lanes>, share: Float
  ) {
    oscillators.0.follow(now.oscillator(0).pointee, mixes[0])
    oscillators.1.follow(now.oscillator(1).pointee, mixes[1])
    oscillators.2.follow(now.oscillator(2).pointee, mixes[2])
    let wavetable = Waveform.wavetable.index
    hasTables = mixes[0][wavetable] + mixes[1][wavetable] + mixes[2][wavetable] > 0
    mix(now, patch)
    tune(now, patch)
    filter.follow(patch, share: share)
    macros = SIMD4(
      now.pointee.macro1, now.pointee.macro2, now.pointee.macro3, now.pointee.macro4)
    level = 1 - 0.5 * now.pointee.lfo.level
    gain = Self.voiceGain / FilterLanes.gain * amplitude(decibels: now.pointee.amplifier.level)
    velocity = depth(now.pointee.amplifier.velocity)
    glideRate = Self.glideRate(seconds: patch.pointee.play.glide)
    lfo.follow(now.pointee.lfo.shape, patch.pointee.lfo.shape)
    lfo2.follow(now.pointee.lfo2, patch.pointee.lfo2)
    lfo3.follow(now.pointee.lfo3, patch.pointee.lfo3)
    movesSharedRates =
      lfo.isShared && routes.moves(.lfoRate) || lfo2.isShared && routes.moves(.lfo2Rate)
      || lfo3.isShared && routes.moves(.lfo3Rate)
  }

  /// The depth of velocity with the dynamics of the part, which multiply the decibels between strokes of velocity 20 and
  /// 127.
  @_noLocks
  private func depth(_ depth: Float) -> Float {
    if dynamics == 0 || depth <= 0 { return depth }
    let (velocity, soft): (Float, Float) = (20 / 127, 20 * 20 / (127 * 127))
    let level = Self.hardness(depth, Lanes(repeating: velocity))[0]
    let wanted = rt_exp2(rt_log2(level) * (1 + dynamics))
    return wanted >= soft ? (1 - wanted) / (1 - soft) : min(2, 1 + (1 - wanted / soft) / (1 - soft))
  }

  /// Levels of strokes, from all alike at a depth of 0 over the square of the velocity at 1, 40 log10(velocity / 127)
  /// decibels, to twice those decibels at 2.
  @_noLocks @inline(__always)
  static func hardness(_ depth: Float, _ velocity: Lanes) -> Lanes {
    let (first, second, square) = (min(depth, 1), max(depth - 1, 0), velocity * velocity)
    let level = multiplyAdd(Lanes(repeating: first), square, Lanes(repeating: 1 - first))
    return level * multiplyAdd(Lanes(repeating: second), square, Lanes(repeating: 1 - second))
  }

  /// Updates the pitches and the pulses of the oscillators.
  @_noLocks
  private mutating func tune(_ now: UnsafeMutablePointer<Patch>, _ patch: UnsafeMutablePointer<Patch>) {
    let middles = SIMD4(oscillators.0.middle, oscillators.1.middle, oscillators.2.middle, 1)
    ratios = SIMD4(ratio(now, patch, 0), ratio(now, patch, 1), ratio(now, patch, 2), 1) * middles
    shifts = SIMD4(
      now.oscillator(0).pointee.shift, now.oscillator(1).pointee.shift, now.oscillator(2).pointee.shift, 0)
    tunesEach = drifts || hasThird || shifts != .zero
    pulses = SIMD4(pulse(now, 0), pulse(now, 1), pulse(now, 2), 0)
    widths = SIMD4(
      now.oscillator(0).pointee.width, now.oscillator(1).pointee.width, now.oscillator(2).pointee.width, 0.5)
  }

  /// Updates the interaction of the oscillators, the sub oscillator and the noise.
  @_noLocks
  private mutating func mix(_ now: UnsafeMutablePointer<Patch>, _ patch: UnsafeMutablePointer<Patch>) {
    sync = now.pointee.mixer.sync
    (index, ring) = (now.pointee.mixer.index, now.pointee.mixer.ring)
    (index2, fm) = (now.pointee.mixer.index2, now.pointee.filter.fm)
    let (one, two, three) = (oscillators.0, oscillators.1, oscillators.2)
    hasThird = three.level > 0 || index2 > 0 || routes.moved & ModulationTarget.ofThird != 0
    hasFM = fm > 0 || routes.moves(.filterFM)
    interacts =
      one.voices > 1 || two.voices > 1 || sync > 0 || index > 0 || ring > 0 || one.feedback > 0
      || two.feedback > 0 || hasThird || hasFM || routes.moved & ModulationTarget.ofMixer != 0
    hasUnison = one.voices > 1 || two.voices > 1 || hasThird && three.voices > 1
    // Stays set until the sound ends, because the filter states of both sides could not be merged without a click.
    if one.isStereo(isMoved: routes.moves(.spread1)) || two.isStereo(isMoved: routes.moves(.spread2))
      || routes.moves(.pan) || pansKeys || hasThird && three.isStereo(isMoved: routes.moves(.spread3))
    {
      isStereo = true
    }
    drifts = one.drift > 0 || two.drift > 0 || routes.moves(.drift1) || routes.moves(.drift2)
    if hasThird { drifts = drifts || three.drift > 0 || routes.moves(.drift3) }
    (sub, noise) = (now.pointee.sub.level, now.pointee.noise.level)
    hasSubOrNoise = sub > 0 || noise > 0 || routes.moved & ModulationTarget.ofSubAndNoise != 0
    subWave = Int32(max(0, min(patch.pointee.sub.wave, 2)))
    subOctaves = patch.pointee.sub.octave < 1.5 ? 1 : 2
    noiseColor = max(-1, min(now.pointee.noise.color, 1))
    noiseMix = NoiseMix(color: noiseColor)
  }

  /// Computes the values of knobs that are not smoothed; a tick lasts `seconds`.
  @_noLocks
  mutating func shape(_ patch: UnsafeMutablePointer<Patch>, seconds: Float) {
    envelope.pointee = EnvelopeCurves(patch.pointee.amplifier.envelope, seconds: seconds)
    filterEnvelope.pointee = EnvelopeCurves(patch.pointee.filter.envelope, seconds: seconds)
    envelope3.pointee = EnvelopeCurves(patch.pointee.envelope3.envelope, seconds: seconds)
    curves &+= 1
  }

  /// Recomputes the envelope curves whose knobs differ between two patches; a tick lasts `seconds`.
  @_noLocks
  mutating func shape(_ before: UnsafePointer<Patch>, _ patch: UnsafePointer<Patch>, seconds: Float) {
    var changed = false
    if before.pointee.amplifier.envelope.differs(patch.pointee.amplifier.envelope) {
      envelope.pointee = EnvelopeCurves(patch.pointee.amplifier.envelope, seconds: seconds)
      changed = true
    }
    if before.pointee.filter.envelope.differs(patch.pointee.filter.envelope) {
      filterEnvelope.pointee = EnvelopeCurves(patch.pointee.filter.envelope, seconds: seconds)
      changed = true
    }
    if before.pointee.envelope3.envelope.differs(patch.pointee.envelope3.envelope) {
      envelope3.pointee = EnvelopeCurves(patch.pointee.envelope3.envelope, seconds: seconds)
      changed = true
    }
    if changed { curves &+= 1 }
  }

  @_noLocks
  private func ratio(
    _ now: UnsafeMutablePointer<Patch>, _ patch: UnsafeMutablePointer<Patch>, _ oscillator: Int
  ) -> Float {
    // Octaves and semitones change in steps; only the fine tuning is smoothed.
    let knobs = patch.oscillator(oscillator).pointee
    let factor = now.oscillator(oscillator).pointee.ratio
    let ratio = rt_exp2(
      knobs.octave + (knobs.semitone + now.oscillator(oscillator).pointee.fine / 100) / 12)
    return factor > 0 ? ratio * factor : ratio
  }

  @_noLocks
  private func pulse(_ now: UnsafeMutablePointer<Patch>, _ oscillator: Int) -> Int32 {
    let width = max(0, min(now.oscillator(oscillator).pointee.width, 1))
    return Int32(truncatingIfNeeded: Int64(width * 4_294_967_296))
  }
}

extension UnsafePointer where Pointee == SoundParameters {
  /// The parameters of oscillator 0, 1 or 2, in place, because a copy costs more than the few values that are read. A test
  /// verifies the memory layout.
  @_noLocks @inline(__always)
  func oscillator(_ index: Int) -> UnsafePointer<OscillatorControl> {
    let pointer = UnsafeRawPointer(self) + MemoryLayout<ModulationRoutes>.stride
    return pointer.assumingMemoryBound(to: OscillatorControl.self) + index
  }
}

extension UnsafePointer where Pointee == SoundParameters {
  /// The routes of the matrix, in place: the parameters begin with them.
  var routes: UnsafePointer<ModulationRoutes> {
    @_noLocks @inline(__always) get { UnsafeRawPointer(self).assumingMemoryBound(to: ModulationRoutes.self) }
  }
}
