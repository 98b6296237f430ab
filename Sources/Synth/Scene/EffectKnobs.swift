// The knobs of a sound's effects, in the order that it goes through them. Plain data, as the rest of the patch.

/// What bends the sound of a part: softly or hard, between two filters.
public struct DriveKnobs: Sendable {
  /// 1 when it is on.
  public var on: Float = 0
  /// A `DriveShape`.
  public var shape: Float = 0
  /// Decibels in front of it, 0…36; the loudness is kept.
  public var gain: Float = 0
  /// Tilt in front of it, around 700 Hz: decibels that what lies above gains and what lies below loses.
  public var tilt: Float = 0
  /// Low-pass behind it, hertz; the highest is off.
  public var tone: Float = 0
  /// 0 as it came … 1 all of it.
  public var mix: Float = 0

  /// The low-pass is off here and above, in hertz.
  public static var toneOff: Float { @_noLocks get { 20_000 } }
}

/// A bell of the equalizer.
public struct BellKnobs: Sendable {
  /// Hertz.
  public var frequency: Float = 0
  /// Decibels.
  public var gain: Float = 0
  /// Quality factor.
  public var q: Float = 0
}

/// A shelf of the equalizer.
public struct ShelfKnobs: Sendable {
  /// Hertz, where half of the decibels are reached.
  public var frequency: Float = 0
  /// Decibels.
  public var gain: Float = 0
}

/// The equalizer of a part: a shelf at either end, three bells in between.
public struct FiveBandKnobs: Sendable {
  /// 1 when it is on.
  public var on: Float = 0
  public var low = ShelfKnobs()
  public var bell1 = BellKnobs()
  public var bell2 = BellKnobs()
  public var bell3 = BellKnobs()
  public var high = ShelfKnobs()
  /// 0 as it came … 1 all of it.
  public var mix: Float = 0
}

/// The chorus of a part.
public struct ChorusKnobs: Sendable {
  /// 1 when it is on.
  public var on: Float = 0
  /// A `ChorusMode`.
  public var mode: Float = 0
  /// How fast it swings, times the rate of its mode.
  public var rate: Float = 0
  /// How far it swings, times the depth of its mode, 0…1.
  public var depth: Float = 0
  /// 0 as it came, 0.5 both in full, 1 nothing of what came.
  public var mix: Float = 0
}

/// The delay of a part.
public struct DelayKnobs: Sendable {
  /// 1 when it is on.
  public var on: Float = 0
  /// Seconds between two echoes.
  public var time: Float = 0
  /// A `NoteLength` between two echoes; 0 goes by the time.
  public var sync: Float = 0
  /// A `DelayRatio`: what the right side's time is of the left's.
  public var ratio: Float = 0
  /// 1 when echoes go from side to side.
  public var pingPong: Float = 0
  /// How loud an echo is beside the one before, 0…1.1.
  public var feedback: Float = 0
  /// Hertz, for each echo anew; the lowest is off.
  public var highpass: Float = 0
  /// Hertz, for each echo anew; the highest is off.
  public var lowpass: Float = 0
  /// How soon a loud echo is bent, 0…1.
  public var saturation: Float = 0
  /// A `DelayChange`: what becomes of the echoes when the time changes.
  public var change: Float = 0
  /// 0 as it came, 0.5 both in full, 1 nothing of what came.
  public var mix: Float = 0

  /// The longest time, seconds.
  public static var longest: Float { @_noLocks get { 2 } }
  /// The largest feedback.
  public static var mostFeedback: Float { @_noLocks get { 1.1 } }
}

/// The reverb of a part.
public struct ReverbKnobs: Sendable {
  /// 1 when it is on.
  public var on: Float = 0
  /// Seconds from the sound to the room's answer.
  public var preDelay: Float = 0
  /// How large the room is, 0…1.
  public var size: Float = 0
  /// Seconds in which the middle of the tail falls by 60 dB.
  public var decay: Float = 0
  /// The same of what lies below 200 Hz, and above 4 kHz, times that.
  public var low: Float = 0
  public var high: Float = 0
  /// How far the delays of the room swing, 0…1.
  public var modulation: Float = 0
  /// 0 the same on both sides … 1.
  public var width: Float = 0
  /// 1 to keep what is in the room for ever, and let nothing in.
  public var freeze: Float = 0
  /// 0 as it came, 0.5 both in full, 1 nothing of what came.
  public var mix: Float = 0

