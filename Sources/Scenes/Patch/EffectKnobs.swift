// The effects of a sound: first what has a line for each of them, then the knobs of each. Plain data, as the rest of the
// patch. An effect is audible when it `isOn`; `levels` are its dry and its wet gain.

/// The knobs of a sound's effects, in the order of their indices. A new effect is appended at the end. There is room
/// for 15: the lanes of the vector of mixes, less one.
public struct EffectKnobs: Sendable {
  public var drive = DriveKnobs()
  public var equalizer = FiveBandKnobs()
  public var chorus = ChorusKnobs()
  public var delay = DelayKnobs()
  public var reverb = ReverbKnobs()
  public var phaser = PhaserKnobs()
  public var compressor = CompressorKnobs()
  public var rotary = RotaryKnobs()
  public var flanger = FlangerKnobs()
  /// An `EffectOrder`: the signal path through the effects.
  public var order: Float = 0

  /// All knobs at 0.
  public init() {}
}

extension EffectKnobs {
  /// The number of effects.
  public static var count: Int { @_noLocks @inlinable get { 9 } }

  /// The index of the compressor.
  public static var compressorIndex: Int { @_noLocks @inlinable @inline(__always) get { 6 } }
  /// The index of the rotary speaker.
  public static var rotaryIndex: Int { @_noLocks @inlinable @inline(__always) get { 7 } }

  /// The effects that are on, one bit each, in the order of their indices.
  public var on: UInt32 {
    @_noLocks @inlinable get {
      let first: UInt32 = (drive.isOn ? 1 : 0) | (equalizer.isOn ? 2 : 0) | (chorus.isOn ? 4 : 0)
      let second: UInt32 = (delay.isOn ? 8 : 0) | (reverb.isOn ? 16 : 0) | (phaser.isOn ? 32 : 0)
      return first | second | (compressor.isOn ? 64 : 0) | (rotary.isOn ? 128 : 0) | (flanger.isOn ? 256 : 0)
    }
  }

  /// The knobs with each modulated mix at its maximum, 1. `mixes` has a bit for each mix that the matrix moves, as in
  /// `ModulationTarget`.
  public func opened(_ mixes: ModulationTargets) -> EffectKnobs {
    var (knobs, open) = (self, SIMD16<Float>.zero)
    for index in 0..<Self.count where mixes & ModulationTarget.mix(of: index).bit != 0 {
      open[index] = 1
    }
    knobs.moveMixes(by: open)
    return knobs
  }

  /// Adds `moves` to the mixes, in the order of the effects' indices; each mix stays within 0…1.
  @_noLocks @inlinable
  public mutating func moveMixes(by moves: SIMD16<Float>) {
    drive.mix = max(0, min(drive.mix + moves[0], 1))
    equalizer.mix = max(0, min(equalizer.mix + moves[1], 1))
    chorus.mix = max(0, min(chorus.mix + moves[2], 1))
    delay.mix = max(0, min(delay.mix + moves[3], 1))
    reverb.mix = max(0, min(reverb.mix + moves[4], 1))
    phaser.mix = max(0, min(phaser.mix + moves[5], 1))
    compressor.mix = max(0, min(compressor.mix + moves[6], 1))
    rotary.mix = max(0, min(rotary.mix + moves[7], 1))
    flanger.mix = max(0, min(flanger.mix + moves[8], 1))
  }
}

extension EffectOrder {
  /// The indices of the effects as hexadecimal digits, the first effect in the last digit.
  public var path: UInt64 {
    @_noLocks @inlinable get {
      switch self {
      case .standard: 0x4_3728_5610
      case .modulationFirst: 0x4_3761_0285
      case .delayFirst: 0x4_7285_3610
      case .reverbFirst: 0x7_2856_1043
      case .driveLast: 0x6_1043_7285
      case .compressorLast: 0x6_4372_8510
      }
    }
  }
}

extension ModulationTarget {
  /// The targets that belong to the whole sound: the mixes of its effects.
  public static var ofEffects: ModulationTargets {
    @_noLocks @inlinable @inline(__always) get {
      var (mixes, effect) = (ModulationTargets(0), 0)
      while effect < EffectKnobs.count {
        mixes |= mix(of: effect).bit
        effect &+= 1
      }
      return mixes
    }
  }

  /// The mix of an effect, by the effect's index.
  @_noLocks @inlinable @inline(__always)
  public static func mix(of effect: Int) -> ModulationTarget {
    switch effect {
    case 0: .driveMix
    case 1: .equalizerMix
    case 2: .chorusMix
    case 3: .delayMix
    case 4: .reverbMix
    case 5: .phaserMix
    case 6: .compressorMix
    case 7: .rotaryMix
    default: .flangerMix
    }
  }
}

// The knobs of each effect, in place. They follow one another in memory, which a test checks.
extension UnsafePointer where Pointee == EffectKnobs {
  public var drive: UnsafePointer<DriveKnobs> {
    @_noLocks @inlinable get { UnsafeRawPointer(self).assumingMemoryBound(to: DriveKnobs.self) }
  }
  public var equalizer: UnsafePointer<FiveBandKnobs> {
    @_noLocks @inlinable get { UnsafeRawPointer(drive + 1).assumingMemoryBound(to: FiveBandKnobs.self) }
  }
  public var chorus: UnsafePointer<ChorusKnobs> {
    @_noLocks @inlinable get { UnsafeRawPointer(equalizer + 1).assumingMemoryBound(to: ChorusKnobs.self) }
  }
  public var delay: UnsafePointer<DelayKnobs> {
    @_noLocks @inlinable get { UnsafeRawPointer(chorus + 1).assumingMemoryBound(to: DelayKnobs.self) }
  }
  public var reverb: UnsafePointer<ReverbKnobs> {
    @_noLocks @inlinable get { UnsafeRawPointer(delay + 1).assumingMemoryBound(to: ReverbKnobs.self) }
  }
  public var phaser: UnsafePointer<PhaserKnobs> {
    @_noLocks @inlinable get { UnsafeRawPointer(reverb + 1).assumingMemoryBound(to: PhaserKnobs.self) }
  }
  public var compressor: UnsafePointer<CompressorKnobs> {
    @_noLocks @inlinable get { UnsafeRawPointer(phaser + 1).assumingMemoryBound(to: CompressorKnobs.self) }
  }
  public var rotary: UnsafePointer<RotaryKnobs> {
    @_noLocks @inlinable get { UnsafeRawPointer(compressor + 1).assumingMemoryBound(to: RotaryKnobs.self) }
  }
  public var flanger: UnsafePointer<FlangerKnobs> {
    @_noLocks @inlinable get { UnsafeRawPointer(rotary + 1).assumingMemoryBound(to: FlangerKnobs.self) }
  }
  /// The choice of the order.
  public var order: Float {
    @_noLocks @inlinable @inline(__always) get {
      UnsafeRawPointer(flanger + 1).assumingMemoryBound(to: Float.self).pointee
    }
  }
}

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
