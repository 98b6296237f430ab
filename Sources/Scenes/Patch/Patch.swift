// A patch is the sound of one part, the content of a preset. Units and ranges are in the parameter table.

/// The sub oscillator.
public struct SubKnobs: Sendable {
  /// A `SubWave`, by its raw value.
  public var wave: Float = 0
  /// Octaves below the first oscillator, 1 or 2.
  public var octave: Float = 0
  /// Amplitude, 0…1.
  public var level: Float = 0
}

/// The noise of a voice.
public struct NoiseKnobs: Sendable {
  /// Colour: -1 brown, -0.5 pink, 0 white, 1 violet.
  public var color: Float = 0
  /// Amplitude, 0…1.
  public var level: Float = 0
}

/// An envelope: delay, attack, hold, decay, sustain, release.
public struct EnvelopeKnobs: Sendable {
  /// Seconds before the attack.
  public var delay: Float = 0
  /// Seconds from 0 to 1.
  public var attack: Float = 0
  /// Seconds at 1 before the decay.
  public var hold: Float = 0
  /// Seconds to fall by 60 dB towards the sustain level.
  public var decay: Float = 0
  /// Level while the key is held, 0…1.
  public var sustain: Float = 0
  /// Seconds to fall by 60 dB after the key is released.
  public var release: Float = 0
  /// Curvature: 0 as an analog envelope, -0.5 straight lines, -1 bent in the other direction; above 0 sharper.
  public var curve: Float = 0
  /// 1 when attack and decay repeat while the key is held.
  public var loop: Float = 0
  /// Octaves by which the hardest stroke speeds the envelope up.
  public var speed: Float = 0
  /// 1 when the envelope restarts with each note that continues a voice.
  public var retrigger: Float = 0
}

/// The filter of a voice.
public struct FilterKnobs: Sendable {
  /// Cutoff frequency in hertz.
  public var cutoff: Float = 0
  /// Resonance, 0…1, from flat to self-oscillation.
  public var resonance: Float = 0
  /// Response: 0 low-pass, 1 band-pass, 2 high-pass, 3 notch, 4 peak; values between them cross-fade.
  public var mode: Float = 0
  /// Slope: 0 for 24 dB an octave, 1 for 12.
  public var slope: Float = 0
  /// A `FilterCharacter`, by its raw value.
  public var character: Float = 0
  /// Drive before the filter in decibels, 0…24.
  public var drive: Float = 0
  /// High-pass cutoff in hertz; the lowest value turns it off.
  public var highpass: Float = 0
  /// Key tracking of the cutoff, 0…1; 1 is octave for octave from middle C.
  public var track: Float = 0
  /// Octaves by which the envelope moves the cutoff; below 0 it closes the filter.
  public var amount: Float = 0
  /// Octaves by which the second oscillator moves the cutoff at audio rate, up and down, 0…`mostFM`.
  public var fm: Float = 0
  /// Octaves of cutoff between the softest and the hardest stroke.
  public var velocity: Float = 0
  /// The envelope of the filter.
  public var envelope = EnvelopeKnobs()

  /// The largest `fm`, in octaves.
  public static var mostFM: Float { @_noLocks @inlinable get { 4 } }
  /// The high-pass is off at this frequency and below, in hertz.
  public static var highpassOff: Float { @_noLocks @inlinable get { 20 } }
}

/// The amplifier of a voice.
public struct AmplifierKnobs: Sendable {
  /// Level of the sound, decibels.
  public var level: Float = 0
  /// Effect of the velocity on the level, 0…1.
  public var velocity: Float = 0
  /// The amplifier's envelope.
  public var envelope = EnvelopeKnobs()
}

/// The third envelope, for the pitch and the matrix.
public struct FreeEnvelopeKnobs: Sendable {
  /// Depth on the pitch, in semitones.
  public var pitch: Float = 0
  /// The envelope.
  public var envelope = EnvelopeKnobs()
}

/// Waveform and timing of a low-frequency oscillator.
public struct LFOShapeKnobs: Sendable {
  /// An `LFOWave`, by its index.
  public var wave: Float = 0
  /// Rate in hertz.
  public var rate: Float = 0
  /// A `NoteLength`, the length of a period; 0 uses `rate`.
  public var sync: Float = 0
  /// An `LFOMode`, by its index.
  public var mode: Float = 0
  /// Start phase, 0…1 of a period.
  public var phase: Float = 0
  /// Seconds from the start of the note to the fade-in.
  public var delay: Float = 0
  /// Seconds of the fade-in, after the delay.
  public var fade: Float = 0
}

