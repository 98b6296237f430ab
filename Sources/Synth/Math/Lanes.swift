import CRealtime

// Arithmetic on eight voices at once: vectors, selections and the short polynomials of control rate.
//
// Selections are written as bits, because both compilers turn that into one instruction where `replacing(with:where:)`
// takes six; and vectors are compared with vectors, since Swift 6.0 takes a comparison with a scalar lane by lane.

/// One value of each of the voices that are rendered together.
///
/// Eight lanes are two registers on SSE and NEON, so that two dependency chains overlap, and one on AVX.
typealias Lanes = SIMD8<Float>
/// The bits of the lanes.
typealias LaneWords = SIMD8<UInt32>
/// Phases of the lanes: the whole range of 32 bits is one period, so that they wrap by themselves.
typealias Phases = SIMD8<Int32>

/// `a * b + c`, with one rounding where the processor has that: all 64-bit Arm processors, and not all of amd64.
@_noLocks @inline(__always)
func multiplyAdd(_ a: Lanes, _ b: Lanes, _ c: Lanes) -> Lanes {
  #if arch(arm64)
    c.addingProduct(a, b)
  #else
    a * b + c
  #endif
}

/// `c - a * b`, as `multiplyAdd`.
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

/// The same for phases.
@_noLocks @inline(__always)
func select(_ a: Phases, _ b: Phases, where mask: SIMDMask<SIMD8<Int32>>) -> Phases {
  b ^ ((a ^ b) & unsafeBitCast(mask, to: Phases.self))
}

/// The lanes whose bits are set.
@_noLocks @inline(__always)
func mask(_ lanes: UInt8) -> SIMDMask<SIMD8<Int32>> {
  (LaneWords(1, 2, 4, 8, 16, 32, 64, 128) & LaneWords(repeating: UInt32(lanes))) .!= LaneWords.zero
}

/// The lanes where a mask holds, one bit each.
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

/// `x`, of which the compiler does not know what it is made of (`rt_opaque`).
@_noLocks @inline(__always)
func opaque(_ x: Lanes) -> Lanes { Lanes(lowHalf: rt_opaque(x.lowHalf), highHalf: rt_opaque(x.highHalf)) }

@_noLocks @inline(__always)
func magnitude(_ x: Lanes) -> Lanes { lanes(bits(x) & 0x7fff_ffff) }

/// `x`, which is not negative, with the sign of `sign`.
@_noLocks @inline(__always)
func signed(_ x: Lanes, like sign: Lanes) -> Lanes { lanes(bits(x) | (bits(sign) & 0x8000_0000)) }

/// The sum of the lanes.
@_noLocks @inline(__always)
func sum(_ x: Lanes) -> Float {
  let (a, b, c, d) = (x[0] + x[4], x[1] + x[5], x[2] + x[6], x[3] + x[7])
  return (a + c) + (b + d)
}

/// True when a lane is anything but 0.
@_noLocks @inline(__always)
func isAny(_ x: Lanes) -> Bool { isAny(bits(x) &<< 1) }

/// True when a mask holds anywhere.
@_noLocks @inline(__always)
func isAny(_ mask: SIMDMask<SIMD8<Int32>>) -> Bool { isAny(unsafeBitCast(mask, to: LaneWords.self)) }

/// True when a bit is set.
@_noLocks @inline(__always)
func isAny(_ x: LaneWords) -> Bool {
  let pairs = unsafeBitCast(x.lowHalf | x.highHalf, to: SIMD2<UInt64>.self)
  return pairs[0] | pairs[1] != 0
}

/// The nearest whole number, for `x` within ±2^22: adding 1.5 · 2^23 leaves no bits for a fraction.
@_noLocks @inline(__always)
func nearest(_ x: Lanes) -> Lanes { (x + 12_582_912) - 12_582_912 }

/// The square root of `x`, which is above 0, by Newton's steps from the halved exponent. Relative error 3e-7.
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
  // Adding 1.5 · 2^23 leaves the nearest whole number in the low bits.
  let whole = x + 12_582_912
  return lanes(bits(exp2OfPart(x - (whole - 12_582_912))) &+ (bits(whole) &<< 23))
}

