// Zero, computed as `x - x`, so that the compiler does not know that it is zero. With a known zero, Swift compiles
// `larger(x, zero)` to a comparison and a selection, where one instruction would do.

/// Zero in each lane, hidden from the compiler; `x` is any finite number at hand.
@_noLocks @inline(__always)
func hiddenZero(_ x: Lanes) -> Lanes { x - x }

/// Zero as a single number, hidden from the compiler; `x` is any finite number at hand.
@_noLocks @inline(__always)
func hiddenZero(_ x: Float) -> Float { x - x }