/// The first low-frequency oscillator of a voice, and its depths.
public struct LFOKnobs: Sendable {
  /// Waveform and timing.
  public var shape = LFOShapeKnobs()
  /// Depth on the pitch, cents.
  public var pitch: Float = 0
  /// Depth on the cutoff, octaves.
  public var cutoff: Float = 0
  /// Depth on the level, 0…1.
  public var level: Float = 0
  /// Vibrato added by the full modulation wheel, cents.
  public var wheel: Float = 0
}

/// A slot of the modulation matrix: it adds a source, times its amount, times a second source, to a target.
public struct SlotKnobs: Sendable {
  /// A `ModulationSource`, by its index.
  public var source: Float = 0
  /// A `ModulationTarget`, by its index.
  public var target: Float = 0
  /// Amount, -1…1 of the range of the target.
  public var amount: Float = 0
  /// The second source, a `ModulationSource` by its index; `off` is a factor of 1.
  public var scale: Float = 0
}

/// How a part responds to the player. The choices are in `PlayChoices.swift`, each by its raw value.
public struct PlayKnobs: Sendable {
  /// Bend range of the pitch wheel, in semitones.
  public var bend: Float = 0
  /// A `PlayMode`.
  public var mode: Float = 0
  /// A `NotePriority`.
  public var priority: Float = 0
  /// Seconds until an exponential glide has covered 99 % of its interval, or a linear one all of it; 0 means no glide.
  public var glide: Float = 0
  /// A `GlideMode`.
  public var glideMode: Float = 0
  /// A `GlideWhen`.
  public var glideWhen: Float = 0
  /// Velocity curve: -1 soft strokes sound softer, 0 linear, 1 soft strokes sound harder.
  public var curve: Float = 0
  /// A `Restrike`.
  public var restrike: Float = 0
  /// Differences between the voices in tune, cutoff and envelope times, 0…1 of the spread of `VoiceCard`.
  public var vintage: Float = 0
}

/// The sound of one part, the content of a preset: plain data, only `Float`s.
public struct Patch: Sendable {
  /// The first oscillator.
  public var oscillator1 = OscillatorKnobs()
  /// The second oscillator.
  public var oscillator2 = OscillatorKnobs()
  /// The third oscillator.
  public var oscillator3 = OscillatorKnobs()
  /// The first slot of the matrix.
  public var slot1 = SlotKnobs()
  public var slot2 = SlotKnobs()
  public var slot3 = SlotKnobs()
  public var slot4 = SlotKnobs()
  public var slot5 = SlotKnobs()
  public var slot6 = SlotKnobs()
  public var slot7 = SlotKnobs()
  public var slot8 = SlotKnobs()
  public var slot9 = SlotKnobs()
  public var slot10 = SlotKnobs()
  public var slot11 = SlotKnobs()
  public var slot12 = SlotKnobs()
  public var slot13 = SlotKnobs()
  public var slot14 = SlotKnobs()
  public var slot15 = SlotKnobs()
  /// The last of `Limits.slots`.
  public var slot16 = SlotKnobs()
  /// The macros, sources of the matrix for the player's hands, 0…1; as many as `Limits.macros`.
  public var macro1: Float = 0
  public var macro2: Float = 0
  public var macro3: Float = 0
  public var macro4: Float = 0
  /// Cross-modulation of the oscillators.
  public var mixer = MixerKnobs()
  /// The sub oscillator.
  public var sub = SubKnobs()
  /// The noise.
  public var noise = NoiseKnobs()
  /// The filter.
  public var filter = FilterKnobs()
  /// The amplifier.
  public var amplifier = AmplifierKnobs()
  /// The third envelope.
  public var envelope3 = FreeEnvelopeKnobs()
  /// The first LFO.
  public var lfo = LFOKnobs()
  /// The second LFO, which only the matrix reads.
  public var lfo2 = LFOShapeKnobs()
  /// The third LFO, which only the matrix reads.
  public var lfo3 = LFOShapeKnobs()
  /// The steps of LFOs whose wave is `LFOWave.steps`, each -1…1.
  public var lfoSteps = SixteenSteps()
  /// How the part responds to the player.
  public var play = PlayKnobs()
  /// The effects.
  public var effects = EffectKnobs()
  /// The arpeggiator. It and the fields after it change which notes are played, not how they sound.
  public var arp = ArpKnobs()
  /// The chord memory.
  public var chord = ChordKnobs()
  /// The sequence.
  public var sequence = StepSequence()

