// Zero, as `x - x`, of which the compiler does not know that it is zero. With a zero that it knows, Swift makes a comparison
// and a selection of `larger(x, zero)`, where one instruction would do.

/// Zero in each lane, hidden from the compiler; `x` is any finite number at hand.
@_noLocks @inline(__always)
func hiddenZero(_ x: Lanes) -> Lanes { x - x }

/// As the other one, for a single number.
@_noLocks @inline(__always)
func hiddenZero(_ x: Float) -> Float { x - x }
