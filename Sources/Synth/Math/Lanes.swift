import CRealtime
import Scenes

// Arithmetic on eight voices at once: vectors, selections and short polynomials for control rate.
//
// Selections are written as bit operations, because both compilers turn these into one instruction and
// `replacing(with:where:)` into six. Vectors are compared with vectors, because Swift 6.0 compares with a scalar lane
// by lane.

/// One value for each of the eight voices that are rendered together.
///
/// Eight lanes are two registers on SSE and NEON, so that two dependency chains overlap, and one register on AVX.
typealias Lanes = SIMD8<Float>
/// The bit patterns of eight lanes.
typealias LaneWords = SIMD8<UInt32>
/// Phases of eight lanes. The whole range of 32 bits is one period, so that they wrap by themselves.
typealias Phases = SIMD8<Int32>

/// `a * b + c`, rounded once on processors with a fused multiply-add: all 64-bit Arm processors, but not all of amd64.
@_noLocks @inline(__always)
func multiplyAdd(_ a: Lanes, _ b: Lanes, _ c: Lanes) -> Lanes {
  #if arch(arm64)
    c.addingProduct(a, b)
  #else
    a * b + c
  #endif
}

/// `c - a * b`, rounded once on Arm as in `multiplyAdd`.
@_noLocks @inline(__always)
func multiplySubtract(_ a: Lanes, _ b: Lanes, from c: Lanes) -> Lanes {
  #if arch(arm64)
    c.addingProduct(-a, b)
  #else
    c - a * b
  #endif
}

/// `a` where the mask holds, `b` elsewhere.
@_noLocks @inline(__always)
func select(_ a: Lanes, _ b: Lanes, where mask: SIMDMask<SIMD8<Int32>>) -> Lanes {
  let chosen = unsafeBitCast(mask, to: LaneWords.self)
  return lanes(bits(b) ^ ((bits(a) ^ bits(b)) & chosen))
}

/// The phase `a` where the mask holds, `b` elsewhere.
@_noLocks @inline(__always)
func select(_ a: Phases, _ b: Phases, where mask: SIMDMask<SIMD8<Int32>>) -> Phases {
  b ^ ((a ^ b) & unsafeBitCast(mask, to: Phases.self))
}

/// A mask that holds in the lanes whose bits are set.
@_noLocks @inline(__always)
func mask(_ lanes: UInt8) -> SIMDMask<SIMD8<Int32>> {
  (LaneWords(1, 2, 4, 8, 16, 32, 64, 128) & LaneWords(repeating: UInt32(lanes))) .!= LaneWords.zero
}

/// The lanes where a mask holds, one bit for each lane.
@_noLocks @inline(__always)
func lanes(where mask: SIMDMask<SIMD8<Int32>>) -> UInt8 {
  #if arch(x86_64)
    let x = unsafeBitCast(mask, to: Lanes.self)
    return UInt8(
      truncatingIfNeeded: rt_highest_bits(x.lowHalf) | rt_highest_bits(x.highHalf) &<< 4)
  #else
    let bits = unsafeBitCast(mask, to: LaneWords.self) & LaneWords(1, 2, 4, 8, 16, 32, 64, 128)
    let (four, pair) = (bits.lowHalf | bits.highHalf, (bits.lowHalf | bits.highHalf).lowHalf)
    let two = pair | four.highHalf
    return UInt8(truncatingIfNeeded: two[0] | two[1])
  #endif
}

@_noLocks @inline(__always)
func larger(_ a: Lanes, _ b: Lanes) -> Lanes {
  #if arch(arm64)
    rt_larger(a, b)
  #elseif arch(x86_64)
    Lanes(lowHalf: rt_larger(a.lowHalf, b.lowHalf), highHalf: rt_larger(a.highHalf, b.highHalf))
  #else
    select(a, b, where: a .> b)
  #endif
}

