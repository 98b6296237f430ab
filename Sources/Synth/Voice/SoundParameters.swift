import CRealtime

/// What the knobs of a sound mean to all of its lanes, at one control tick.
struct SoundParameters {
  /// What moves the voices, and how deep; at the beginning, where `VoiceGroup` reads it in place.
  var routes = ModulationRoutes()
  /// Next to it, for the same reason.
  var oscillators = (OscillatorControl(), OscillatorControl())
  /// True while a level is on its way.
  var levelsMove = false
  /// True when an oscillator sounds in unison, or they act on one another.
  var interacts = false
  /// True when one sounds in unison: most of what such voices cost is by the update, so they have fewer.
  var hasUnison = false
  /// True when left and right differ.
  var isStereo = false
  /// True when there is a sub oscillator or noise, or something moves them.
  var hasSubOrNoise = false
  /// True when a pitch wanders.
  var drifts = false
  /// How much of the second oscillator begins anew with every period of the first, 0…1.
  var sync: Float = 0
  /// How far the second oscillator moves the phase of the first, radians.
  var index: Float = 0
  /// Levels.
  var ring: Float = 0
  var sub: Float = 0
  var noise: Float = 0
  /// A `SubWave`, by its raw value, and how far below the first oscillator it is.
  var subWave: Int32 = 0
  var subOctaves: Int32 = 1
  var noiseColor: Float = 0
  var noiseMix = NoiseMix(color: 0)
  /// What each oscillator multiplies the pitch by.
  var ratios = SIMD2<Float>(1, 1)
  /// How far the end of a pulse lies behind its beginning, as a phase.
  var pulses = SIMD2<Int32>.zero
  var filter = FilterControl()
  /// The same as parts of a period.
  var widths = SIMD2<Float>(0.5, 0.5)
  /// The level that a tremolo moves up from, 1 without one.
  var level: Float = 1
  /// The factor of all levels.
  var gain: Float = 0
  /// How much softer the softest key is, 0…1.
  var velocity: Float = 0
  /// Where the two macros stand.
  var macros = SIMD2<Float>.zero
  /// How many times a glide halves its way in a second.
  var glideRate: Float = 0
  /// The same of a glide that has gone 99 % of its way after so many seconds: log2(100) times in all.
  @_noLocks
  static func glideRate(seconds: Float) -> Float { 6.64385619 / max(seconds, 0.001) }
  var lfo = LFOControl()
  var lfo2 = LFOControl()
  /// True when a route moves the rate of an LFO that all voices share.
  var movesSharedRates = false
  /// The curves of the amplifier's envelope, of the filter's, and of the third.
  let envelope: UnsafeMutablePointer<EnvelopeCurves>
  var filterEnvelope: UnsafeMutablePointer<EnvelopeCurves> { @_noLocks get { envelope + 1 } }
  var envelope3: UnsafeMutablePointer<EnvelopeCurves> { @_noLocks get { envelope + 2 } }
  /// Raised when the curves have changed.
  var curves: UInt32 = 0

  /// Frames between two updates of its voices.
  var updateFrames: Int {
    @_noLocks @inline(__always) get {
      let isSlow = hasUnison && !movesSharedRates && !lfo.isFast && !lfo2.isFast
      return isSlow ? Limits.unisonFrames : Limits.controlFrames
    }
  }

  /// Silence, with three curves.
  @_noLocks init(_ curves: UnsafeMutablePointer<EnvelopeCurves>) { envelope = curves }

  /// Loudness of one voice at full level: eight together reach full scale before the limiter works.
  private static var voiceGain: Float { @_noLocks get { 0.2 } }

