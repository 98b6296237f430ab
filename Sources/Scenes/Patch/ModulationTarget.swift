/// A set of modulation targets, one bit each: bit 0 is `ModulationTarget.off`. At most 128 targets fit.
public typealias ModulationTargets = UInt128

/// The modulation targets, in the order of the choice `/mod/1/target`. The routes to each target are summed, in the
/// unit of `range`, and the voice reads the sum where it needs it: `sums[ModulationTarget.pitch.index]`.
///
/// A new target is a case and, if its range is not 1, a line in `range`. Code that reads a sum asks `moves` first, so
/// that an unused target costs nothing.
public enum ModulationTarget: String, CaseIterable, Sendable {
  case off
  // These have a sum in every sound, which starts from the unmodulated value.
  case pitch, cutoff
  case level = "amp-level"
  // The sums of these hold only the routes, and exist only where there is one.
  case pitch1 = "osc-1-pitch"
  case pitch2 = "osc-2-pitch"
  case width1 = "osc-1-width"
  case width2 = "osc-2-width"
  case resonance
  case mode = "filter-mode"
  case drive, highpass
  case level1 = "osc-1-level"
  case level2 = "osc-2-level"
  case feedback1 = "osc-1-feedback"
  case feedback2 = "osc-2-feedback"
  case detune1 = "osc-1-detune"
  case detune2 = "osc-2-detune"
  case spread1 = "osc-1-spread"
  case spread2 = "osc-2-spread"
  case blend1 = "osc-1-blend"
  case blend2 = "osc-2-blend"
  case drift1 = "osc-1-drift"
  case drift2 = "osc-2-drift"
  case pm, ring
  case subLevel = "sub-level"
  case noiseLevel = "noise-level"
  case noiseColor = "noise-color"
  // Depth of the filter's envelope and of key tracking on the cutoff.
  case filterAmount = "filter-amount"
  case filterTrack = "filter-track"
  /// The stereo position of the voice.
  case pan
  // These modulate sources: they are summed first, from the sources' values at the last tick. A rate that all voices
  // share is moved by the mean of their sums, unless it follows the tempo.
  case lfoRate = "lfo-1-rate"
  case lfo2Rate = "lfo-2-rate"
  case lfoDepth = "lfo-1-depth"
  case lfo2Depth = "lfo-2-depth"
  case ampSpeed = "amp-speed"
  case filterSpeed = "filter-speed"
  case speed3 = "envelope-3-speed"
  case ampSustain = "amp-sustain"
  case filterSustain = "filter-sustain"
  case sustain3 = "envelope-3-sustain"
  case glideSpeed = "glide-speed"
  // The mix of each effect (`mix(of:)`). They belong to the sound and not to a voice (`EffectMixModulation`).
  case driveMix = "drive-mix"
  case equalizerMix = "eq-mix"
  case chorusMix = "chorus-mix"
  case delayMix = "delay-mix"
  case reverbMix = "reverb-mix"
  case phaserMix = "phaser-mix"
  case compressorMix = "compressor-mix"
  case rotaryMix = "rotary-mix"
  case flangerMix = "flanger-mix"
  // These modulate sources as well.
  case lfo3Rate = "lfo-3-rate"
  case lfo3Depth = "lfo-3-depth"
  // The third oscillator, the phase modulation of the second by it, and the cutoff's modulation by the second.
  case pitch3 = "osc-3-pitch"
  case width3 = "osc-3-width"
  case level3 = "osc-3-level"
  case feedback3 = "osc-3-feedback"
  case detune3 = "osc-3-detune"
  case spread3 = "osc-3-spread"
  case blend3 = "osc-3-blend"
  case drift3 = "osc-3-drift"
  case pm2 = "osc-2-pm"
  case filterFM = "filter-fm"
  /// Marks the end of the list; not a target.
  case end

  /// The value that an amount of 100 % adds when the source is at 1.
  public var range: Float {
    @_noLocks @inlinable get {
      switch self {
      // Octaves.
      case .pitch, .pitch1, .pitch2, .pitch3: 1
      case .cutoff: 10
      case .lfoRate, .lfo2Rate, .lfo3Rate, .ampSpeed, .filterSpeed, .speed3, .glideSpeed: 5
      case .filterAmount: 8
      case .mode, .filterFM: 4
      // Decibels, and octaves.
      case .drive: 24
      case .highpass: 8.6438562
      case .detune1, .detune2, .detune3: 7.6438562
      // Radians.
      case .feedback1, .feedback2, .feedback3: OscillatorKnobs.mostFeedback
      case .pm, .pm2: MixerKnobs.mostIndex
      // A share of the frequency.
      case .drift1, .drift2, .drift3: OscillatorKnobs.mostDriftShare
      // The whole range of a knob.
      default: 1
      }
    }
  }

  /// The targets that modulate sources, one bit each.
  public static var ofSources: ModulationTargets {
    @_noLocks @inlinable @inline(__always) get {
      let rates = ModulationTarget.lfoRate.bit | lfo2Rate.bit | lfo3Rate.bit
      let depths = ModulationTarget.lfoDepth.bit | lfo2Depth.bit | lfo3Depth.bit
      return rates | depths | ModulationTarget.ampSpeed.bit | filterSpeed.bit | speed3.bit
        | glideSpeed.bit | ofSustains
    }
  }

  /// The sustain levels of the envelopes, one bit each.
  public static var ofSustains: ModulationTargets {
    @_noLocks @inlinable @inline(__always) get {
      ModulationTarget.ampSustain.bit | ModulationTarget.filterSustain.bit | ModulationTarget.sustain3.bit
    }
  }