@_noLocks @inline(__always)
func smaller(_ a: Lanes, _ b: Lanes) -> Lanes {
  #if arch(arm64)
    rt_smaller(a, b)
  #elseif arch(x86_64)
    Lanes(lowHalf: rt_smaller(a.lowHalf, b.lowHalf), highHalf: rt_smaller(a.highHalf, b.highHalf))
  #else
    select(a, b, where: a .< b)
  #endif
}

@_noLocks @inline(__always)
func bits(_ x: Lanes) -> LaneWords { unsafeBitCast(x, to: LaneWords.self) }

@_noLocks @inline(__always)
func lanes(_ x: LaneWords) -> Lanes { unsafeBitCast(x, to: Lanes.self) }

/// `x` as an opaque value: the compiler cannot see how it was computed (`rt_opaque`).
@_noLocks @inline(__always)
func opaque(_ x: Lanes) -> Lanes { Lanes(lowHalf: rt_opaque(x.lowHalf), highHalf: rt_opaque(x.highHalf)) }

@_noLocks @inline(__always)
func magnitude(_ x: Lanes) -> Lanes { lanes(bits(x) & 0x7fff_ffff) }

/// `x`, which must not be negative, with the sign of `sign`.
@_noLocks @inline(__always)
func signed(_ x: Lanes, like sign: Lanes) -> Lanes { lanes(bits(x) | (bits(sign) & 0x8000_0000)) }

/// The lower four lanes if `first` is 0, the upper four if it is 4. Not generic, because generic calls may allocate.
@_noLocks @inline(__always)
func half(_ x: Lanes, _ first: Int) -> Quad { first == 0 ? x.lowHalf : x.highHalf }

@_noLocks @inline(__always)
func half(_ x: Phases, _ first: Int) -> SIMD4<Int32> { first == 0 ? x.lowHalf : x.highHalf }

@_noLocks @inline(__always)
func half(_ x: LaneWords, _ first: Int) -> QuadWords { first == 0 ? x.lowHalf : x.highHalf }

/// The lower half of a mask if `first` is 0, the upper half if it is 4.
@_noLocks @inline(__always)
func half(_ mask: SIMDMask<SIMD8<Int32>>, _ first: Int) -> SIMDMask<SIMD4<Int32>> {
  unsafeBitCast(half(unsafeBitCast(mask, to: Phases.self), first), to: SIMDMask<SIMD4<Int32>>.self)
}

/// The sum of the lanes.
@_noLocks @inline(__always)
func sum(_ x: Lanes) -> Float {
  let (a, b, c, d) = (x[0] + x[4], x[1] + x[5], x[2] + x[6], x[3] + x[7])
  return (a + c) + (b + d)
}

/// True when any lane is not 0.
@_noLocks @inline(__always)
func isAny(_ x: Lanes) -> Bool { isAny(bits(x) &<< 1) }

/// True when a mask holds in any lane.
@_noLocks @inline(__always)
func isAny(_ mask: SIMDMask<SIMD8<Int32>>) -> Bool { isAny(unsafeBitCast(mask, to: LaneWords.self)) }

/// True when any bit is set.
@_noLocks @inline(__always)
func isAny(_ x: LaneWords) -> Bool {
  let pairs = unsafeBitCast(x.lowHalf | x.highHalf, to: SIMD2<UInt64>.self)
  return pairs[0] | pairs[1] != 0
}

/// The nearest whole number, for `x` within ±2^22: adding 1.5 · 2^23 rounds off the fraction.
@_noLocks @inline(__always)
func nearest(_ x: Lanes) -> Lanes { (x + 12_582_912) - 12_582_912 }

/// A phase in half periods, wrapped to -1…1.
@_noLocks @inline(__always)
func wrapped(_ s: Lanes) -> Lanes { s - 2 * nearest(0.5 * s) }

