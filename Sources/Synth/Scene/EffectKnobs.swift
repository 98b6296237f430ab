// The knobs of a sound's effects. Plain data, as the rest of the patch.

/// The drive of a sound: a soft to hard distortion between two filters.
public struct DriveKnobs: Sendable {
  /// 1 when it is on.
  public var on: Float = 0
  /// A `DriveShape`.
  public var shape: Float = 0
  /// Gain before the curve in decibels, 0…36; the loudness is kept.
  public var gain: Float = 0
  /// Tilt before the curve in decibels: the gain above 700 Hz and the loss below.
  public var tilt: Float = 0
  /// Low-pass after the curve, hertz; the highest value turns it off.
  public var tone: Float = 0
  /// 0 dry … 1 wet.
  public var mix: Float = 0

  /// The low-pass is off at this frequency and above, in hertz.
  public static var toneOff: Float { @_noLocks get { 20_000 } }
}

/// A bell band of the equalizer.
public struct BellKnobs: Sendable {
  /// Centre frequency, hertz.
  public var frequency: Float = 0
  /// Gain in decibels.
  public var gain: Float = 0
  /// Quality factor.
  public var q: Float = 0
}

/// A shelf band of the equalizer.
public struct ShelfKnobs: Sendable {
  /// The frequency with half of the gain, hertz.
  public var frequency: Float = 0
  /// Gain in decibels.
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
  /// How strongly loud echoes are saturated, 0…1.
  public var saturation: Float = 0
  /// A `DelayChange`: how echoes behave when the time changes.
  public var change: Float = 0
  /// 0 dry, 0.5 dry and wet in full, 1 wet only.
  public var mix: Float = 0

  /// The longest time, in seconds.
  public static var longest: Float { @_noLocks get { 2 } }
  /// The largest feedback.
  public static var mostFeedback: Float { @_noLocks get { 1.1 } }
}

/// The reverb of a sound.
public struct ReverbKnobs: Sendable {
  /// 1 when it is on.
  public var on: Float = 0
  /// Seconds from the dry sound to the onset of the reverb.
  public var preDelay: Float = 0
  /// Size of the room, 0…1.
  public var size: Float = 0
  /// Decay time of the middle frequencies by 60 dB, in seconds.
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

  /// The longest pre-delay, in seconds.
  public static var longestPreDelay: Float { @_noLocks get { 0.2 } }
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

  /// The fewest and the most stages.
  public static var fewestStages: Int { @_noLocks get { 4 } }
  public static var mostStages: Int { @_noLocks get { 12 } }
  /// The largest feedback.
  public static var mostFeedback: Float { @_noLocks get { 0.95 } }
}

/// The compressor of a sound.
public struct CompressorKnobs: Sendable {
  /// 1 when it is on.
  public var on: Float = 0
  /// The level in decibels above which it reduces; the knee begins 3 dB below.
  public var threshold: Float = 0
  /// Decibels above the threshold for one decibel of output, from 1 on.
  public var ratio: Float = 0
  /// Time constant of a rising reduction, in seconds.
  public var attack: Float = 0
  /// Time constant of a falling reduction, in seconds.
  public var release: Float = 0
  /// A `CompressorSource`: what it listens to.
  public var source: Float = 0
  /// 0 dry … 1 wet.
  public var mix: Float = 0

  /// Whether it listens to something other than the sound.
  var hasSidechain: Bool { @_noLocks @inline(__always) get { source >= 0.5 } }
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

  /// The smallest factor on the times.
  public static var leastInertia: Float { @_noLocks get { 0.1 } }
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

  /// The shortest delay in seconds, also of a sweep.
  public static var shortest: Float { @_noLocks get { 0.0001 } }
  /// The longest delay in seconds, also of a sweep.
  public static var longest: Float { @_noLocks get { 0.01 } }
  /// The largest feedback.
  public static var mostFeedback: Float { @_noLocks get { PhaserKnobs.mostFeedback } }
}

