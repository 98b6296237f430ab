/// The value of a controller or the velocity of a key, in the 32 bits of MIDI 2.0, whatever resolution it came in.
///
/// A coarser value is scaled up as MIDI 2.0 specifies (M2-115-U): minimum, centre and maximum are preserved exactly,
/// and scaling down is a plain shift. So 127 of 127, 16,383 of 16,383 and the largest 32-bit number are the same
/// value.
public struct MIDIValue: Equatable, Sendable {
  /// 0…4,294,967,295; the centre is 2³¹.
  public let raw: UInt32

  /// The value that MIDI 2.0 sends in 32 bits.
  @_noLocks public init(raw: UInt32) { self.raw = raw }

  /// A value of 2…32 `bits`: 7 for a data byte, 14 for two, 16 for a velocity in MIDI 2.0. Higher bits of `number`
  /// are lost.
  @_noLocks
  public init(_ number: UInt32, bits: UInt32) {
    let free = 32 - bits
    var all = number << free
    // Above the centre, the bits below the highest are repeated into those that are free.
    if all > 1 << 31 {
      let period = bits - 1
      var pattern = (all << 1) >> bits
      while pattern != 0 {
        all |= pattern
        pattern >>= period
      }
    }
    raw = all
  }

  /// 0…1, the centre is 0.5.
  public var unit: Float { @_noLocks get { Float(0.5 + 0.5 * position) } }

  /// -1…1, the centre is 0.
  public var bipolar: Float { @_noLocks get { Float(position) } }

  // Both ends are reached: there is one step less above the centre than below.
  private var position: Double {
    @_noLocks get {
      let offset = Double(raw) - 2_147_483_648
      return offset / (offset < 0 ? 2_147_483_648 : 2_147_483_647)
    }
  }

  /// 0…1, as MIDI 1.0 scales volumes: the seven-bit value divided by 127. The centre is 64/127.
  public var fraction: Float {
    @_noLocks get {
      let offset = Double(raw) - 2_147_483_648
      let steps = offset < 0 ? 64 + offset / 33_554_432 : 64 + 63 * (offset / 2_147_483_647)
      return Float(steps / 127)
    }
  }

  /// The value in 14 bits, 0…16,383: two halves of seven.
  public var fourteenBits: UInt16 { @_noLocks get { UInt16(truncatingIfNeeded: raw >> 18) } }

  /// The value in seven bits, 0…127: a number, or a switch.
  public var sevenBits: UInt8 { @_noLocks get { UInt8(truncatingIfNeeded: raw >> 25) } }
}