/// The square root of `x`, which must be above 0, by Newton's method from the halved exponent. Relative error 3e-7.
@_noLocks @inline(__always)
func root(_ x: Lanes) -> Lanes {
  var y = lanes(0x5f37_59df &- (bits(x) &>> 1))
  y *= 1.5 - 0.5 * x * y * y
  y *= 1.5 - 0.5 * x * y * y
  y *= 1.5 - 0.5 * x * y * y
  return x * y
}

/// 1 / `x`, of either sign; on Arm with a relative error of 1.2e-7, for `x` within 1e±37.
@_noLocks @inline(__always)
func inverse(_ x: Lanes) -> Lanes {
  #if arch(arm64)
    rt_inverse_lanes(x)
  #else
    1 / x
  #endif
}

/// 2 to the power of `x`, within ±126. Relative error 7.5e-8, measured over one octave.
@_noLocks @inline(__always)
func exp2(_ x: Lanes) -> Lanes {
  // Adding 1.5 · 2^23 rounds to the nearest whole number and leaves it in the low bits.
  let whole = x + 12_582_912
  return lanes(bits(exp2OfPart(x - (whole - 12_582_912))) &+ (bits(whole) &<< 23))
}

/// 2 to the power of `f`, within ±0.5.
@_noLocks @inline(__always)
func exp2OfPart(_ f: Lanes) -> Lanes {
  var p = multiplyAdd(Lanes(repeating: 0.00132764628), f, Lanes(repeating: 0.00967554174))
  p = multiplyAdd(p, f, Lanes(repeating: 0.0555071331))
  p = multiplyAdd(p, f, Lanes(repeating: 0.240221197))
  p = multiplyAdd(p, f, Lanes(repeating: 0.693146967))
  return multiplyAdd(p, f, Lanes(repeating: 1))
}

/// The logarithm of positive normal numbers to base 2. Error 1e-7.
@_noLocks @inline(__always)
func log2(_ x: Lanes) -> Lanes {
  // The number as a power of two times a part between √½ and √2.
  let shifted = bits(x) &- 0x3f35_04f3
  let exponent = numbers(unsafeBitCast(shifted, to: Phases.self) &>> 23)
  let part = lanes((shifted & 0x007f_ffff) &+ 0x3f35_04f3)
  let t = (part - 1) / (part + 1)
  let square = t * t
  var sum = multiplyAdd(Lanes(repeating: 2.0 / 7), square, Lanes(repeating: 2.0 / 5))
  sum = multiplyAdd(sum, square, Lanes(repeating: 2.0 / 3))
  sum = multiplyAdd(sum, square, Lanes(repeating: 2))
  return multiplyAdd(t * sum, Lanes(repeating: 1.44269504), exponent)
}

/// The sine of pi times `s`, for `s` in -1…1. Error 5e-8.
@_noLocks @inline(__always)
func sinePi(_ s: Lanes) -> Lanes {
  let u = magnitude(s) - 0.5
  let z = u * u
  var p = multiplyAdd(Lanes(repeating: 0.219696717), z, Lanes(repeating: -1.33188013))
  p = multiplyAdd(p, z, Lanes(repeating: 4.05841191))
  p = multiplyAdd(p, z, Lanes(repeating: -4.93479286))
  p = multiplyAdd(p, z, Lanes(repeating: 0.999999953))
  return signed(larger(p, Lanes.zero), like: s)
}

/// The next random word of each lane (Marsaglia's xorshift, 2003); no lane may be 0.
@_noLocks @inline(__always)
func scrambled(_ x: LaneWords) -> LaneWords {
  var x = x
  x ^= x &<< 13
  x ^= x &>> 17
  x ^= x &<< 5
  return x
}

/// A hash that makes a random-looking word of each word, also of consecutive ones: each bit of the result depends on
/// all bits of `x` (the mixing of MurmurHash3; A. Appleby, 2011).
@_noLocks @inline(__always)
func mixed(_ x: LaneWords) -> LaneWords {
  var x = x
  x = (x ^ (x &>> 16)) &* 0x85eb_ca6b
  x = (x ^ (x &>> 13)) &* 0xc2b2_ae35
  return x ^ (x &>> 16)
}