/// The knobs of a sound's effects, in the order of their indices. A new effect goes behind the last one. There is room for
/// as many as the vector of mixes has lanes, less one: 15.
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
}

extension EffectKnobs {
  /// The number of effects.
  static var count: Int { @_noLocks get { 9 } }

  /// The index of the compressor.
  static var compressorIndex: Int { @_noLocks @inline(__always) get { 6 } }
  /// The index of the rotary speaker.
  static var rotaryIndex: Int { @_noLocks @inline(__always) get { 7 } }

  /// The effects that are on, one bit each, in the order of their indices.
  var on: UInt32 {
    @_noLocks get {
      let first: UInt32 = (drive.isOn ? 1 : 0) | (equalizer.isOn ? 2 : 0) | (chorus.isOn ? 4 : 0)
      let second: UInt32 = (delay.isOn ? 8 : 0) | (reverb.isOn ? 16 : 0) | (phaser.isOn ? 32 : 0)
      return first | second | (compressor.isOn ? 64 : 0) | (rotary.isOn ? 128 : 0) | (flanger.isOn ? 256 : 0)
    }
  }

  /// The knobs with the modulated mixes at their greatest. `mixes` has a bit for each mix that the matrix moves, as in
  /// `ModulationTarget`.
  func opened(_ mixes: ModulationTargets) -> EffectKnobs {
    var (knobs, open) = (self, SIMD16<Float>.zero)
    for index in 0..<Self.count where mixes & ModulationTarget.mix(of: index).bit != 0 {
      open[index] = 1
    }
    knobs.moveMixes(by: open)
    return knobs
  }

  /// Adds `moves` to the mixes, in the order of the effects' indices; each mix stays within 0…1.
  @_noLocks
  mutating func moveMixes(by moves: SIMD16<Float>) {
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

// The knobs of each effect, in place. They follow one another in memory, which a test checks.
extension UnsafePointer where Pointee == EffectKnobs {
  var drive: UnsafePointer<DriveKnobs> {
    @_noLocks get { UnsafeRawPointer(self).assumingMemoryBound(to: DriveKnobs.self) }
  }
  var equalizer: UnsafePointer<FiveBandKnobs> {
    @_noLocks get { UnsafeRawPointer(drive + 1).assumingMemoryBound(to: FiveBandKnobs.self) }
  }
  var chorus: UnsafePointer<ChorusKnobs> {
    @_noLocks get { UnsafeRawPointer(equalizer + 1).assumingMemoryBound(to: ChorusKnobs.self) }
  }
  var delay: UnsafePointer<DelayKnobs> {
    @_noLocks get { UnsafeRawPointer(chorus + 1).assumingMemoryBound(to: DelayKnobs.self) }
  }
  var reverb: UnsafePointer<ReverbKnobs> {
    @_noLocks get { UnsafeRawPointer(delay + 1).assumingMemoryBound(to: ReverbKnobs.self) }
  }
  var phaser: UnsafePointer<PhaserKnobs> {
    @_noLocks get { UnsafeRawPointer(reverb + 1).assumingMemoryBound(to: PhaserKnobs.self) }
  }
  var compressor: UnsafePointer<CompressorKnobs> {
    @_noLocks get { UnsafeRawPointer(phaser + 1).assumingMemoryBound(to: CompressorKnobs.self) }
  }
  var rotary: UnsafePointer<RotaryKnobs> {
    @_noLocks get { UnsafeRawPointer(compressor + 1).assumingMemoryBound(to: RotaryKnobs.self) }
  }
  var flanger: UnsafePointer<FlangerKnobs> {
    @_noLocks get { UnsafeRawPointer(rotary + 1).assumingMemoryBound(to: FlangerKnobs.self) }
  }
  /// The choice of the order.
  var order: Float {
    @_noLocks @inline(__always) get {
      UnsafeRawPointer(flanger + 1).assumingMemoryBound(to: Float.self).pointee
    }
  }
}
