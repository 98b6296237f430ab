// The knobs of each of a sound's effects. Plain data, as the rest of the patch. An effect is audible when it `isOn`;
// `levels` are its dry and its wet gain.

/// The drive of a sound: a soft to hard distortion between two filters.
public struct DriveKnobs: Sendable {
  /// 1 when it is on.
  public var on: Float = 0
  /// A `DriveShape`.
  public var shape: Float = 0
  /// Gain before the curve in decibels, 0…36; the loudness is kept.
  public var gain: Float = 0
  /// Tilt before the curve in decibels, -6…6: the gain above 700 Hz and the loss below.
  public var tilt: Float = 0
  /// Low-pass after the curve, hertz; the highest value turns it off.
  public var tone: Float = 0
  /// 0 dry … 1 wet.
  public var mix: Float = 0

  // True also at a mix of 0: the dry signal is delayed by as much as the wet one, and the drive mixes them itself.
  public var isOn: Bool { @_noLocks @inlinable get { on > 0 } }
  public var levels: SIMD2<Float> { @_noLocks get { crossFadeGains(on) } }

  /// The low-pass is off at this frequency and above, in hertz.
  public static var toneOff: Float { @_noLocks @inlinable get { 20_000 } }
}

/// A bell band of the equalizer.
public struct BellKnobs: Sendable {
  /// Centre frequency in hertz.
  public var frequency: Float = 0
  /// Gain in decibels, -18…18.
  public var gain: Float = 0
  /// Quality factor.
  public var q: Float = 0
}

/// A shelf band of the equalizer.
public struct ShelfKnobs: Sendable {
  /// The frequency with half of the gain, in hertz.
  public var frequency: Float = 0
  /// Gain in decibels, -18…18.
  public var gain: Float = 0
}

/// The equalizer of a part: a shelf at either end, three bells between them.
public struct FiveBandKnobs: Sendable {
  /// 1 when it is on.
  public var on: Float = 0
  public var low = ShelfKnobs()
  public var bell1 = BellKnobs()
  public var bell2 = BellKnobs()
  public var bell3 = BellKnobs()
  public var high = ShelfKnobs()
  /// 0 dry … 1 wet.
  public var mix: Float = 0

  public var isOn: Bool { @_noLocks @inlinable get { on > 0 && mix > 0 } }
  public var levels: SIMD2<Float> { @_noLocks get { crossFadeGains(on * mix) } }
}

/// The chorus of a sound.
public struct ChorusKnobs: Sendable {
  /// 1 when it is on.
  public var on: Float = 0
  /// A `ChorusMode`.
  public var mode: Float = 0
  /// Modulation rate, a factor on the rate of the mode.
  public var rate: Float = 0
  /// Modulation depth, a factor on the depth of the mode, 0…1.
  public var depth: Float = 0
  /// 0 dry, 0.5 dry and wet in full, 1 wet only.
  public var mix: Float = 0

  public var isOn: Bool { @_noLocks @inlinable get { on > 0 && mix > 0 } }
  public var levels: SIMD2<Float> { @_noLocks get { additiveGains(on, mix) } }
}

/// The delay of a sound.
public struct DelayKnobs: Sendable {
  /// 1 when it is on.
  public var on: Float = 0
  /// Seconds between two echoes.
  public var time: Float = 0
  /// A `NoteLength` between two echoes; 0 uses `time`.
  public var sync: Float = 0
  /// A `DelayRatio`: the right side's time relative to the left's.
  public var ratio: Float = 0
  /// 1 when echoes alternate between the sides.
  public var pingPong: Float = 0
  /// Gain from one echo to the next, 0…1.1.
  public var feedback: Float = 0
  /// High-pass in the feedback loop, hertz; the lowest value turns it off.
  public var highpass: Float = 0
  /// Low-pass in the feedback loop, hertz; the highest value turns it off.
  public var lowpass: Float = 0
  /// The saturation of loud echoes, 0…1.
  public var saturation: Float = 0
  /// A `DelayChange`: how echoes behave when the time changes.
  public var change: Float = 0
  /// 0 dry, 0.5 dry and wet in full, 1 wet only.
  public var mix: Float = 0