/// Random words as numbers in -1..<1.
@_noLocks @inline(__always)
func noise(_ words: LaneWords) -> Lanes {
  // The upper bits are the fraction of a number with the exponent of 2: numbers in 2..<4.
  let number = (words &>> 9) | LaneWords(repeating: 0x4000_0000)
  return lanes(number) - 3
}

// MARK: - Samples in a row

extension UnsafePointer<Float> {
  /// Eight consecutive samples.
  var eight: Lanes {
    @_noLocks @inline(__always) get { UnsafeRawPointer(self).loadUnaligned(as: Lanes.self) }
  }
}

extension UnsafeMutablePointer<Float> {
  /// Eight consecutive samples.
  var eight: Lanes {
    @_noLocks @inline(__always) get { UnsafeRawPointer(self).loadUnaligned(as: Lanes.self) }
    @_noLocks @inline(__always) nonmutating set {
      UnsafeMutableRawPointer(self).storeBytes(of: newValue, as: Lanes.self)
    }
  }
}

// MARK: - Phases

/// Phases as numbers in ±2^31. They are converted lane by lane, which both compilers turn into one instruction; they
/// sometimes turn the conversion of a whole vector into a call.
@_noLocks @inline(__always)
func numbers(_ p: Phases) -> Lanes {
  Lanes(
    Float(p[0]), Float(p[1]), Float(p[2]), Float(p[3]), Float(p[4]), Float(p[5]), Float(p[6]), Float(p[7]))
}

/// Numbers in 0..<1 as phases of up to half a period, rounded to the 24 bits of a `Float`'s mantissa. In two steps of
/// 16 bits, because Swift does not compile a rounding conversion to one instruction.
@_noLocks @inline(__always)
func phases(_ x: Lanes) -> Phases {
  let scaled: Lanes = x * 32_768
  let whole: Lanes = scaled + 12_582_912
  let part: Lanes = scaled - (whole - 12_582_912)
  let rest: Lanes = part * 65_536 + 12_582_912
  let high = unsafeBitCast(whole, to: Phases.self) &<< 16
  // The bits of 1.5 · 2^23 are shifted out of the upper half and subtracted from the lower half.
  return high &+ (unsafeBitCast(rest, to: Phases.self) &- 0x4b40_0000)
}

/// Numbers in ±2^31 as phases, truncated.
@_noLocks @inline(__always)
func advances(_ increments: Lanes) -> Phases {
  Phases(lowHalf: rt_whole(increments.lowHalf), highHalf: rt_whole(increments.highHalf))
}

/// The phase that `frames` samples add.
@_noLocks @inline(__always)
func phaseChange(_ advance: Phases, _ frames: Int) -> Phases {
  if frames == 0 { return .zero }
  // SSE2 cannot multiply 32-bit words.
  if frames == Limits.controlFrames { return advance &<< Phases(repeating: Limits.controlShift) }
  if frames == Limits.unisonFrames { return advance &<< Phases(repeating: Limits.controlShift &+ 1) }
  return advance &* Phases(repeating: Int32(truncatingIfNeeded: frames))
}

// Zero, computed as `x - x`, so that the compiler does not know that it is zero. With a known zero, Swift compiles
// `larger(x, zero)` to a comparison and a selection, where one instruction would do.

/// Zero in each lane, hidden from the compiler; `x` is any finite number at hand.
@_noLocks @inline(__always)
func hiddenZero(_ x: Lanes) -> Lanes { x - x }

/// Zero as a single number, hidden from the compiler; `x` is any finite number at hand.
@_noLocks @inline(__always)
func hiddenZero(_ x: Float) -> Float { x - x }
