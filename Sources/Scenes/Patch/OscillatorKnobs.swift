// The knobs of the oscillators, and the largest values that they share with the targets of the matrix.

/// One oscillator of a voice.
public struct OscillatorKnobs: Sendable {
  /// A `Waveform`, by its raw value.
  public var wave: Float = 0
  /// Tuning in octaves.
  public var octave: Float = 0
  /// Tuning in semitones.
  public var semitone: Float = 0
  /// Tuning in cents.
  public var fine: Float = 0
  /// Factor of the frequency, 0.25…16; 0 is 1.
  public var ratio: Float = 0
  /// Shift of the frequency in hertz, up to `mostShift` in either direction.
  public var shift: Float = 0
  /// Pulse width, the part of the period for which a square is high, 0…1; the peak of a trisaw; and the position in a
  /// wavetable, from the first frame at 0.05 to the last one at 0.95.
  public var width: Float = 0
  /// Amplitude, 0…1.
  public var level: Float = 0
  /// A `PhaseStart`, by its raw value.
  public var start: Float = 0
  /// The share of the period within which the start phase is random: 0 always the same phase, 1 any phase.
  public var random: Float = 0
  /// Depth of the pitch drift in cents, 0…`mostDrift`.
  public var drift: Float = 0
  /// Feedback: depth of the oscillator's phase modulation of itself, 0…1.
  public var feedback: Float = 0
  /// Unison voices, 1…7.
  public var unison: Float = 0
  /// Detuning of the outermost unison voices in cents, `leastDetune`…`mostDetune`.
  public var detune: Float = 0
  /// Stereo spread of the unison voices, 0…1.
  public var spread: Float = 0
  /// Loudness of the outer unison voices relative to the middle one, 0…1.
  public var blend: Float = 0
  /// The wavetable, by the index of a `FactoryWavetable`, or beyond these a number of `ManagedScene.setWavetables`.
  public var table: Float = 0

  /// The largest pitch drift, in cents.
  public static var mostDrift: Float { @_noLocks @inlinable get { 30 } }
  /// The smallest detuning of the outermost unison voices, in cents.
  public static var leastDetune: Float { @_noLocks @inlinable get { 1 } }
  /// The largest detuning of the outermost unison voices, in cents.
  public static var mostDetune: Float { @_noLocks @inlinable get { 200 } }
  /// The largest shift of the frequency, in hertz.
  public static var mostShift: Float { @_noLocks @inlinable get { 20 } }
  /// Relative change of a frequency by one cent.
  public static var perCent: Float { @_noLocks @inlinable get { 5.77622650e-4 } }
  /// The largest drift, as a share of the frequency.
  public static var mostDriftShare: Float { @_noLocks @inlinable get { mostDrift * perCent } }
  /// The largest feedback, in radians: above 1.5 a sine that modulates itself becomes noise.
  public static var mostFeedback: Float { @_noLocks @inlinable get { 1.5 } }
}

/// Where the voices of an oscillator begin, in the order of the choice `/osc/1/start`. A new rule comes last, because
/// tablets know choices by their numbers.
public enum PhaseStart: Int, CaseIterable, Sendable {
  /// Each note begins elsewhere: the first unison voice within the share of `OscillatorKnobs.random`, the others
  /// anywhere. The drift begins anywhere too.
  case free
  /// All notes begin alike: every unison voice within the share of `OscillatorKnobs.random`, at places that are always
  /// the same. The drift begins in tune.
  case reset
  /// The notes of each key begin alike, and other keys elsewhere.
  case key

  /// The rule for a knob's value.
  @_noLocks @inlinable
  public static func at(_ choice: Float) -> PhaseStart { choice < 0.5 ? .free : choice < 1.5 ? .reset : .key }

  /// The random numbers of a note that does not begin freely; nil if it does. Each oscillator has its own.
  @_noLocks
  public func numbers(oscillator: Int, key: UInt8) -> RandomNumbers? {
    let oscillator = UInt32(truncatingIfNeeded: oscillator)
    return switch self {
    case .free: nil
    case .reset: RandomNumbers(Self.even &+ oscillator)
    case .key: RandomNumbers(4 &* UInt32(key) &+ oscillator)
    }
  }

  // Three sequences, the best of half a million, whose phases add as powers do: two to seven voices of an oscillator, and
  // the oscillators among each other, within 3.4 dB at the first partial and 4.8 dB at the second.
  private static var even: UInt32 { @_noLocks get { 1_471_952 } }
}

/// Cross-modulation of the oscillators.
public struct MixerKnobs: Sendable {
  /// 1 for hard sync: each period of the first oscillator restarts the second.
  public var sync: Float = 0
  /// Phase modulation of the first oscillator by the second, an index of 0…`mostIndex` radians.
  public var index: Float = 0
  /// Phase modulation of the second oscillator by the third, an index of 0…`mostIndex` radians.
  public var index2: Float = 0
  /// Level of the ring modulation, the product of the first two oscillators, 0…1.
  public var ring: Float = 0

  /// The largest modulation index, in radians.
  public static var mostIndex: Float { @_noLocks @inlinable get { 20 } }
}

/// The waveforms of an oscillator, in the order of the choice `/osc/1/wave`.
public enum Waveform: Int, CaseIterable, Sendable {
  case sine, triangle, saw, square, noise, trisaw, wavetable

  /// The waveform's value as a knob holds it.
  public var choice: Float { @_noLocks @inlinable get { Float(index) } }

  /// The number of waveforms.
  public static var count: Int { @_noLocks @inlinable get { Waveform.wavetable.index + 1 } }

  /// The waveforms that have, or may have, jumps or very steep edges, by index, one bit each.
  public static var jumping: UInt8 {
    @_noLocks @inlinable get {
      Waveform.saw.bit | Waveform.square.bit | Waveform.trisaw.bit | Waveform.wavetable.bit
    }
  }
  /// The waveforms that jump or have corners.
  public static var cornered: UInt8 { @_noLocks @inlinable get { Waveform.triangle.bit | jumping } }

  /// The bit of the waveform in a set of them.
  public var bit: UInt8 { @_noLocks @inlinable get { 1 &<< UInt8(truncatingIfNeeded: index) } }
}

/// The waveforms of the sub oscillator, in the order of the choice `/sub/wave`.
public enum SubWave: Int, CaseIterable, Sendable {
  case sine, square, pulse
}