/// The same for `x` within ±0.5.
@_noLocks @inline(__always)
func exp2OfPart(_ f: Lanes) -> Lanes {
  var p = multiplyAdd(Lanes(repeating: 0.00132764628), f, Lanes(repeating: 0.00967554174))
  p = multiplyAdd(p, f, Lanes(repeating: 0.0555071331))
  p = multiplyAdd(p, f, Lanes(repeating: 0.240221197))
  p = multiplyAdd(p, f, Lanes(repeating: 0.693146967))
  return multiplyAdd(p, f, Lanes(repeating: 1))
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

/// The next of a sequence of random words in each lane (Marsaglia's xorshift, 2003); no lane may be 0.
@_noLocks @inline(__always)
func scrambled(_ x: LaneWords) -> LaneWords {
  var x = x
  x ^= x &<< 13
  x ^= x &>> 17
  x ^= x &<< 5
  return x
}

/// A word that looks random for every word, also for those that follow each other: each of its bits depends on all of
/// theirs (the mixing of MurmurHash3; A. Appleby, 2011).
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
  // The upper bits behind the exponent of 2: numbers in 2..<4.
  let number = (words &>> 9) | LaneWords(repeating: 0x4000_0000)
  return lanes(number) - 3
}

// MARK: - Samples in a row

extension UnsafePointer<Float> {
  /// Eight samples in a row.
  var eight: Lanes {
    @_noLocks @inline(__always) get { UnsafeRawPointer(self).loadUnaligned(as: Lanes.self) }
  }
}

extension UnsafeMutablePointer<Float> {
  /// Eight samples in a row.
  var eight: Lanes {
    @_noLocks @inline(__always) get { UnsafeRawPointer(self).loadUnaligned(as: Lanes.self) }
    @_noLocks @inline(__always) nonmutating set {
      UnsafeMutableRawPointer(self).storeBytes(of: newValue, as: Lanes.self)
    }
  }
}

// MARK: - Phases

/// Phases as numbers in ±2^31. Lane by lane, which both compilers make one instruction of; of the conversion of the
/// whole vector they sometimes make a call.
@_noLocks @inline(__always)
func numbers(_ p: Phases) -> Lanes {
  Lanes(
    Float(p[0]), Float(p[1]), Float(p[2]), Float(p[3]), Float(p[4]), Float(p[5]), Float(p[6]), Float(p[7]))
}

/// Numbers of 0..<1 as phases of up to a half, rounded to the 24 bits that a number has. In two steps of 16 bits,
/// because a conversion by rounding is not one instruction in Swift.
@_noLocks @inline(__always)
func phases(_ x: Lanes) -> Phases {
  let scaled: Lanes = x * 32_768
  let whole: Lanes = scaled + 12_582_912
  let part: Lanes = scaled - (whole - 12_582_912)
  let rest: Lanes = part * 65_536 + 12_582_912
  let high = unsafeBitCast(whole, to: Phases.self) &<< 16
  // The bits of 1.5 · 2^23, shifted out of the upper half and taken off the lower one.
  return high &+ (unsafeBitCast(rest, to: Phases.self) &- 0x4b40_0000)
}

/// Numbers of ±2^31 as phases, cut off.
@_noLocks @inline(__always)
func advances(_ ways: Lanes) -> Phases {
  Phases(lowHalf: rt_whole(ways.lowHalf), highHalf: rt_whole(ways.highHalf))
}

/// How far so many samples bring a phase.
@_noLocks @inline(__always)
func way(_ advance: Phases, _ frames: Int) -> Phases {
  if frames == 0 { return .zero }
  // SSE2 has no product of such words.
  if frames == Limits.controlFrames { return advance &<< Phases(repeating: Limits.controlShift) }
  if frames == Limits.unisonFrames { return advance &<< Phases(repeating: Limits.controlShift &+ 1) }
  return advance &* Phases(repeating: Int32(truncatingIfNeeded: frames))
}
