// Arithmetic on eight voices at once: vectors, masks and the short polynomials of control rate.
//
// Vectors are compared with vectors throughout: Swift 6.0 takes a comparison with a scalar lane by lane, which
// made the whole five times slower.

/// One value of each of the voices that are rendered together.
///
/// Eight lanes are two registers on SSE and NEON, so that two dependency chains overlap, and one on AVX.
typealias Lanes = SIMD8<Float>
/// The bits of the lanes.
typealias LaneWords = SIMD8<UInt32>
/// A choice for each lane.
typealias LaneMask = SIMDMask<SIMD8<Int32>>

@_noLocks @inline(__always)
func larger(_ a: Lanes, _ b: Lanes) -> Lanes { b.replacing(with: a, where: a .> b) }

@_noLocks @inline(__always)
func smaller(_ a: Lanes, _ b: Lanes) -> Lanes { b.replacing(with: a, where: a .< b) }

@_noLocks @inline(__always)
func bits(_ x: Lanes) -> LaneWords { unsafeBitCast(x, to: LaneWords.self) }

@_noLocks @inline(__always)
func lanes(_ x: LaneWords) -> Lanes { unsafeBitCast(x, to: Lanes.self) }

@_noLocks @inline(__always)
func magnitude(_ x: Lanes) -> Lanes { lanes(bits(x) & 0x7fff_ffff) }

/// `x`, which is not negative, with the sign of `sign`.
@_noLocks @inline(__always)
func signed(_ x: Lanes, like sign: Lanes) -> Lanes { lanes(bits(x) | (bits(sign) & 0x8000_0000)) }

/// 2 to the power of `x`, which is brought inside ±126. Relative error 7.5e-8, measured over one octave.
@_noLocks @inline(__always)
func exp2(_ x: Lanes) -> Lanes {
  let x = larger(smaller(x, Lanes(repeating: 126)), Lanes(repeating: -126))
  // Adding 1.5 * 2^23 leaves the nearest whole number in the low bits.
  let whole = x + 12_582_912
  let f = x - (whole - 12_582_912)
  var p = 0.00132764628 * f + 0.00967554174
  p = p * f + 0.0555071331
  p = p * f + 0.240221197
  p = p * f + 0.693146967
  p = p * f + 1.0
  return lanes(bits(p) &+ (bits(whole) &<< 23))
}

/// The sine of pi times `s`, for `s` in -1…1. Error 5e-8.
@_noLocks @inline(__always)
func sinePi(_ s: Lanes) -> Lanes {
  let u = magnitude(s) - 0.5
  let z = u * u
  var p = 0.219696717 * z - 1.33188013
  p = p * z + 4.05841191
  p = p * z - 4.93479286
  p = p * z + 0.999999953
  return signed(larger(p, Lanes.zero), like: s)
}

/// The tangent of `x`, for `x` in 0…1.45: a Padé approximant, within 0.02 %.
@_noLocks @inline(__always)
func tangent(_ x: Lanes) -> Lanes {
  let z = x * x
  let above = (z - 105) * z + 945
  let below = (15 * z - 420) * z + 945
  return x * above / below
}

/// The next of a sequence of random words in each lane (Marsaglia's xorshift, 2003); no lane may be 0.
@_noLocks @inline(__always)
func scrambled(_ x: LaneWords) -> LaneWords {
  var x = x
  x ^= x &<< 13
  x ^= x &>> 17
  x ^= x &<< 5
  return x
}

/// Random words as numbers in -1..<1.
@_noLocks @inline(__always)
func noise(_ words: LaneWords) -> Lanes {
  // The upper bits behind the exponent of 2: numbers in 2..<4.
  let number = (words &>> 9) | LaneWords(repeating: 0x4000_0000)
  return lanes(number) - 3
}
