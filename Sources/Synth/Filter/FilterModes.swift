/// How much of each mode a filter is, 0…1, together 1.
struct FilterModes {
  var low = Lanes(repeating: 1)
  var band = Lanes.zero
  var high = Lanes.zero
  /// Low- and high-pass together.
  var notch = Lanes.zero
  /// Low-pass less high-pass.
  var peak = Lanes.zero

  /// The low-pass.
  @_noLocks init() {}

  /// For a knob of 0…4: 0 low, 1 band, 2 high, 3 notch, 4 peak; in between they are cross-faded.
  @_noLocks
  init(_ mode: Lanes) {
    low = Self.share(mode, 0)
    band = Self.share(mode, 1)
    high = Self.share(mode, 2)
    notch = Self.share(mode, 3)
    peak = Self.share(mode, 4)
  }

  /// The same for all lanes, in this order.
  @_noLocks
  init(shares: SIMD8<Float>) {
    low = Lanes(repeating: shares[0])
    band = Lanes(repeating: shares[1])
    high = Lanes(repeating: shares[2])
    notch = Lanes(repeating: shares[3])
    peak = Lanes(repeating: shares[4])
  }

  /// The shares for one knob.
  @_noLocks
  static func shares(_ mode: Float) -> SIMD8<Float> {
    larger(1 - magnitude(mode - SIMD8(0, 1, 2, 3, 4, -9, -9, -9)), Lanes.zero)
  }

  /// The knob for the shares.
  @_noLocks
  static func knob(_ shares: SIMD8<Float>) -> Float { sum(shares * SIMD8(0, 1, 2, 3, 4, 0, 0, 0)) }

  @_noLocks @inline(__always)
  private static func share(_ mode: Lanes, _ index: Float) -> Lanes {
    larger(1 - magnitude(mode - index), Lanes.zero)
  }
}