  /// All knobs at zero; `Patch.initial` of the parameter table is the sound to start from.
  public init() {}
}

extension UnsafeMutablePointer where Pointee == Patch {
  /// The knobs of oscillator 0, 1 or 2, in place. They are the first fields, one after the other, which a test checks.
  @_noLocks @inlinable @inline(__always)
  public func oscillator(_ index: Int) -> UnsafeMutablePointer<OscillatorKnobs> {
    UnsafeMutableRawPointer(self).assumingMemoryBound(to: OscillatorKnobs.self) + index
  }

  /// The slots of the matrix, in place, which follow the oscillators.
  @inline(__always)
  public var slots: UnsafeMutablePointer<SlotKnobs> {
    @_noLocks @inlinable get {
      UnsafeMutableRawPointer(oscillator(Limits.oscillators)).assumingMemoryBound(to: SlotKnobs.self)
    }
  }

  /// The effect mixes that slots of the matrix may move, one bit each as in `ModulationTarget`.
  public var movedMixes: ModulationTargets {
    @_noLocks @inlinable get {
      var mixes: ModulationTargets = 0
      for slot in 0..<Limits.slots {
        let knobs = slots + slot
        if knobs.pointee.source > 0 { mixes |= ModulationTarget.at(knobs.pointee.target).bit }
      }
      return mixes & ModulationTarget.ofEffects
    }
  }

  /// Whether all knobs of the sound are equal to those of another patch.
  @_noLocks @inlinable
  public func sounds(as other: UnsafePointer<Patch>) -> Bool {
    let others = UnsafeRawPointer(other).assumingMemoryBound(to: Float.self)
    var difference: UInt32 = 0
    for knob in 0..<Patch.count {
      difference |= numbers[knob].bitPattern ^ others[knob].bitPattern
    }
    return difference == 0
  }

  /// The effects, in place.
  public var effects: UnsafeMutablePointer<EffectKnobs> {
    @_noLocks @inlinable get {
      let end = numbers + Patch.count
      return UnsafeMutableRawPointer(end - MemoryLayout<EffectKnobs>.size / MemoryLayout<Float>.size)
        .assumingMemoryBound(to: EffectKnobs.self)
    }
  }

  /// The knobs of the sound, four at a time; the last vector may reach beyond them.
  public var vectors: UnsafeMutablePointer<SIMD4<Float>> {
    @_noLocks @inlinable get { UnsafeMutableRawPointer(self).assumingMemoryBound(to: SIMD4<Float>.self) }
  }

  /// The knobs of the sound, as consecutive numbers.
  public var numbers: UnsafeMutablePointer<Float> {
    @_noLocks @inlinable get { UnsafeMutableRawPointer(self).assumingMemoryBound(to: Float.self) }
  }
}

extension UnsafePointer where Pointee == Patch {
  /// The arpeggiator, in place. It follows the knobs of the sound.
  public var arp: UnsafePointer<ArpKnobs> {
    @_noLocks @inlinable get {
      UnsafeRawPointer(self).advanced(by: Patch.count &* MemoryLayout<Float>.size)
        .assumingMemoryBound(to: ArpKnobs.self)
    }
  }

  /// The chord memory, in place.
  public var chord: UnsafePointer<ChordKnobs> {
    @_noLocks @inlinable get { UnsafeRawPointer(arp + 1).assumingMemoryBound(to: ChordKnobs.self) }
  }

  /// The sequence, in place.
  public var sequence: UnsafePointer<StepSequence> {
    @_noLocks @inlinable get { UnsafeRawPointer(chord + 1).assumingMemoryBound(to: StepSequence.self) }
  }
}

extension Patch {
  /// The number of the sound's knobs, which are smoothed: all but those that decide which notes are played.
  public static var count: Int {
    @_noLocks get { (MemoryLayout<Patch>.size &- notesSize) / MemoryLayout<Float>.size }
  }

  /// The size in bytes of the knobs that decide which notes are played.
  private static var notesSize: Int {
    @_noLocks get {
      MemoryLayout<ArpKnobs>.size &+ MemoryLayout<ChordKnobs>.size &+ MemoryLayout<StepSequence>.size
    }
  }
}
