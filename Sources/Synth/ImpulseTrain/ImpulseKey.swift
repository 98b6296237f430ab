/// The composition of a sum of saws in one tick. Only a sum with an equal key may continue it in the next tick.
struct ImpulseKey {
  private var bits: UInt64 = 0

  /// The key of an empty sum.
  @_noLocks @inline(__always)
  init() {}

  @_noLocks @inline(__always)
  static func == (a: ImpulseKey, b: ImpulseKey) -> Bool { a.bits == b.bits }

  /// True when anything has been added.
  var isAny: Bool { @_noLocks @inline(__always) get { bits != 0 } }

  /// Adds the voices of an oscillator: saws, pulses or synchronized saws, on one side or on both (`isWide`), with the
  /// side of the first voice.
  @_noLocks @inline(__always)
  mutating func add(
    _ voices: UInt8, of oscillator: Int, isPulse: Bool, isSynced: Bool, isFirstLeft: Bool, isWide: Bool
  ) {
    let (wide, left): (UInt64, UInt64) = (isWide ? 1 : 0, isFirstLeft ? 2 : 0)
    let (pulse, synced): (UInt64, UInt64) = (isPulse ? 4 : 0, isSynced ? 8 : 0)
    let kind = UInt64(voices) &<< 8 | 16 | wide | left | pulse | synced
    bits |= kind &<< UInt64(16 &* oscillator)
  }

  /// Adds the sub oscillator, by its waveform.
  @_noLocks @inline(__always)
  mutating func addSub(_ wave: Int32) { bits |= UInt64(UInt32(bitPattern: wave) &+ 1) &<< 32 }
}
