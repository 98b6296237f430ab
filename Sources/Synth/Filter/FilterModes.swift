/// Share of each mode in the output of a filter, 0…1; the shares add up to 1.
struct FilterModes {
  var low = Lanes(repeating: 1)
  var band = Lanes.zero
  var high = Lanes.zero
  /// Low-pass plus high-pass.
  var notch = Lanes.zero
  /// Low-pass minus high-pass.
  var peak = Lanes.zero

  /// Only the low-pass.
  @_noLocks init() {}

  /// Shares for a knob of 0…4: 0 low, 1 band, 2 high, 3 notch, 4 peak; cross-faded between.
  @_noLocks
  init(_ mode: Lanes) {
    low = Self.share(mode, 0)
    band = Self.share(mode, 1)
    high = Self.share(mode, 2)
    notch = Self.share(mode, 3)
    peak = Self.share(mode, 4)
  }

  /// Shares that are equal in all lanes, in the order of the fields.
  @_noLocks
  init(shares: SIMD8<Float>) {
    low = Lanes(repeating: shares[0])
    band = Lanes(repeating: shares[1])
    high = Lanes(repeating: shares[2])
    notch = Lanes(repeating: shares[3])
    peak = Lanes(repeating: shares[4])
  }

  /// The shares for the value of a knob.
  @_noLocks
  static func shares(_ mode: Float) -> SIMD8<Float> {
    larger(1 - magnitude(mode - SIMD8(0, 1, 2, 3, 4, -9, -9, -9)), Lanes.zero)
  }

  /// The value of a knob for shares.
  @_noLocks
  static func knob(_ shares: SIMD8<Float>) -> Float { sum(shares * SIMD8(0, 1, 2, 3, 4, 0, 0, 0)) }

  @_noLocks @inline(__always)
  private static func share(_ mode: Lanes, _ index: Float) -> Lanes {
    larger(1 - magnitude(mode - index), Lanes.zero)
  }
}
