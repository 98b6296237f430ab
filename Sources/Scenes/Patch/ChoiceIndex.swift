// The indices of choices, and the choices for values of knobs.
//
// A case without a payload is one byte, which is read and written here and nowhere else. A raw value that is a string
// needs a table, and `init(rawValue:)` a call; neither can be proven free of locks, nor could one generic function for
// all choices.

/// The index for a knob's value, from 0 to `last`.
@_noLocks @inlinable @inline(__always)
func index(_ choice: Float, last: Int) -> UInt8 {
  UInt8(truncatingIfNeeded: choice > 0 ? min(Int(min(choice, 255)), last) : 0)
}

extension ModulationTarget {
  /// The target's index.
  @inline(__always)
  public var index: Int { @_noLocks @inlinable get { Int(unsafeBitCast(self, to: UInt8.self)) } }

  /// The target for a knob's value.
  @_noLocks @inlinable
  public static func at(_ choice: Float) -> ModulationTarget {
    unsafeBitCast(Scenes.index(choice, last: count - 1), to: ModulationTarget.self)
  }
}

extension ModulationSource {
  /// The source's index.
  @inline(__always)
  public var index: Int { @_noLocks @inlinable get { Int(unsafeBitCast(self, to: UInt8.self)) } }
}

extension Waveform {
  /// The waveform's index.
  @inline(__always)
  public var index: Int { @_noLocks @inlinable get { Int(unsafeBitCast(self, to: UInt8.self)) } }

  /// The waveform for a knob's value.
  @_noLocks @inlinable
  public static func at(_ choice: Float) -> Waveform {
    unsafeBitCast(Scenes.index(choice, last: count - 1), to: Waveform.self)
  }
}

extension DriveShape {
  /// The shape's index.
  @inline(__always)
  public var index: Int { @_noLocks @inlinable get { Int(unsafeBitCast(self, to: UInt8.self)) } }
}

extension LFOWave {
  /// The waveform for a knob's value.
  @_noLocks @inlinable
  public static func at(_ choice: Float) -> LFOWave {
    let last = Int(unsafeBitCast(LFOWave.last, to: UInt8.self))
    return unsafeBitCast(Scenes.index(choice, last: last), to: LFOWave.self)
  }
}
