// A patch is the sound of one part: what a preset holds. Units and ranges stand in the parameter table.

/// One oscillator of a voice.
public struct OscillatorKnobs: Sendable {
  /// A `Waveform`, by its raw value.
  public var wave: Float = 0
  /// Octaves.
  public var octave: Float = 0
  /// Semitones.
  public var semitone: Float = 0
  /// Cents.
  public var fine: Float = 0
  /// The part of a period for which a square is high, 0…1.
  public var width: Float = 0
  /// Amplitude, 0…1.
  public var level: Float = 0
  /// How much of its period the place where a note begins may lie in: 0 always the same, 1 anywhere.
  public var random: Float = 0
  /// Cents that its pitch wanders by.
  public var drift: Float = 0
  /// How far it moves its own phase, 0…1.
  public var feedback: Float = 0
  /// Voices, 1…7.
  public var unison: Float = 0
  /// Cents of the outermost voices of the unison.
  public var detune: Float = 0
  /// How far the voices of the unison lie apart, 0…1.
  public var spread: Float = 0
  /// How loud the outer voices of the unison are against the middle one, 0…1.
  public var blend: Float = 0

  /// Cents that a pitch wanders by at most, and that the outermost voices of a unison lie apart at least and at most.
  public static var mostDrift: Float { @_noLocks get { 30 } }
  public static var leastDetune: Float { @_noLocks get { 1 } }
  public static var mostDetune: Float { @_noLocks get { 200 } }
  /// What a cent changes a frequency by.
  static var perCent: Float { @_noLocks get { 5.77622650e-4 } }
  /// The drift's whole way, as a share of the pitch.
  static var mostDriftShare: Float { @_noLocks get { mostDrift * perCent } }
  /// The whole way of the feedback, radians: beyond 1.5 a sine that moves its own phase is noise.
  static var mostFeedback: Float { @_noLocks get { 1.5 } }
}

/// What the oscillators do to one another.
public struct MixerKnobs: Sendable {
  /// 1 when the second oscillator begins anew with every period of the first.
  public var sync: Float = 0
  /// How far the second oscillator moves the phase of the first, radians.
  public var index: Float = 0
  /// Level of their product, 0…1.
  public var ring: Float = 0

  /// The largest index, radians.
  public static var mostIndex: Float { @_noLocks get { 20 } }
}

/// The oscillator below the first one.
public struct SubKnobs: Sendable {
  /// A `SubWave`, by its raw value.
  public var wave: Float = 0
  /// Octaves below, 1 or 2.
  public var octave: Float = 0
  /// Amplitude, 0…1.
  public var level: Float = 0
}

/// The noise of a voice.
public struct NoiseKnobs: Sendable {
  /// -1 brown, -0.5 pink, 0 white, 1 violet.
  public var color: Float = 0
  /// Amplitude, 0…1.
  public var level: Float = 0
}

/// An envelope: delay, attack, hold, decay, sustain, release.
public struct EnvelopeKnobs: Sendable {
  /// Seconds before the attack.
  public var delay: Float = 0
  /// Seconds from nothing to full.
  public var attack: Float = 0
  /// Seconds at the top.
  public var hold: Float = 0
  /// Seconds to fall by 60 dB towards the sustain level.
  public var decay: Float = 0
  /// Level while the key is held, 0…1.
  public var sustain: Float = 0
  /// Seconds to fall by 60 dB after the key.
  public var release: Float = 0
  /// 0 as an analog envelope, -0.5 straight lines, -1 bent the other way; above 0 sharper.
  public var curve: Float = 0
  /// 1 when attack and decay begin again and again while the key is held.
  public var loop: Float = 0
  /// Octaves by which the hardest key makes it faster.
  public var speed: Float = 0
  /// 1 when it begins anew with each note of a voice that goes on.
  public var retrigger: Float = 0
}

/// The filter of a voice.
public struct FilterKnobs: Sendable {
  /// Hertz.
  public var cutoff: Float = 0
  /// 0…1, flat to ringing by itself.
  public var resonance: Float = 0
  /// 0 low, 1 band, 2 high, 3 notch, 4 peak; cross-faded in between.
  public var mode: Float = 0
  /// 0 for 24 dB an octave, 1 for 12.
  public var slope: Float = 0
  /// Decibels in front of the filter, 0…24.
  public var drive: Float = 0
  /// Hertz; the lowest is off.
  public var highpass: Float = 0
  /// How far the cutoff follows the key, 0…1; 1 is octave for octave from middle C.
  public var track: Float = 0
  /// Octaves that the envelope opens (or closes) the filter by.
  public var amount: Float = 0
  /// Octaves between the softest and the hardest key.
  public var velocity: Float = 0
  /// The filter's own envelope.
  public var envelope = EnvelopeKnobs()

  /// The high-pass is off here and below, in hertz.
  public static var highpassOff: Float { @_noLocks get { 20 } }
}

/// The amplifier of a voice.
public struct AmplifierKnobs: Sendable {
  /// Level of the sound, decibels.
  public var level: Float = 0
  /// How much velocity matters, 0…1.
  public var velocity: Float = 0
  /// The amplifier's envelope.
  public var envelope = EnvelopeKnobs()
}

/// The envelope that no knob has taken yet.
public struct FreeEnvelopeKnobs: Sendable {
  /// Semitones that it moves the pitch by.
  public var pitch: Float = 0
  /// The envelope.
  public var envelope = EnvelopeKnobs()
}