  public var isOn: Bool { @_noLocks @inlinable get { on > 0 && mix > 0 } }
  public var levels: SIMD2<Float> { @_noLocks get { additiveGains(on, mix) } }

  /// The longest time, in seconds.
  public static var longest: Float { @_noLocks @inlinable get { 2 } }
  /// The largest feedback.
  public static var mostFeedback: Float { @_noLocks @inlinable get { 1.1 } }
}

/// The reverb of a sound.
public struct ReverbKnobs: Sendable {
  /// 1 when it is on.
  public var on: Float = 0
  /// Seconds from the dry sound to the onset of the reverb.
  public var preDelay: Float = 0
  /// Size of the room, 0…1.
  public var size: Float = 0
  /// Decay time (RT60) of the middle frequencies, in seconds.
  public var decay: Float = 0
  /// Decay time below 200 Hz, as a factor on `decay`.
  public var low: Float = 0
  /// Decay time at 8 kHz, as a factor on `decay`.
  public var high: Float = 0
  /// Modulation depth of the room's delays, 0…1.
  public var modulation: Float = 0
  /// Stereo width of the reverb: 0 mono … 1.
  public var width: Float = 0
  /// 1 sustains the reverb for ever and closes its input.
  public var freeze: Float = 0
  /// 0 dry, 0.5 dry and wet in full, 1 wet only.
  public var mix: Float = 0

  public var isOn: Bool { @_noLocks @inlinable get { on > 0 && mix > 0 } }
  public var levels: SIMD2<Float> { @_noLocks get { additiveGains(on, mix) } }

  /// The longest pre-delay, in seconds.
  public static var longestPreDelay: Float { @_noLocks @inlinable get { 0.2 } }
}

/// The phaser of a sound.
public struct PhaserKnobs: Sendable {
  /// 1 when it is on.
  public var on: Float = 0
  /// All-pass stages in series, 4…12. Each two of them make a notch.
  public var stages: Float = 0
  /// Sweeps per second.
  public var rate: Float = 0
  /// A `NoteLength` for a sweep; 0 uses `rate`.
  public var sync: Float = 0
  /// Depth of the sweep, 0…1; 1 is two octaves up and down.
  public var depth: Float = 0
  /// The frequency in hertz around which the stages sweep.
  public var frequency: Float = 0
  /// Gain from the last stage back to the first, -0.95…0.95.
  public var feedback: Float = 0
  /// Phase of the right side's sweep, 0…1; 1 is half a sweep.
  public var spread: Float = 0
  /// 0 dry, 0.5 dry and wet at equal levels, 1 wet only.
  public var mix: Float = 0

  public var isOn: Bool { @_noLocks @inlinable get { on > 0 && mix > 0 } }
  public var levels: SIMD2<Float> { @_noLocks get { equalPowerGains(on * mix) } }

  /// The fewest and the most stages.
  public static var fewestStages: Int { @_noLocks @inlinable get { 4 } }
  public static var mostStages: Int { @_noLocks @inlinable get { 12 } }
  /// The largest feedback.
  public static var mostFeedback: Float { @_noLocks @inlinable get { 0.95 } }
}

/// The compressor of a sound.
public struct CompressorKnobs: Sendable {
  /// 1 when it is on.
  public var on: Float = 0
  /// Threshold in decibels: above it the level is reduced; the knee begins 3 dB below it.
  public var threshold: Float = 0
  /// Decibels above the threshold for one decibel of output, from 1 on.
  public var ratio: Float = 0
  /// Time constant of a rising reduction, in seconds.
  public var attack: Float = 0
  /// Time constant of a falling reduction, in seconds.
  public var release: Float = 0
  /// A `CompressorSource`: the sidechain.
  public var source: Float = 0
  /// 0 dry … 1 wet.
  public var mix: Float = 0