  /// The longest pre-delay, seconds.
  public static var longestPreDelay: Float { @_noLocks get { 0.2 } }
}

/// The effects of a part.
public struct EffectKnobs: Sendable {
  public var drive = DriveKnobs()
  public var equalizer = FiveBandKnobs()
  public var chorus = ChorusKnobs()
  public var delay = DelayKnobs()
  public var reverb = ReverbKnobs()
}

extension EffectKnobs {
  /// How many effects there are.
  static var count: Int { @_noLocks get { 5 } }

  /// Those that are on, one bit each in the order that a sound goes through them.
  var on: UInt32 {
    @_noLocks get {
      let first: UInt32 = (drive.isOn ? 1 : 0) | (equalizer.isOn ? 2 : 0) | (chorus.isOn ? 4 : 0)
      return first | (delay.isOn ? 8 : 0) | (reverb.isOn ? 16 : 0)
    }
  }

  /// The same with the mixes as far open as the matrix may move them: `mixes` has the bits of those that it moves.
  func opened(_ mixes: UInt64) -> EffectKnobs {
    var (knobs, open) = (self, SIMD8<Float>.zero)
    for index in 0..<Self.count where mixes >> UInt64(ModulationTarget.driveMix.index + index) & 1 != 0 {
      open[index] = 1
    }
    knobs.moveMixes(by: open)
    return knobs
  }

  /// Adds to the mixes, in the order of the effects; each stays within 0…1.
  @_noLocks
  mutating func moveMixes(by moves: SIMD8<Float>) {
    drive.mix = max(0, min(drive.mix + moves[0], 1))
    equalizer.mix = max(0, min(equalizer.mix + moves[1], 1))
    chorus.mix = max(0, min(chorus.mix + moves[2], 1))
    delay.mix = max(0, min(delay.mix + moves[3], 1))
    reverb.mix = max(0, min(reverb.mix + moves[4], 1))
  }
}

// Each in place: they lie one behind the other; a test holds them to it.
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
}

// One that is on and mixed in is heard. `levels` are the factors of what goes in and of what the effect makes of it. A mix
// of a half has both in full where the effect is added to the sound; what takes its place is cross-faded.
extension DriveKnobs {
  // Also where nothing is mixed in: what goes past it is late by as much as what goes through, and it mixes by itself.
  var isOn: Bool { @_noLocks get { on > 0 } }
  var levels: SIMD2<Float> { @_noLocks get { replaced(on) } }
}
extension FiveBandKnobs {
  var isOn: Bool { @_noLocks get { on > 0 && mix > 0 } }
  var levels: SIMD2<Float> { @_noLocks get { replaced(on * mix) } }
}
extension ChorusKnobs {
  var isOn: Bool { @_noLocks get { on > 0 && mix > 0 } }
  var levels: SIMD2<Float> { @_noLocks get { added(on, mix) } }
}
extension DelayKnobs {
  var isOn: Bool { @_noLocks get { on > 0 && mix > 0 } }
  var levels: SIMD2<Float> { @_noLocks get { added(on, mix) } }
}
extension ReverbKnobs {
  var isOn: Bool { @_noLocks get { on > 0 && mix > 0 } }
  var levels: SIMD2<Float> { @_noLocks get { added(on, mix) } }
}

@_noLocks
private func replaced(_ share: Float) -> SIMD2<Float> { SIMD2(1 - share, share) }

@_noLocks
private func added(_ on: Float, _ mix: Float) -> SIMD2<Float> {
  SIMD2(1 - on * max(0, 2 * mix - 1), on * min(1, 2 * mix))
}