  /// What follows from knobs that move: `now` holds where they are, `patch` where they go, and `mixes` the shares of
  /// each oscillator's waveforms, which a change of waveform moves. They have gone `share` of the way that was left, and
  /// with 1 they are there.
  @_noLocks
  mutating func follow(
    _ now: UnsafeMutablePointer<Patch>, _ patch: UnsafeMutablePointer<Patch>,
    _ mixes: UnsafeMutablePointer<Lanes>, share: Float
  ) {
    oscillators.0.follow(now.oscillator(0).pointee, mixes[0])
    oscillators.1.follow(now.oscillator(1).pointee, mixes[1])
    mix(now, patch)
    ratios =
      SIMD2(ratio(now, patch, 0), ratio(now, patch, 1))
      * SIMD2(oscillators.0.middle, oscillators.1.middle)
    pulses = SIMD2(pulse(now, 0), pulse(now, 1))
    widths = SIMD2(now.oscillator(0).pointee.width, now.oscillator(1).pointee.width)
    filter.follow(patch, share: share)
    macros = SIMD2(now.pointee.macro1, now.pointee.macro2)
    level = 1 - 0.5 * now.pointee.lfo.level
    gain = Self.voiceGain / FilterLanes.gain * amplitude(decibels: now.pointee.amplifier.level)
    velocity = now.pointee.amplifier.velocity
    glideRate = Self.glideRate(seconds: patch.pointee.play.glide)
    lfo.follow(now.pointee.lfo.shape, patch.pointee.lfo.shape)
    lfo2.follow(now.pointee.lfo2, patch.pointee.lfo2)
    movesSharedRates = lfo.isShared && routes.moves(.lfoRate) || lfo2.isShared && routes.moves(.lfo2Rate)
  }

  /// What is beside the oscillators, and between them.
  @_noLocks
  private mutating func mix(_ now: UnsafeMutablePointer<Patch>, _ patch: UnsafeMutablePointer<Patch>) {
    sync = now.pointee.mixer.sync
    (index, ring) = (now.pointee.mixer.index, now.pointee.mixer.ring)
    let (one, two) = (oscillators.0, oscillators.1)
    interacts =
      one.voices > 1 || two.voices > 1 || sync > 0 || index > 0 || ring > 0 || one.feedback > 0
      || two.feedback > 0 || routes.moved & ModulationTarget.ofMixer != 0
    hasUnison = one.voices > 1 || two.voices > 1
    // Once they differ they do until the sound ends: the sides of the filter could not meet without a click.
    if one.isStereo(isMoved: routes.moves(.spread1)) || two.isStereo(isMoved: routes.moves(.spread2))
      || routes.moves(.pan)
    {
      isStereo = true
    }
    drifts = one.drift > 0 || two.drift > 0 || routes.moves(.drift1) || routes.moves(.drift2)
    (sub, noise) = (now.pointee.sub.level, now.pointee.noise.level)
    hasSubOrNoise = sub > 0 || noise > 0 || routes.moved & ModulationTarget.ofSubAndNoise != 0
    subWave = Int32(max(0, min(patch.pointee.sub.wave, 2)))
    subOctaves = patch.pointee.sub.octave < 1.5 ? 1 : 2
    noiseColor = max(-1, min(now.pointee.noise.color, 1))
    noiseMix = NoiseMix(color: noiseColor)
  }

  /// What follows from knobs that have no way to go; a tick takes so many `seconds`.
  @_noLocks
  mutating func shape(_ patch: UnsafeMutablePointer<Patch>, seconds: Float) {
    envelope.pointee = EnvelopeCurves(patch.pointee.amplifier.envelope, seconds: seconds)
    filterEnvelope.pointee = EnvelopeCurves(patch.pointee.filter.envelope, seconds: seconds)
    envelope3.pointee = EnvelopeCurves(patch.pointee.envelope3.envelope, seconds: seconds)
    curves &+= 1
  }

  /// The same for knobs that were others: only the curves of those that differ.
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
    // Octaves and semitones are steps: only the fine tuning slides.
    let knobs = patch.oscillator(oscillator).pointee
    return rt_exp2(knobs.octave + (knobs.semitone + now.oscillator(oscillator).pointee.fine / 100) / 12)
  }

  @_noLocks
  private func pulse(_ now: UnsafeMutablePointer<Patch>, _ oscillator: Int) -> Int32 {
    let width = max(0, min(now.oscillator(oscillator).pointee.width, 1))
    return Int32(truncatingIfNeeded: Int64(width * 4_294_967_296))
  }
}

extension UnsafePointer where Pointee == SoundParameters {
  /// What the knobs of an oscillator, 0 or 1, mean; in place, since a copy of it costs more than what is read of it. A test
  /// holds the fields to where it looks.
  @_noLocks @inline(__always)
  func oscillator(_ index: Int) -> UnsafePointer<OscillatorControl> {
    let place = UnsafeRawPointer(self) + MemoryLayout<ModulationRoutes>.stride
    return place.assumingMemoryBound(to: OscillatorControl.self) + index
  }
}
