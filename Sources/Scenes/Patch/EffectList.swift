// Lists with a line for each effect.

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