  public var isOn: Bool { @_noLocks @inlinable get { on > 0 && mix > 0 } }
  public var levels: SIMD2<Float> { @_noLocks get { crossFadeGains(on * mix) } }

  /// Whether the sidechain is something other than the sound itself.
  public var hasSidechain: Bool { @_noLocks @inlinable @inline(__always) get { source >= 0.5 } }
}

/// The rotary speaker of a sound.
public struct RotaryKnobs: Sendable {
  /// 1 when it is on.
  public var on: Float = 0
  /// A `RotarySpeed`.
  public var speed: Float = 0
  /// Factor on the speeds of both rotors.
  public var rate: Float = 0
  /// Factor on the times in which the rotors reach another speed, from `leastInertia` on.
  public var inertia: Float = 0
  /// Balance of drum and horn: 0 the drum alone, 0.5 both in full, 1 the horn alone.
  public var horn: Float = 0
  /// Angle between the microphones, 0…1; 1 is 180 degrees, and 0 is mono.
  public var spread: Float = 0
  /// 0 dry … 1 wet.
  public var mix: Float = 0

  public var isOn: Bool { @_noLocks @inlinable get { on > 0 && mix > 0 } }
  public var levels: SIMD2<Float> { @_noLocks get { crossFadeGains(on * mix) } }

  /// The smallest factor on the times.
  public static var leastInertia: Float { @_noLocks @inlinable get { 0.1 } }
}

/// The flanger of a sound.
public struct FlangerKnobs: Sendable {
  /// 1 when it is on.
  public var on: Float = 0
  /// Sweeps per second.
  public var rate: Float = 0
  /// Depth of the sweep, 0…1; 1 is two octaves up and down.
  public var depth: Float = 0
  /// The delay in seconds around which it sweeps, from `shortest` to `longest`.
  public var delay: Float = 0
  /// Gain from the output of the delay back to its input, -0.95…0.95.
  public var feedback: Float = 0
  /// Phase of the right side's sweep, 0…1; 1 is half a sweep.
  public var spread: Float = 0
  /// 0 dry, 0.5 dry and wet at equal levels, 1 wet only.
  public var mix: Float = 0

  public var isOn: Bool { @_noLocks @inlinable get { on > 0 && mix > 0 } }
  public var levels: SIMD2<Float> { @_noLocks get { equalPowerGains(on * mix) } }

  /// The shortest delay in seconds, also of a sweep.
  public static var shortest: Float { @_noLocks @inlinable get { 0.0001 } }
  /// The longest delay in seconds, also of a sweep.
  public static var longest: Float { @_noLocks @inlinable get { 0.01 } }
  /// The largest feedback.
  public static var mostFeedback: Float { @_noLocks @inlinable get { PhaserKnobs.mostFeedback } }
}

// Dry and wet gain of an effect. An effect that replaces the sound is cross-faded. An effect that adds to the sound
// has both gains at 1 at a mix of a half. The phaser and the flanger are cross-faded at equal power, which keeps the
// loudness where the phase between dry and wet sound varies.

/// The gains of an effect that replaces a share of the sound.
@_noLocks
func crossFadeGains(_ share: Float) -> SIMD2<Float> { SIMD2(1 - share, share) }

/// The gains of an effect that adds to the sound, by its switch and its mix.
@_noLocks
func additiveGains(_ on: Float, _ mix: Float) -> SIMD2<Float> {
  SIMD2(1 - on * max(0, 2 * mix - 1), on * min(1, 2 * mix))
}

/// The gains of an equal-power cross-fade; `share` is the share of the wet sound, 0…1.
@_noLocks
func equalPowerGains(_ share: Float) -> SIMD2<Float> {
  // The sine of a quarter turn, 1 at 1; the powers add up to 1 within 0.0004.
  let x = SIMD2(1 - share, share)
  let square = x * x
  return x * (1.5707963 - square * (0.6435889 - square * 0.0727926))
}