  /// The targets of the filter except the cutoff.
  public static var ofFilter: ModulationTargets {
    @_noLocks @inlinable @inline(__always) get {
      ModulationTarget.resonance.bit | ModulationTarget.mode.bit | ModulationTarget.drive.bit
        | ModulationTarget.highpass.bit
    }
  }

  /// The targets for which the oscillators are rendered separately.
  public static var ofMixer: ModulationTargets {
    @_noLocks @inlinable @inline(__always) get {
      ModulationTarget.feedback1.bit | ModulationTarget.feedback2.bit | ModulationTarget.pm.bit
        | ModulationTarget.ring.bit | ModulationTarget.filterFM.bit | ofThird
    }
  }

  /// The targets that can give voices a DC offset.
  public static var ofDC: ModulationTargets {
    @_noLocks @inlinable @inline(__always) get {
      ofMixer & ~ModulationTarget.level3.bit | ModulationTarget.drive.bit | ModulationTarget.feedback3.bit
    }
  }

  /// The targets that make the third oscillator sound.
  public static var ofThird: ModulationTargets {
    @_noLocks @inlinable @inline(__always) get { ModulationTarget.level3.bit | ModulationTarget.pm2.bit }
  }

  /// The targets that each of the first two oscillators has separately.
  public static var ofOscillators: ModulationTargets {
    @_noLocks @inlinable @inline(__always) get {
      let pitches = ModulationTarget.pitch1.bit | pitch2.bit | detune1.bit | detune2.bit
      return pitches | ModulationTarget.width1.bit | width2.bit | level1.bit | level2.bit
    }
  }

  /// The targets of the sub oscillator and the noise.
  public static var ofSubAndNoise: ModulationTargets {
    @_noLocks @inlinable @inline(__always) get {
      ModulationTarget.subLevel.bit | ModulationTarget.noiseLevel.bit | ModulationTarget.noiseColor.bit
    }
  }

  /// The targets that are depths of the cutoff's modulation.
  public static var ofCutoff: ModulationTargets {
    @_noLocks @inlinable @inline(__always) get {
      ModulationTarget.filterAmount.bit | ModulationTarget.filterTrack.bit
    }
  }

  /// The targets whose sums hold only the routes, and which the voice reads.
  public static var ofVoice: ModulationTargets {
    @_noLocks @inlinable @inline(__always) get {
      let begun = ModulationTarget.pitch.bit | ModulationTarget.cutoff.bit | ModulationTarget.level.bit
      return ~(ofSources | ofEffects | begun)
    }
  }

  /// The names of the choices.
  public static var names: [String] { allCases.dropLast().map(\.rawValue) }

  /// The set of this target alone.
  @inline(__always)
  public var bit: ModulationTargets {
    @_noLocks @inlinable get { 1 &<< ModulationTargets(truncatingIfNeeded: index) }
  }

  /// The number of targets.
  public static var count: Int { @_noLocks @inlinable get { ModulationTarget.end.index } }
}

// The modulation targets of one oscillator, by its index: 0, 1 or 2.

extension ModulationTarget {
  /// The pitch of an oscillator.
  @_noLocks @inlinable @inline(__always)
  public static func pitch(of oscillator: Int) -> ModulationTarget {
    one(of: oscillator, .pitch1, .pitch2, .pitch3)
  }

  /// The pulse width of an oscillator.
  @_noLocks @inlinable @inline(__always)
  public static func width(of oscillator: Int) -> ModulationTarget {
    one(of: oscillator, .width1, .width2, .width3)
  }

  /// The level of an oscillator.
  @_noLocks @inlinable @inline(__always)
  public static func level(of oscillator: Int) -> ModulationTarget {
    one(of: oscillator, .level1, .level2, .level3)
  }

  /// The feedback of an oscillator.
  @_noLocks @inlinable @inline(__always)
  public static func feedback(of oscillator: Int) -> ModulationTarget {
    one(of: oscillator, .feedback1, .feedback2, .feedback3)
  }

  /// The detune of an oscillator.
  @_noLocks @inlinable @inline(__always)
  public static func detune(of oscillator: Int) -> ModulationTarget {
    one(of: oscillator, .detune1, .detune2, .detune3)
  }

  /// The stereo spread of an oscillator.
  @_noLocks @inlinable @inline(__always)
  public static func spread(of oscillator: Int) -> ModulationTarget {
    one(of: oscillator, .spread1, .spread2, .spread3)
  }

  /// The blend of an oscillator.
  @_noLocks @inlinable @inline(__always)
  public static func blend(of oscillator: Int) -> ModulationTarget {
    one(of: oscillator, .blend1, .blend2, .blend3)
  }

  /// The drift of an oscillator.
  @_noLocks @inlinable @inline(__always)
  public static func drift(of oscillator: Int) -> ModulationTarget {
    one(of: oscillator, .drift1, .drift2, .drift3)
  }

  /// The targets that set the position and loudness of an oscillator's unison voices.
  @_noLocks @inlinable @inline(__always)
  public static func ofSides(_ oscillator: Int) -> ModulationTargets {
    spread(of: oscillator).bit | blend(of: oscillator).bit
  }

  @_noLocks @inlinable @inline(__always)
  static func one(
    of oscillator: Int, _ first: ModulationTarget, _ second: ModulationTarget, _ third: ModulationTarget
  ) -> ModulationTarget { oscillator == 0 ? first : oscillator == 1 ? second : third }
}