/// How a low-frequency oscillator goes.
public struct LFOShapeKnobs: Sendable {
  /// An `LFOWave`, by its place.
  public var wave: Float = 0
  /// Hertz.
  public var rate: Float = 0
  /// A `NoteLength`: what a period takes; 0 is free.
  public var sync: Float = 0
  /// An `LFOMode`, by its place.
  public var mode: Float = 0
  /// Where it begins, 0…1 of a period.
  public var phase: Float = 0
  /// Seconds after the beginning of the note.
  public var delay: Float = 0
  /// Seconds from nothing to all of it, after the delay.
  public var fade: Float = 0
}

/// The low-frequency oscillator of a voice, and what it moves.
public struct LFOKnobs: Sendable {
  /// How it goes.
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
  /// A `ModulationSource`, by its place.
  public var source: Float = 0
  /// A `ModulationTarget`, by its place.
  public var target: Float = 0
  /// -1…1 of the target's range.
  public var amount: Float = 0
  /// A `ModulationSource`, by its place: none for a factor of 1.
  public var scale: Float = 0
}

/// How a part answers to the player. The choices are in `PlayChoices.swift`, each by its raw value.
public struct PlayKnobs: Sendable {
  /// Semitones that the pitch wheel bends by.
  public var bend: Float = 0
  /// A `PlayMode`.
  public var mode: Float = 0
  /// A `NotePriority`.
  public var priority: Float = 0
  /// Seconds until a glide has gone 99 % of its way; 0 is no glide.
  public var glide: Float = 0
  /// A `GlideMode`.
  public var glideMode: Float = 0
  /// A `GlideWhen`.
  public var glideWhen: Float = 0
  /// How soft keys are taken: -1 softer still, 0 as they are, 1 harder.
  public var curve: Float = 0
  /// A `Restrike`.
  public var restrike: Float = 0
}

/// The sound of one part: plain data, nothing but `Float`s, what a preset holds.
public struct Patch: Sendable {
  /// The first oscillator.
  public var oscillator1 = OscillatorKnobs()
  /// The second oscillator.
  public var oscillator2 = OscillatorKnobs()
  /// The first slot of the matrix.
  public var slot1 = SlotKnobs()
  public var slot2 = SlotKnobs()
  public var slot3 = SlotKnobs()
  public var slot4 = SlotKnobs()
  public var slot5 = SlotKnobs()
  public var slot6 = SlotKnobs()
  public var slot7 = SlotKnobs()
  /// The last of `Limits.slots`.
  public var slot8 = SlotKnobs()
  /// Two sources of the matrix for the player's hands, 0…1.
  public var macro1: Float = 0
  public var macro2: Float = 0
  /// What the oscillators do to one another.
  public var mixer = MixerKnobs()
  /// The sub oscillator.
  public var sub = SubKnobs()
  /// The noise.
  public var noise = NoiseKnobs()
  /// The filter.
  public var filter = FilterKnobs()
  /// The amplifier.
  public var amplifier = AmplifierKnobs()
  /// The envelope that is free.
  public var envelope3 = FreeEnvelopeKnobs()
  /// The LFO.
  public var lfo = LFOKnobs()
  /// The second LFO, which only the matrix reads.
  public var lfo2 = LFOShapeKnobs()
  /// How it is played.
  public var play = PlayKnobs()
  /// What it goes through.
  public var effects = EffectKnobs()

  /// All knobs at zero; `Patch.initial` of the parameter table is the sound to start from.
  public init() {}
}

extension UnsafeMutablePointer where Pointee == Patch {
  /// The knobs of oscillator 0 or 1, in place. They lie at the beginning, one after the other; a test holds them to it.
  @_noLocks @inline(__always)
  func oscillator(_ index: Int) -> UnsafeMutablePointer<OscillatorKnobs> {
    UnsafeMutableRawPointer(self).assumingMemoryBound(to: OscillatorKnobs.self) + index
  }

  /// The slots of the matrix, in place, which follow the oscillators.
  @inline(__always)
  var slots: UnsafeMutablePointer<SlotKnobs> {
    @_noLocks get {
      UnsafeMutableRawPointer(oscillator(2)).assumingMemoryBound(to: SlotKnobs.self)
    }
  }

  /// The effects' mixes that slots of the matrix may move, one bit for each as in `ModulationTarget`.
  var movedMixes: UInt64 {
    @_noLocks get {
      var mixes: UInt64 = 0
      var slot = 0
      while slot < Limits.slots {
        let knobs = slots + slot
        if knobs.pointee.source > 0 { mixes |= ModulationTarget.at(knobs.pointee.target).bit }
        slot &+= 1
      }
      return mixes & ModulationTarget.ofEffects
    }
  }

  /// The effects, in place.
  var effects: UnsafeMutablePointer<EffectKnobs> {
    @_noLocks get {
      let end = UnsafeMutableRawPointer(self) + MemoryLayout<Patch>.size
      return (end - MemoryLayout<EffectKnobs>.size).assumingMemoryBound(to: EffectKnobs.self)
    }
  }

  /// The same four at a time, where there is room for it.
  var vectors: UnsafeMutablePointer<SIMD4<Float>> {
    @_noLocks get { UnsafeMutableRawPointer(self).assumingMemoryBound(to: SIMD4<Float>.self) }
  }

  /// All knobs, as numbers in a row.
  var numbers: UnsafeMutablePointer<Float> {
    @_noLocks get { UnsafeMutableRawPointer(self).assumingMemoryBound(to: Float.self) }
  }
}

extension Patch {
  /// How many knobs there are.
  static var count: Int { @_noLocks get { MemoryLayout<Patch>.size / MemoryLayout<Float>.size } }
}
